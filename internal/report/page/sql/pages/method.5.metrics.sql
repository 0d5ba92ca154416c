-- title: The measures
-- sub: Unit, direction, and the margin under which a difference does not count.
-- empty: No measure.
SELECT m.metric AS "Name", m.title AS "Measure", m.unit AS "Unit", m.better AS "Better", m.statistic AS "Statistic", m.test AS "Test", m.margin_ratio AS "Margin [share]", m.margin_abs AS "and [num]"
FROM metrics m
ORDER BY m.place
