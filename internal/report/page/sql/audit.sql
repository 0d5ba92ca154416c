-- What the audit finds of the method: one row per model and rule.
SELECT model, severity, rule, finding, count(*) AS cells
FROM audit
GROUP BY ALL
ORDER BY ALL
