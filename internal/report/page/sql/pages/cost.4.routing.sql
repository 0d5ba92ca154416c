-- title: What routing would have cost
-- sub: A default model that hands over to another where a check fails, over prompts that both were given.
-- empty: No two targets answered the same checked prompts.
SELECT workload AS "Workload", default_provider || ' · ' || default_model AS "Default", escalate_provider || ' · ' || escalate_model AS "Hands over to", prompts AS "Prompts [n]",
       escalated_share AS "Handed over [share]", useful_share AS "Useful [share]", 1000 * cost_per_useful_usd AS "Per 1,000 useful [usd]", 1000 * always_cost_per_useful_usd AS "Always the second [usd]",
       saving_share AS "Saved [share]", p50_ms AS "Typical [ms]", p95_ms AS "Slow [ms]", warning AS "Note"
FROM routing
ORDER BY workload, cost_per_useful_usd NULLS LAST, default_provider, default_model, escalate_provider, escalate_model
LIMIT 100
