-- One row per provider of a contest (model, scenario, concurrency, vantage), its
-- declared parameters and time metric: how long it takes (milliseconds), its
-- rank, what a useful result costs (US dollars) and its rank by that, how often
-- it answers, and how much of it is useful.
SELECT a.model, a.scenario, a.concurrency, a.vantage, a.provider, a.params, l.metric,
       r.rank_lo, r.rank_hi,
       l.n, l.n_windows, l.n_failed,
       l.p50, l.p50_lo, l.p50_hi, l.p95, l.p95_lo, l.p95_hi, l.p99, l.p95_all,
       c.cost_per_useful_usd, c.cost_per_useful_lo_usd, c.cost_per_useful_hi_usd, c.wasted_high_usd, c.wasted_share, c.warning AS cost_warning,
       k.rank_lo AS cost_rank_lo, k.rank_hi AS cost_rank_hi,
       c.useful, c.basis, c.useful / nullif(a.attempts, 0) AS useful_share,
       a.requests, a.attempts, a.answered, a.share, a.share_lo, a.share_hi, a.servable
FROM availability a
LEFT JOIN latency l ON l.cell_id = a.cell_id AND l.metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms')
LEFT JOIN ranks r ON r.contest_id = a.contest_id AND r.provider = a.provider AND r.metric = l.metric
LEFT JOIN ranks k ON k.contest_id = a.contest_id AND k.provider = a.provider AND k.metric = 'cost_per_useful_usd'
LEFT JOIN costs c ON c.cell_id = a.cell_id
ORDER BY ALL
