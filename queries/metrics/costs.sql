-- costs: one row per cell
-- needs: results
-- key: provider, model, scenario, concurrency, vantage, params
CREATE OR REPLACE VIEW costs AS
WITH sums AS (
    SELECT
        provider, model, scenario, concurrency, vantage, params,
        count(*) AS requests,
        count(cost_nanousd) AS priced,
        count(*) FILTER (output_tokens IS NOT NULL OR answered) AS billable,
        count(*) FILTER (useful) AS useful,
        sum(cost_nanousd) FILTER (answered)::BIGINT AS low,
        sum(cost_nanousd)::BIGINT AS high,
        count(reported_cost_usd) AS reported,
        sum(round(reported_cost_usd * 1e9)::BIGINT)::BIGINT AS reported_nanousd,
        string_agg(DISTINCT price_source, '; ' ORDER BY price_source) AS price_source,
        bool_and(check_failures IS NULL AND score IS NULL) AS unchecked
    FROM results
    WHERE measured
    GROUP BY ALL
)
SELECT
    provider, model, scenario, concurrency, vantage, params,
    requests,
    low / 1e9 AS spend_low_usd,
    high / 1e9 AS spend_high_usd,
    CASE WHEN unchecked THEN 'completed' ELSE 'useful' END AS basis,
    useful,
    CASE WHEN priced = billable THEN high / 1e9 / nullif(useful, 0) END AS cost_per_useful_usd,
    priced / nullif(billable, 0) AS price_coverage,
    reported_nanousd / 1e9 AS reported_cost_usd,
    reported AS reported_requests,
    price_source
FROM sums;

COMMENT ON VIEW costs IS 'one row per cell: what it cost, and what a useful result cost';
COMMENT ON COLUMN costs.requests IS 'measured requests';
COMMENT ON COLUMN costs.spend_low_usd IS 'US dollars, if failed requests are not billed';
COMMENT ON COLUMN costs.spend_high_usd IS 'US dollars, if failed requests are billed for what was used';
COMMENT ON COLUMN costs.basis IS 'useful: checks or scores decide; completed: there are none, so complete as planned must do';
COMMENT ON COLUMN costs.useful IS 'useful results';
COMMENT ON COLUMN costs.cost_per_useful_usd IS 'US dollars: all spend of the cell, failures and thinking included, per useful result; lower is better; NULL where a price is unknown';
COMMENT ON COLUMN costs.price_coverage IS 'share of the requests with a known price, 0 to 1';
COMMENT ON COLUMN costs.reported_cost_usd IS 'US dollars that the provider itself states';
COMMENT ON COLUMN costs.reported_requests IS 'requests for which it does';
COMMENT ON COLUMN costs.price_source IS 'where the prices are from';
