-- _contests: one row per contest × metric × provider: what providers are compared by
-- needs: _samples, _statistics, metrics
-- key: model, scenario, concurrency, vantage, metric, provider
CREATE OR REPLACE VIEW _contests AS
WITH pooled AS (
    SELECT model, scenario, concurrency, vantage, metric, provider, sum(n)::BIGINT AS n, list_sort(flatten(list(ascending))) AS ascending
    FROM _samples
    GROUP BY ALL
)
SELECT
    p.model, p.scenario, p.concurrency, p.vantage, p.metric, p.provider, p.n,
    _quantile(p.ascending, 0.5) AS estimate,
    m.better
FROM pooled p
JOIN metrics m ON m.metric = p.metric;
