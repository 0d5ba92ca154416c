-- title: Whether two providers of one model answer alike
-- sub: Prompts on which a pair differs by more than each provider varies by itself.
-- empty: No two providers of one model answered the same prompts.
SELECT model AS "Model", scenario AS "Scenario", provider_a AS "Provider", provider_b AS "And", testable AS "Prompts [n]", differing AS "Differ [n]", differing_by_chance AS "By chance [num]",
       differing_share AS "Share [share]", p AS "p [num]", claim AS "Finding", verdict AS "Verdict [verdict]", why_not AS "Why not", warning AS "Note"
FROM agreement
ORDER BY model, scenario, p NULLS LAST, provider_a, provider_b
