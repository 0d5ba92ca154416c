-- title: What answers were checked for
-- sub: Each kind of check, over all answers that had it.
-- empty: No answer was checked.
SELECT kind AS "Check", definition AS "Definition", count(*) AS "Answers [n]", count(*) FILTER (pass) AS "Passed [n]"
FROM checks
GROUP BY ALL
ORDER BY ALL
LIMIT 100
