-- title: What a useful answer cost
-- sub: All that a provider charged for a cell, failures and thinking included, divided by its useful answers; per 1,000 of them.
-- empty: No price is known: give one with --prices.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", concurrency AS "At a time [n]", useful AS "Useful [n]", requests AS "Requests [n]",
       1000 * cost_per_useful_usd AS "Per 1,000 useful [usd]", 1000 * cost_per_useful_lo_usd AS "[lo]", 1000 * cost_per_useful_hi_usd AS "[hi]",
       wasted_share AS "Spent on others [share]", price_coverage AS "Priced [share]", reported_ratio AS "Stated by the provider [ratio]", price_source AS "Price", warning AS "Note"
FROM costs
ORDER BY model, scenario, concurrency, cost_per_useful_usd NULLS LAST, provider, vantage, params
