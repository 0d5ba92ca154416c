-- What the audit finds, by provider: one row per model and rule.
SELECT DISTINCT provider, model, severity, rule, finding
FROM audit
ORDER BY ALL
