-- Pairs of providers whose order differs between two models in one setting. A
-- ratio says how many times better the leader is.
SELECT metric, model_1, model_2, scenario_1 AS scenario, concurrency_1 AS concurrency, vantage,
       leader_1, leader_2, ratio_1, ratio_1_lo, ratio_1_hi, ratio_2, ratio_2_lo, ratio_2_hi, n_1, n_2, n_windows_1, n_windows_2,
       decided_1, decided_2, evidence, verdict
FROM flips
WHERE axis = 'model' AND metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms')
ORDER BY ALL
