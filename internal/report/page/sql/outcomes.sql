-- How requests ended: one row per provider of a contest and outcome. The last
-- two are parts of others: answers that say they are whole and are cut short,
-- and complete ones that do not pass every check.
SELECT model, scenario, concurrency, vantage, provider, params, outcome, n
FROM errors
UNION ALL
SELECT model, scenario, concurrency, vantage, provider, params, 'ok, but cut short', cut_short
FROM fidelity
WHERE cut_short > 0
UNION ALL
SELECT model, scenario, concurrency, vantage, provider, params, 'complete, but not every check passed', checked - passed
FROM fidelity
WHERE checked > passed
ORDER BY ALL
