-- architectures: one row per scenario × concurrency × vantage × speed
-- tells: whether mixtures of experts are faster than dense models
-- example: SELECT scenario, metric, moe, dense, ratio, ratio_lo, ratio_hi FROM architectures ORDER BY scenario, metric
-- needs: _architectures, _median_ranks, _statistics
-- key: scenario, concurrency, vantage, metric
CREATE OR REPLACE VIEW architectures AS
SELECT
    a.scenario, a.concurrency, a.vantage, a.metric,
    a.moe_cells, a.dense_cells, a.moe, a.dense,
    coalesce(len(a.ratios), 0) AS providers,
    _quantile(a.ratios, 0.5) AS ratio, a.ratios[r.lo] AS ratio_lo, a.ratios[r.hi] AS ratio_hi,
    nullif(concat_ws('; ',
        CASE WHEN a.ratios IS NULL THEN 'no provider serves both kinds: other providers are compared, not architectures'
            WHEN len(a.ratios) < 6 THEN 'fewer than six providers serve both kinds: no interval' END,
        CASE WHEN a.metric = 'tokens_per_s' THEN 'each model has tokens of its own' END), '') AS warning
FROM _architectures a
LEFT JOIN _median_ranks r ON r.n = len(a.ratios);

COMMENT ON VIEW architectures IS 'one row per scenario × concurrency × vantage × speed: mixture-of-experts against dense models, where declared. The models differ in size and hardware, too: it says what is, not why';
COMMENT ON COLUMN architectures.scenario IS 'scenario of the plan';
COMMENT ON COLUMN architectures.concurrency IS 'streams that the plan keeps open';
COMMENT ON COLUMN architectures.vantage IS 'where the client stood';
COMMENT ON COLUMN architectures.metric IS 'o200k_per_s, chars_per_s (both comparable across models) or tokens_per_s (not)';
COMMENT ON COLUMN architectures.moe_cells IS 'cells of mixture-of-experts models with a speed';
COMMENT ON COLUMN architectures.dense_cells IS 'cells of dense models with a speed';
COMMENT ON COLUMN architectures.moe IS 'median over providers of the median of their mixture-of-experts cells, per second';
COMMENT ON COLUMN architectures.dense IS 'median over providers of the median of their dense cells, per second';
COMMENT ON COLUMN architectures.providers IS 'providers that serve both kinds';
COMMENT ON COLUMN architectures.ratio IS 'mixture-of-experts ÷ dense at one provider, median over those providers';
COMMENT ON COLUMN architectures.ratio_lo IS 'lower end of its interval at 95 %; providers are the units, and it needs six';
COMMENT ON COLUMN architectures.ratio_hi IS 'upper end of its interval';
COMMENT ON COLUMN architectures.warning IS 'what to mind; NULL where nothing';
