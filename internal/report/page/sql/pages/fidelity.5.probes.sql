-- title: The requests behind the probes
-- sub: By probe and arm: the treatment sets a parameter and the control does not.
-- empty: No probe was recorded.
SELECT provider AS "Provider", model AS "Model", probe AS "Probe", arm AS "Arm", count(*) AS "Requests [n]", count(*) FILTER (refused) AS "Refused [n]", count(*) FILTER (effect) AS "With the effect [n]"
FROM probes
GROUP BY ALL
ORDER BY ALL
