-- title: When a provider changed what it serves
-- sub: Served model, fingerprint, endings and prices.
-- empty: No change of what is served was seen.
SELECT changed_at AS "When [time]", provider AS "Provider", model AS "Model", what AS "What", "before" AS "Before", "after" AS "After", verdict AS "Verdict [verdict]", n_before AS "n before [n]", n_after AS "n after [n]"
FROM changes
ORDER BY changed_at, provider, model, what
