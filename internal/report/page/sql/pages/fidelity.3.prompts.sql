-- title: Prompts that are answered differently
-- sub: With one request of each provider, whose answers can be read in the data.
-- empty: No prompt is answered differently beyond chance.
SELECT model AS "Model", scenario AS "Scenario", provider_a AS "Provider", provider_b AS "And", left(prompt_hash, 12) AS "Prompt", distance AS "Apart [num]", p AS "p [num]",
       example_a_request_id::VARCHAR AS "Request", example_b_request_id::VARCHAR AS "And request"
FROM agreement_prompts
WHERE differs
ORDER BY p, model, scenario, provider_a, provider_b, prompt_hash
LIMIT 50
