-- title: Live traffic, like for like
-- sub: Providers compared over requests that are alike, beside what the traffic shows as it is.
-- empty: No live traffic of two providers was compared.
SELECT model AS "Model", scenario AS "Slice", metric AS "Measure", provider_a AS "Provider", provider_b AS "Against", ratio_raw AS "As it is [ratio]",
       ratio AS "Like for like [ratio]", ratio_lo AS "[lo]", ratio_hi AS "[hi]", days AS "Days [n]", overlap_a AS "Alike [share]", overlap_b AS "Alike, of the other [share]", verdict AS "Verdict [verdict]", why_not AS "Why not"
FROM like_for_like
ORDER BY model, scenario, metric, provider_a, provider_b, concurrency, vantage
