-- Places and levels of every provider on every model, by the measures that the
-- matrix can show.
SELECT metric, model, scenario, concurrency, vantage, provider, estimate, rank_lo, rank_hi
FROM ranks
WHERE metric IN ('ttft_net_ms', 'ttft_ms', 'ttft_net_p95_ms', 'e2e_ms', 'tokens_per_s', 'cost_per_useful_usd', 'answered_share')
ORDER BY ALL
