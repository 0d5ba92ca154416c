-- Pairs of providers whose order differs between two models in one setting: the
-- 20 strongest of a setting, and the strongest of each two models, but for what
-- reads 1.0×. pairs is how many a metric has in all. A ratio says how many times
-- better the leader is.
SELECT metric, model_1, model_2, scenario_1 AS scenario, concurrency_1 AS concurrency, vantage,
       leader_1, leader_2, ratio_1, ratio_1_lo, ratio_1_hi, ratio_2, ratio_2_lo, ratio_2_hi, n_1, n_2, n_windows_1, n_windows_2,
       decided_1, decided_2, evidence, verdict, count(*) OVER (PARTITION BY metric) AS pairs
FROM flips
WHERE axis = 'model' AND metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms')
QUALIFY least(ratio_1, ratio_2) >= 1.05 AND (
        row_number() OVER (PARTITION BY metric, scenario, concurrency, vantage
                           ORDER BY verdict = 'supported' DESC, least(ratio_1, ratio_2) DESC NULLS LAST, leader_1, leader_2, model_1, model_2) <= 20
     OR row_number() OVER (PARTITION BY metric, scenario, concurrency, vantage, model_1, model_2
                           ORDER BY verdict = 'supported' DESC, least(ratio_1, ratio_2) DESC NULLS LAST, leader_1, leader_2) = 1)
ORDER BY ALL
