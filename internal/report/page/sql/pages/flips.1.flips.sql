-- title: Pairs of providers whose order turns round
-- sub: From one model, scenario, number at a time, measure or period to another. Clear: both sides hold at a false discovery rate of 5 % over all pairs of a measure, and exceed its margin.
-- empty: No two providers change their order.
SELECT verdict AS "Verdict [verdict]", axis AS "Between", metric AS "Measure",
       leader_1 AS "Better", at_1 AS "At", ratio_1 AS "Times better [ratio]", ratio_1_lo AS "[lo]", ratio_1_hi AS "[hi]",
       leader_2 AS "Better there", at_2 AS "At there", ratio_2 AS "Times better there [ratio]", ratio_2_lo AS "[lo]", ratio_2_hi AS "[hi]",
       n_1 AS "n [n]", n_2 AS "n there [n]"
FROM (
    SELECT *
    FROM flips
    WHERE verdict = 'supported' OR (ratio_1_lo > 1 AND ratio_2_lo > 1)
    ORDER BY verdict = 'supported' DESC, least(ratio_1, ratio_2) DESC NULLS LAST, metric, provider_a, provider_b, at_1, at_2
    LIMIT 100
)
ORDER BY verdict = 'supported' DESC, least(ratio_1, ratio_2) DESC NULLS LAST, metric, provider_a, provider_b, at_1, at_2
