-- title: Whether one provider is best everywhere
-- sub: By measure and scenario, over all models that at least two providers serve.
-- empty: Fewer than two models have two providers.
SELECT m.title AS "Measure", c.scenario AS "Scenario", CASE c.claim WHEN 'one' THEN 'one provider' WHEN 'none' THEN 'no provider' END AS "Best on all", c.verdict AS "Verdict [verdict]", c.provider AS "Provider", c.models AS "Models [n]", c.champion_models AS "First on [n]",
       c.unbeaten_providers AS "Beaten on no model", c.why_not AS "Why not", c.tau AS "Agreement of orders [num]"
FROM champions c
JOIN metrics m ON m.metric = c.metric
ORDER BY m.place, c.scenario
