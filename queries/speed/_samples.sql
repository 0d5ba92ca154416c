-- _samples: one row per cell × metric: its values in ascending order
-- needs: results, metrics
-- key: provider, model, scenario, concurrency, vantage, params, metric
--
-- The values that every statistic of the metric is made of. Metrics are taken
-- over complete results, first-token metrics over all that got a token.
CREATE OR REPLACE VIEW _samples AS
WITH measured AS (
    SELECT
        provider, model, scenario, concurrency, vantage, params, window_key, attempted, complete, ttft_ms IS NOT NULL AS got_token,
        ttft_net_ms, ttft_ms, ttfat_ms, e2e_ms, tokens_per_s, chars_per_s, tpot_ms, output_per_e2e,
        max_stall_ms, gap_p99_ms, setup_ms, first_byte_ms, thinking_ms
    FROM results
    WHERE measured
),
cells AS (
    SELECT provider, model, scenario, concurrency, vantage, params, count(*) FILTER (attempted AND NOT complete) AS incomplete
    FROM measured
    GROUP BY ALL
),
long AS (
    UNPIVOT measured
    ON ttft_net_ms, ttft_ms, ttfat_ms, e2e_ms, tokens_per_s, chars_per_s, tpot_ms, output_per_e2e,
        max_stall_ms, gap_p99_ms, setup_ms, first_byte_ms, thinking_ms
    INTO NAME metric VALUE value
),
lists AS (
    SELECT
        l.provider, l.model, l.scenario, l.concurrency, l.vantage, l.params, l.metric,
        count(*) AS n,
        count(DISTINCT l.window_key) AS n_windows,
        count(*) FILTER (l.attempted AND NOT l.complete) AS n_incomplete,
        list_sort(list(l.value)) AS ascending
    FROM long l
    JOIN metrics m ON m.metric = l.metric
    WHERE l.complete OR m.population = 'first_token' AND l.got_token
    GROUP BY ALL
)
SELECT
    l.* EXCLUDE (n_incomplete, ascending),
    c.incomplete - l.n_incomplete AS n_failed,
    l.ascending
FROM lists l
JOIN cells c ON c.provider = l.provider AND c.model = l.model AND c.scenario = l.scenario
    AND c.concurrency IS NOT DISTINCT FROM l.concurrency AND c.vantage IS NOT DISTINCT FROM l.vantage AND c.params IS NOT DISTINCT FROM l.params;
