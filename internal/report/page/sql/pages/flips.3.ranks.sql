-- title: Places on every measure
-- sub: A range of places means that the data cannot separate the providers, or that they differ by less than the margin.
-- empty: No model has two providers to rank.
SELECT r.model AS "Model", r.scenario AS "Scenario", r.concurrency AS "At a time [n]", m.title AS "Measure", r.provider AS "Provider",
       CASE WHEN r.rank_lo = r.rank_hi THEN r.rank_lo::VARCHAR ELSE r.rank_lo || '–' || r.rank_hi END AS "Place",
       r.providers AS "Of [n]", r.estimate AS "Level [num]", m.unit AS "Unit", r.n_windows AS "Windows [n]"
FROM ranks r
JOIN metrics m ON m.metric = r.metric
WHERE r.providers > 1
ORDER BY r.model, r.scenario, r.concurrency, m.place, r.rank_lo, r.estimate, r.provider
