-- How each provider keeps each limit of a workload on a model.
SELECT workload, model, provider, title, unit, better = 'higher' AS higher, at_most, at_least, value, verdict, n
FROM workload_fit
WHERE verdict IS NOT NULL
ORDER BY ALL
