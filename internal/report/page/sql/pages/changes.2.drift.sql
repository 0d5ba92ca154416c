-- title: What changed over time
-- sub: Each provider against itself, between windows, days and hours of the day. Above 1: the level went up.
-- empty: The recording spans too few windows to compare times.
SELECT verdict AS "Verdict [verdict]", provider AS "Provider", model AS "Model", scenario AS "Scenario", metric AS "Measure", "before" AS "Before", "after" AS "After",
       level_before AS "Level before [num]", level_after AS "Level after [num]", ratio AS "Ratio [ratio]", ratio_lo AS "[lo]", ratio_hi AS "[hi]", q AS "q [num]"
FROM (SELECT * FROM drift WHERE ratio IS NOT NULL ORDER BY q NULLS LAST, abs(ln(ratio)) DESC, provider, model, scenario, metric, "before", "after" LIMIT 100)
ORDER BY q NULLS LAST, abs(ln(ratio)) DESC, provider, model, scenario, metric, "before", "after"
