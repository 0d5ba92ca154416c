-- How each provider keeps each limit of a workload on a model.
SELECT workload, model, provider, title, unit, better = 'higher' AS higher, at_most, at_least, value,
       CASE verdict WHEN 'supported' THEN claim WHEN 'tendency' THEN 'no miss seen' ELSE 'cannot tell' END AS verdict, n
FROM workload_fit
WHERE verdict IS NOT NULL
ORDER BY ALL
