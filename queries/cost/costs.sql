-- costs: one row per cell
-- tells: what a useful answer cost
-- example: SELECT provider, model, scenario, useful, cost_per_useful_usd, cost_per_useful_lo_usd, cost_per_useful_hi_usd, price_coverage FROM costs ORDER BY model, scenario, cost_per_useful_usd
-- needs: results, _cell_costs, _ratios
-- key: provider, model, scenario, concurrency, vantage, params
--
-- All spend of a cell, failures and thinking included, over what came of it.
-- Sums run over whole nano-dollars, so that no order of rows changes a digit.
CREATE OR REPLACE VIEW costs AS
WITH sums AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params, of,
        sum(requests)::BIGINT AS requests, count(*) AS n_windows,
        sum(charged)::BIGINT AS charged, sum(free)::BIGINT AS free, sum(uncertain)::BIGINT AS uncertain,
        sum(unpriced)::BIGINT AS unpriced, sum(undated)::BIGINT AS undated,
        sum(useful)::BIGINT AS useful, sum(unjudged)::BIGINT AS unjudged, sum(judged)::BIGINT AS judged,
        sum(low)::BIGINT AS low, sum(high)::BIGINT AS high,
        sum(wasted_low)::BIGINT AS wasted_low, sum(wasted_high)::BIGINT AS wasted_high,
        sum(reported)::BIGINT AS reported, sum(reported_nanousd)::BIGINT AS reported_nanousd,
        sum(both_here)::BIGINT AS both_here, sum(both_elsewhere)::BIGINT AS both_elsewhere,
        max(price_table_of) AS price_table_of, max(last_at) AS last_at,
        sum(both_reported)::BIGINT AS both_reported, sum(both_ours)::BIGINT AS both_ours
    FROM _cell_costs
    GROUP BY ALL
),
sources AS (
    SELECT
        cell_id,
        -- No useful answer costs less than the cheapest one, which bounds the mean.
        min(cost_usd) FILTER (useful OR useful IS NULL AND as_planned) AS cheapest_usd,
        count(DISTINCT price_source) AS prices,
        string_agg(DISTINCT price_source, '; ' ORDER BY price_source) AS price_source,
        string_agg(DISTINCT price_note, '; ' ORDER BY price_note) AS price_notes
    FROM results
    WHERE measured
    GROUP BY ALL
)
SELECT
    s.cell_id, s.provider, s.model, s.scenario, s.concurrency, s.vantage, s.params,
    s.requests,
    CASE WHEN s.charged > s.unpriced OR s.charged = 0 THEN s.low / 1e9 END AS spend_low_usd,
    CASE WHEN s.charged > s.unpriced OR s.charged = 0 THEN s.high / 1e9 END AS spend_high_usd,
    s.free, s.uncertain,
    CASE WHEN s.judged > 0 THEN 'useful' ELSE 'completed' END AS basis,
    s.useful,
    CASE WHEN s.unpriced = 0 THEN s.high / 1e9 / nullif(s.useful, 0) END AS cost_per_useful_usd,
    CASE WHEN l.lo IS NOT NULL THEN greatest(l.lo / 1e9, least(p.cheapest_usd, s.low / 1e9 / nullif(s.useful, 0))) END AS cost_per_useful_lo_usd,
    h.hi / 1e9 AS cost_per_useful_hi_usd,
    CASE WHEN s.unpriced = 0 THEN s.low / 1e9 / nullif(s.useful, 0) END AS cost_per_useful_low_usd,
    CASE WHEN s.unpriced = 0 THEN s.wasted_low / 1e9 END AS wasted_low_usd,
    CASE WHEN s.unpriced = 0 THEN s.wasted_high / 1e9 END AS wasted_high_usd,
    CASE WHEN s.unpriced = 0 THEN s.wasted_high / nullif(s.high, 0) END AS wasted_share,
    (s.charged - s.unpriced) / nullif(s.charged, 0) AS price_coverage,
    s.reported_nanousd / 1e9 AS reported_cost_usd,
    s.reported AS reported_requests,
    s.both_reported / nullif(s.both_ours, 0) AS reported_ratio,
    p.prices, p.price_source, s.undated, p.price_notes,
    s.price_table_of, CASE WHEN s.last_at::DATE > s.price_table_of THEN s.last_at::DATE - s.price_table_of ELSE 0 * (s.price_table_of - s.price_table_of) END AS price_age_days,
    s.both_elsewhere / nullif(s.both_here, 0) AS other_table_ratio,
    s.n_windows,
    nullif(concat_ws('; ',
        CASE WHEN s.requests < 25 THEN 'fewer than 25 requests' END,
        CASE WHEN s.charged > 0 AND s.unpriced = s.charged THEN 'price unknown'
            WHEN s.unpriced > 0 THEN 'price unknown for ' || s.unpriced || ' of ' || s.charged || ' requests' END,
        CASE WHEN s.undated > 0 THEN 'undated: the price may not have held at the time of ' || s.undated || ' requests' END,
        CASE WHEN abs(s.both_elsewhere / nullif(s.both_here, 0) - 1) > 0.05 THEN 'the project''s own price table says ' || round(100.0 * s.both_elsewhere / s.both_here)::INTEGER || ' % of it' END,
        CASE WHEN p.price_notes LIKE '%lower bound%' THEN 'a lower bound: something is billed that has no price here' END,
        CASE WHEN p.prices > 1 THEN p.prices || ' prices held while it was recorded' END,
        CASE WHEN s.uncertain > 0 THEN 'billing unknown for ' || s.uncertain || ' failures' END,
        CASE WHEN s.unjudged > 0 THEN s.unjudged || ' answers could not be judged' END,
        CASE WHEN s.unpriced = 0 AND s.useful > 0 AND s.n_windows < 6 THEN 'interval from fewer than 6 windows' END,
        CASE WHEN abs(s.both_reported / nullif(s.both_ours, 0) - 1) > 0.01 THEN 'the provider states another cost' END), '') AS warning
