-- Pairs of providers whose order differs between two models in one setting: the
-- 20 strongest of a setting, and the strongest of each two models, but for what
-- reads 1.0×. pairs is how many a metric has in all. A ratio says how many times
-- better the leader is. There may be millions, so no step sorts them all.
WITH each AS (
    SELECT metric, count(*) AS n,
           max_by(f, row(verdict = 'supported', least(ratio_1, ratio_2), leader_1, leader_2), 20) FILTER (least(ratio_1, ratio_2) >= 1.05) AS strongest
    FROM flips f
    WHERE axis = 'model' AND metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms')
    GROUP BY metric, scenario_1, concurrency_1, vantage, model_1, model_2
),
few AS (
    SELECT pairs, unnest(strongest) AS f, generate_subscripts(strongest, 1) AS place
    FROM (SELECT *, sum(n) OVER (PARTITION BY metric)::BIGINT AS pairs FROM each)
)
SELECT f.metric, f.model_1, f.model_2, f.scenario_1 AS scenario, f.concurrency_1 AS concurrency, f.vantage,
       f.leader_1, f.leader_2, f.ratio_1, f.ratio_1_lo, f.ratio_1_hi, f.ratio_2, f.ratio_2_lo, f.ratio_2_hi,
       f.n_1, f.n_2, f.n_windows_1, f.n_windows_2, f.decided_1, f.decided_2, f.evidence, f.verdict, pairs
FROM few
QUALIFY place = 1 OR row_number() OVER (
    PARTITION BY f.metric, f.scenario_1, f.concurrency_1, f.vantage
    ORDER BY row(f.verdict = 'supported', least(f.ratio_1, f.ratio_2), f.leader_1, f.leader_2, f.model_1, f.model_2) DESC) <= 20
ORDER BY ALL
