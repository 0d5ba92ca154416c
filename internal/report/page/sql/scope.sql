-- What was measured, in one row.
SELECT count(*) AS requests, count(*) FILTER (measured) AS measured,
       count(DISTINCT provider) AS providers, count(DISTINCT model) AS models,
       count(DISTINCT run_id) AS runs, count(DISTINCT window_key) AS windows,
       min(started_at) AS first_at, max(started_at) AS last_at,
       string_agg(DISTINCT vantage, ', ' ORDER BY vantage) AS vantages, count(*) FILTER (vantage IS NULL) AS elsewhere,
       (SELECT CASE WHEN count(DISTINCT name) <= 2 THEN string_agg(DISTINCT name, ' and ' ORDER BY name) END FROM runs) AS names,
       (SELECT count(*) FROM runs WHERE origin = 'simulated') AS simulated, (SELECT count(*) FROM runs WHERE interrupted) AS interrupted
FROM results
