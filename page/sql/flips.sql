-- Pairs of providers whose order differs between two models. A ratio above one
-- says that provider_a takes longer.
SELECT metric, provider_a, provider_b, at_1, at_2, ratio_1, ratio_1_lo, ratio_1_hi, ratio_2, ratio_2_lo, ratio_2_hi,
       n_1, n_2, evidence, verdict
FROM flips
WHERE axis = 'model' AND metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms')
ORDER BY ALL
