-- title: Whether parameters are honoured and usage is reported rightly
-- sub: Probes, each with a control. Unverifiable unless shown.
-- empty: No probe was recorded.
SELECT provider AS "Provider", model AS "Model", probe AS "Probe", claim AS "The parameter is", verdict AS "Verdict [verdict]", k AS "As asked [n]", n AS "Of [n]", finding AS "Finding", warning AS "Note"
FROM conformance
ORDER BY provider, model, probe, region
