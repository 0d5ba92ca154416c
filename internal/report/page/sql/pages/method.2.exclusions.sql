-- title: What was taken out
-- sub: Stated exclusions: nothing is deleted, and every report lists them.
-- empty: Nothing was excluded.
SELECT predicate AS "Predicate", reason AS "Reason", date AS "Date", matches AS "Requests [n]"
FROM exclusions
ORDER BY place
