-- _contests: one row per contest × metric × provider: the estimate that orders providers
-- needs: _windows, _statistics, metrics
-- key: model, scenario, concurrency, vantage, metric, provider
-- stored: metrics
--
-- Over all windows, whether other providers were there or not. Cells that differ
-- in declared parameters alone are taken together; configurations counts them.
CREATE OR REPLACE VIEW _contests AS
WITH pooled AS (
    SELECT
        contest_id, model, scenario, concurrency, vantage, metric, provider,
        count(DISTINCT window_key) AS n_windows,
        count(DISTINCT coalesce(params, '')) AS configurations,
        sum(n)::BIGINT AS n,
        list_sort(flatten(list(ascending))) AS ascending,
        sum(num)::BIGINT / nullif(sum(den)::BIGINT, 0) / any_value(per) AS ratio
    FROM _windows
    GROUP BY ALL
)
SELECT
    p.contest_id, p.model, p.scenario, p.concurrency, p.vantage, p.metric, p.provider, p.n, p.n_windows, p.configurations,
    CASE m.statistic
        WHEN 'p50' THEN _quantile(p.ascending, 0.5)
        WHEN 'p95' THEN _quantile(p.ascending, 0.95)
        WHEN 'spread' THEN _quantile(p.ascending, 0.95) - _quantile(p.ascending, 0.5)
        ELSE p.ratio
    END AS estimate,
    m.better
FROM pooled p
JOIN metrics m ON m.metric = p.metric;
