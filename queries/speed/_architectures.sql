-- _architectures: one row per scenario × concurrency × vantage × speed: ratios of providers that serve both kinds
-- needs: throughput
-- key: scenario, concurrency, vantage, metric
CREATE OR REPLACE VIEW _architectures AS
WITH long AS (
    UNPIVOT (SELECT provider, scenario, concurrency, vantage, architecture, o200k_per_s, chars_per_s, tokens_per_s
        FROM throughput WHERE architecture IN ('moe', 'dense'))
    ON o200k_per_s, chars_per_s, tokens_per_s
    INTO NAME metric VALUE value
),
providers AS (
    SELECT
        provider, scenario, concurrency, vantage, metric,
        count(*) FILTER (architecture = 'moe') AS moe_cells,
        count(*) FILTER (architecture = 'dense') AS dense_cells,
        quantile_cont(value, 0.5) FILTER (architecture = 'moe') AS moe,
        quantile_cont(value, 0.5) FILTER (architecture = 'dense') AS dense
    FROM long
    GROUP BY ALL
)
SELECT
    scenario, concurrency, vantage, metric,
    sum(moe_cells)::BIGINT AS moe_cells,
    sum(dense_cells)::BIGINT AS dense_cells,
    quantile_cont(moe, 0.5) AS moe,
    quantile_cont(dense, 0.5) AS dense,
    list_sort(list(moe / dense) FILTER (moe / dense IS NOT NULL)) AS ratios
FROM providers
GROUP BY ALL;
