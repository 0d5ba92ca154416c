-- _cell_costs: one row per cell × window: what was spent for what came of it
-- needs: results, _spend
-- key: of, window_key
--
-- low: failures whose billing is not known cost nothing; high: they are charged
-- for their input and for what had arrived. All that is said of spend is a sum of
-- these rows: costs, ranks and flips, the audit.
CREATE OR REPLACE VIEW _cell_costs AS
SELECT
    to_json([provider, model, scenario, concurrency::VARCHAR, vantage, params])::VARCHAR AS of,
    cell_id, contest_id, provider, model, scenario, concurrency, vantage, params, window_key,
    min(started_at) AS started_at,
    count(*) AS requests,
    count(*) FILTER (billing <> 'free') AS charged,
    count(*) FILTER (billing = 'free') AS free,
    count(*) FILTER (billing = 'unknown') AS uncertain,
    count(*) FILTER (_spend(billing, cost_nanousd) IS NULL) AS unpriced,
    count(*) FILTER (billing <> 'free' AND cost_nanousd IS NOT NULL AND price_undated) AS undated,
    count(*) FILTER (billing <> 'free' AND other_nanousd IS NOT NULL) AS twice_priced,
    sum(cost_nanousd) FILTER (billing <> 'free' AND other_nanousd IS NOT NULL)::BIGINT AS both_here,
    sum(other_nanousd) FILTER (billing <> 'free')::BIGINT AS both_elsewhere,
    max(price_table_of) AS price_table_of, max(started_at) AS last_at,
    count(*) FILTER (useful) AS useful,
    count(*) FILTER (useful IS NULL) AS unjudged,
    count(*) FILTER (attempted) AS attempts,
    count(*) FILTER (check_failures + checks_passed + coalesce(checks_unjudged, 0) > 0 OR score IS NOT NULL) AS judged,
    coalesce(sum(cost_nanousd) FILTER (billing = 'billed'), 0)::BIGINT AS low,
    coalesce(sum(_spend(billing, cost_nanousd)), 0)::BIGINT AS high,
    coalesce(sum(cost_nanousd) FILTER (billing = 'billed' AND NOT useful), 0)::BIGINT AS wasted_low,
    coalesce(sum(_spend(billing, cost_nanousd)) FILTER (NOT useful), 0)::BIGINT AS wasted_high,
    count(reported_cost_usd) AS reported,
    sum(round(reported_cost_usd * 1e9)::BIGINT)::BIGINT AS reported_nanousd,
    -- Ours and the provider's own, over the requests that have both.
    sum(round(reported_cost_usd * 1e9)::BIGINT) FILTER (cost_nanousd IS NOT NULL)::BIGINT AS both_reported,
    sum(cost_nanousd) FILTER (reported_cost_usd IS NOT NULL)::BIGINT AS both_ours
FROM results
WHERE measured
GROUP BY cell_id, contest_id, provider, model, scenario, concurrency, vantage, params, window_key;
