-- title: Is A better than B, by how much, and how sure?
-- sub: Every pair of providers on every model: ratio of the first to the second with its interval, and why nothing is decided where it is not.
-- empty: No model has two providers.
SELECT p.model AS "Model", p.scenario AS "Scenario", m.title AS "Measure", p.provider_a AS "Provider", p.provider_b AS "Against",
       p.ratio AS "Ratio [ratio]", p.ratio_lo AS "[lo]", p.ratio_hi AS "[hi]", p.n_windows AS "Windows [n]", p.n_effective AS "Worth [num]",
       CASE WHEN p.decided AND p.lasting THEN 'clear, over whole days' WHEN p.decided THEN 'clear' ELSE 'cannot tell' END AS "Verdict", p.why_not AS "Why not"
FROM pairs p
JOIN metrics m ON m.metric = p.metric
WHERE m.place = (SELECT min(o.place) FROM metrics o JOIN ranks r ON r.metric = o.metric)
ORDER BY p.model, p.scenario, p.concurrency, p.vantage, p.provider_a, p.provider_b
