-- Whether one provider is best on every model: one row per metric and scenario.
SELECT metric, scenario, coalesce(claim, '') AS claim, models, candidates,
       coalesce(provider, '') AS provider, coalesce(champion_models, 0) AS champion_models, coalesce(unbeaten_providers, '') AS unbeaten_providers
FROM champions
WHERE models > 1 AND metric IN ('ttft_net_ms', 'ttft_ms', 'e2e_ms', 'cost_per_useful_usd')
ORDER BY ALL
