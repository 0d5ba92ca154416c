-- On how many prompts two providers of a model answer differently, and on how many
-- chance alone would say so.
SELECT model, scenario, provider_a, provider_b, testable, differing, differing_by_chance AS chance, verdict = 'supported' AS differs
FROM agreement
WHERE testable > 0
ORDER BY ALL
