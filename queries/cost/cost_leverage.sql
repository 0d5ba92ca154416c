-- cost_leverage: one row per dataset
-- tells: whether the choice of model or of provider decides the bill
-- example: SELECT provider_ratio, model_ratio, leverage, leverage_lo, leverage_hi, warning FROM cost_leverage
-- needs: _offers, _cell_costs, _window_draws
-- key: scenarios
--
-- What is worth more attention, the choice of the provider or that of the
-- model? Two offers that differ in one of the two only stand in a ratio of
-- prices, 1 or more; the medians of both kinds of ratio answer. Both are taken
-- over the same offers.
CREATE OR REPLACE VIEW cost_leverage AS
WITH offers AS ( -- replicate 0 is the estimate, the others are windows drawn anew
    SELECT
        o.among, d.replicate, d.tail, o.scenario, o.provider, o.model,
        sum(c.high * d.draws)::BIGINT / nullif(sum(c.useful * d.draws)::BIGINT, 0) AS price
    FROM _offers o
    JOIN _cell_costs c ON c.scenario = o.scenario AND c.provider = o.provider AND c.model = o.model
    JOIN _window_draws d ON d.window_key = c.window_key
    GROUP BY ALL
    HAVING price > 0
),
pairs AS (
    SELECT a.among, a.replicate, a.tail, 'provider' AS choice, greatest(a.price / b.price, b.price / a.price) AS ratio
    FROM offers a
    JOIN offers b ON b.among = a.among AND b.replicate = a.replicate AND b.scenario = a.scenario AND b.model = a.model AND b.provider > a.provider
    UNION ALL
    SELECT a.among, a.replicate, a.tail, 'model', greatest(a.price / b.price, b.price / a.price)
    FROM offers a
    JOIN offers b ON b.among = a.among AND b.replicate = a.replicate AND b.scenario = a.scenario AND b.provider = a.provider AND b.model > a.model
),
medians AS (
    SELECT
        among, replicate, tail,
        quantile_cont(ratio, 0.5) FILTER (choice = 'provider') AS provider, count(*) FILTER (choice = 'provider') AS provider_pairs,
        quantile_cont(ratio, 0.5) FILTER (choice = 'model') AS model, count(*) FILTER (choice = 'model') AS model_pairs,
        max(ratio) FILTER (choice = 'provider') AS provider_max,
        max(ratio) FILTER (choice = 'model') AS model_max
    FROM pairs
    GROUP BY ALL
),
drawn AS ( -- an end is the same quantile of the replicates for all, since the tail is one number
    SELECT
        among,
        list_sort(list(provider) FILTER (provider IS NOT NULL)) AS provider,
        list_sort(list(model) FILTER (model IS NOT NULL)) AS model,
        list_sort(list(model / provider) FILTER (model / provider IS NOT NULL)) AS leverage,
        any_value(tail) AS tail
    FROM medians
    WHERE replicate > 0
    GROUP BY among
),
ends AS (
    SELECT
        among,
        provider[1 + floor((len(provider) - 1) * tail)::BIGINT] AS provider_lo, provider[len(provider) - floor((len(provider) - 1) * tail)::BIGINT] AS provider_hi,
        model[1 + floor((len(model) - 1) * tail)::BIGINT] AS model_lo, model[len(model) - floor((len(model) - 1) * tail)::BIGINT] AS model_hi,
        leverage[1 + floor((len(leverage) - 1) * tail)::BIGINT] AS leverage_lo, leverage[len(leverage) - floor((len(leverage) - 1) * tail)::BIGINT] AS leverage_hi
    FROM drawn
),
rows AS (
    SELECT m.*, m.model / m.provider AS leverage, e.* EXCLUDE (among)
    FROM medians m LEFT JOIN ends e ON e.among = m.among
    WHERE m.replicate = 0
)
SELECT
    (SELECT count(DISTINCT scenario) FROM _offers WHERE among = 'all') AS scenarios,
    (SELECT count(DISTINCT provider) FROM _offers WHERE among = 'all') AS providers,
    (SELECT count(DISTINCT model) FROM _offers WHERE among = 'all') AS models,
    a.provider AS provider_ratio, a.provider_lo AS provider_ratio_lo, a.provider_hi AS provider_ratio_hi, a.provider_max AS provider_ratio_max,
    coalesce(a.provider_pairs, 0) AS provider_pairs,
    a.model AS model_ratio, a.model_lo AS model_ratio_lo, a.model_hi AS model_ratio_hi, a.model_max AS model_ratio_max,
    coalesce(a.model_pairs, 0) AS model_pairs,
    a.leverage, a.leverage_lo, a.leverage_hi,
    p.provider AS passing_provider_ratio, p.provider_lo AS passing_provider_ratio_lo, p.provider_hi AS passing_provider_ratio_hi,
    coalesce(p.provider_pairs, 0) AS passing_provider_pairs,
    p.model AS passing_model_ratio, p.model_lo AS passing_model_ratio_lo, p.model_hi AS passing_model_ratio_hi,
    coalesce(p.model_pairs, 0) AS passing_model_pairs,
    p.leverage AS passing_leverage, p.leverage_lo AS passing_leverage_lo, p.leverage_hi AS passing_leverage_hi,
    nullif(concat_ws('; ',
        CASE WHEN a.leverage IS NULL THEN 'no two models with known prices are served by the same two providers' END,
        CASE WHEN a.provider_pairs < 3 OR a.model_pairs < 3 THEN 'fewer than three pairs of a kind' END,
        CASE WHEN a.leverage IS NOT NULL AND a.leverage_lo IS NULL THEN 'fewer than 6 windows: no interval' END), '') AS warning
