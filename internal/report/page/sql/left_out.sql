-- Requests that no statistic counts, by phase and, where a stated rule excluded
-- them, by its reason.
SELECT phase, excluded, count(*) AS n
FROM results
WHERE NOT measured
GROUP BY ALL
ORDER BY ALL