FROM sums s
JOIN sources p ON p.cell_id = s.cell_id
LEFT JOIN _ratios l ON l.ratio = 'cost_low' AND l.of = s.of AND s.unpriced = 0
LEFT JOIN _ratios h ON h.ratio = 'cost_high' AND h.of = s.of AND s.unpriced = 0;

COMMENT ON VIEW costs IS 'one row per cell: what it cost, and what a useful result cost';
COMMENT ON COLUMN costs.provider IS 'cell: who serves the model';
COMMENT ON COLUMN costs.model IS 'cell: canonical model';
COMMENT ON COLUMN costs.scenario IS 'cell: scenario of the plan, or the slice of an import';
COMMENT ON COLUMN costs.concurrency IS 'cell: streams kept open';
COMMENT ON COLUMN costs.vantage IS 'cell: where the client stood';
COMMENT ON COLUMN costs.params IS 'cell: parameters that the plan declares (JSON)';
COMMENT ON COLUMN costs.requests IS 'measured requests';
COMMENT ON COLUMN costs.spend_low_usd IS 'US dollars, if failures of unknown billing cost nothing; over the requests whose price is known';
COMMENT ON COLUMN costs.spend_high_usd IS 'US dollars, if such failures are charged for their input and for what had arrived';
COMMENT ON COLUMN costs.free IS 'requests that cost nothing: refused, or never sent';
COMMENT ON COLUMN costs.uncertain IS 'failures of unknown billing: they broke while being answered';
COMMENT ON COLUMN costs.basis IS 'useful: checks or scores decide; completed: there are none, so complete as planned must do';
COMMENT ON COLUMN costs.useful IS 'useful results';
COMMENT ON COLUMN costs.cost_per_useful_usd IS 'US dollars: all spend of the cell (the high one), failures and thinking included, per useful result; lower is better; NULL where a price is unknown or nothing is useful';
COMMENT ON COLUMN costs.cost_per_useful_lo_usd IS 'lower end of its interval at 95 %, with the low spend: of conditions like those recorded, over windows (Fieller, Student around the logarithm, and Hall together); never below the cheapest useful answer';
COMMENT ON COLUMN costs.cost_per_useful_hi_usd IS 'upper end, with the high spend; NULL where so few results were useful that nothing bounds it, or there is one window';
COMMENT ON COLUMN costs.cost_per_useful_low_usd IS 'the same as cost_per_useful_usd with the low spend';
COMMENT ON COLUMN costs.wasted_low_usd IS 'US dollars of the low spend that went into results that are not useful';
COMMENT ON COLUMN costs.wasted_high_usd IS 'US dollars of the high spend that did';
COMMENT ON COLUMN costs.wasted_share IS 'wasted_high_usd ÷ spend_high_usd, 0 to 1';
COMMENT ON COLUMN costs.price_coverage IS 'share of the requests that may cost something whose price is known, 0 to 1';
COMMENT ON COLUMN costs.reported_cost_usd IS 'US dollars that the provider itself states';
COMMENT ON COLUMN costs.reported_requests IS 'requests for which it does';
COMMENT ON COLUMN costs.reported_ratio IS 'the provider''s own cost ÷ ours, over the requests that have both; 1 where they agree';
COMMENT ON COLUMN costs.price_table_of IS 'day on which the price table was true, as it says itself';
COMMENT ON COLUMN costs.price_age_days IS 'days from then to the cell''s last request; 0 where that came before';
COMMENT ON COLUMN costs.other_table_ratio IS 'the same requests by the project''s own price table ÷ by the one in force; NULL where there is one table';
COMMENT ON COLUMN costs.prices IS 'prices that were used: more than one where a price changed, or tiers or hours differ';
COMMENT ON COLUMN costs.price_source IS 'where they are from';
COMMENT ON COLUMN costs.undated IS 'requests whose price may not have held at their time';
COMMENT ON COLUMN costs.price_notes IS 'what stands in for what in the cost, or why there is none';
COMMENT ON COLUMN costs.n_windows IS 'windows that the requests come from';
COMMENT ON COLUMN costs.warning IS 'what to know before using the row; NULL where nothing';
