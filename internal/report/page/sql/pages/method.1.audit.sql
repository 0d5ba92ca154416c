-- title: What is wrong with each measurement
-- sub: Faults and notes of the audit, by cell.
-- empty: The audit finds nothing.
SELECT a.severity AS "Severity", a.rule AS "Rule", a.model AS "Model", a.provider AS "Provider", a.scenario AS "Scenario", a.value AS "Value [num]", a.value_is AS "Value is", a.finding AS "Finding"
FROM audit a
ORDER BY a.severity, a.rule, a.model, a.provider, a.scenario, a.concurrency, a.vantage, a.params