FROM (SELECT 1)
LEFT JOIN rows a ON a.among = 'all'
LEFT JOIN rows p ON p.among = 'passing';

COMMENT ON VIEW cost_leverage IS 'one row for the dataset: how much the choice of the provider moves the price of a useful result, and how much the choice of the model. Ratios are 1 or more, over offers (provider × model × scenario) of models that two providers serve, at providers that serve two of these models';
COMMENT ON COLUMN cost_leverage.scenarios IS 'scenarios compared in; offers are compared within one only';
COMMENT ON COLUMN cost_leverage.providers IS 'providers compared';
COMMENT ON COLUMN cost_leverage.models IS 'models compared';
COMMENT ON COLUMN cost_leverage.provider_ratio IS 'median price ratio between two providers of one model';
COMMENT ON COLUMN cost_leverage.provider_ratio_lo IS 'lower end of its interval at 95 % (bootstrap of windows, for these providers and models); NULL under 6 windows';
COMMENT ON COLUMN cost_leverage.provider_ratio_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.provider_ratio_max IS 'largest of these ratios';
COMMENT ON COLUMN cost_leverage.provider_pairs IS 'pairs of providers of one model';
COMMENT ON COLUMN cost_leverage.model_ratio IS 'median price ratio between two models at one provider';
COMMENT ON COLUMN cost_leverage.model_ratio_lo IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.model_ratio_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.model_ratio_max IS 'largest of these ratios';
COMMENT ON COLUMN cost_leverage.model_pairs IS 'pairs of models at one provider';
COMMENT ON COLUMN cost_leverage.leverage IS 'model_ratio ÷ provider_ratio: over 1 where the choice of the model matters more';
COMMENT ON COLUMN cost_leverage.leverage_lo IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.leverage_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.passing_provider_ratio IS 'provider_ratio among offers that pass the same checks: at 95 % confidence four of five attempts at least are useful';
COMMENT ON COLUMN cost_leverage.passing_provider_ratio_lo IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.passing_provider_ratio_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.passing_provider_pairs IS 'pairs that it is over';
COMMENT ON COLUMN cost_leverage.passing_model_ratio IS 'model_ratio among offers that pass the same checks';
COMMENT ON COLUMN cost_leverage.passing_model_ratio_lo IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.passing_model_ratio_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.passing_model_pairs IS 'pairs that it is over';
COMMENT ON COLUMN cost_leverage.passing_leverage IS 'passing_model_ratio ÷ passing_provider_ratio';
COMMENT ON COLUMN cost_leverage.passing_leverage_lo IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.passing_leverage_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN cost_leverage.warning IS 'what to know before using the row; NULL where nothing';
