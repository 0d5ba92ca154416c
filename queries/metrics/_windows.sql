-- _windows: one row per metric × cell × window: what everything that is compared is made of
-- needs: results, metrics
-- key: metric, model, scenario, concurrency, vantage, provider, params, window_key
--
-- Requests of one window share its weather, so windows are the unit of every
-- comparison. A window of a metric with values keeps them all; one of a ratio
-- of sums keeps both sums, as whole numbers.
CREATE OR REPLACE VIEW _windows AS
WITH measured AS (
    SELECT
        provider, model, scenario, concurrency, vantage, params, window_key, started_at,
        attempted, answered, complete, useful, cost_nanousd, ttft_ms IS NOT NULL AS got_token,
        output_tokens IS NOT NULL OR answered AS billable,
        ttft_net_ms, ttft_ms, ttfat_ms, e2e_ms, tokens_per_s, chars_per_s, tpot_ms, output_per_e2e,
        max_stall_ms, gap_p99_ms, setup_ms, first_byte_ms, thinking_ms
    FROM results
    WHERE measured
),
long AS (
    UNPIVOT measured
    ON ttft_net_ms, ttft_ms, ttfat_ms, e2e_ms, tokens_per_s, chars_per_s, tpot_ms, output_per_e2e,
        max_stall_ms, gap_p99_ms, setup_ms, first_byte_ms, thinking_ms
    INTO NAME source VALUE value
),
lists AS (
    SELECT
        m.metric, l.model, l.scenario, l.concurrency, l.vantage, l.provider, l.params, l.window_key,
        min(l.started_at) AS started_at,
        list_sort(list(l.value)) AS ascending
    FROM long l
    JOIN metrics m ON m.source = l.source
    WHERE l.complete OR m.population = 'first_token' AND l.got_token
    GROUP BY ALL
),
counts AS (
    SELECT
        model, scenario, concurrency, vantage, provider, params, window_key,
        min(started_at) AS started_at,
        count(*) FILTER (attempted) AS attempts,
        count(*) FILTER (attempted AND answered) AS answered,
        count(*) FILTER (useful) AS useful,
        count(*) FILTER (billable) AS billable,
        count(cost_nanousd) AS priced,
        sum(cost_nanousd)::BIGINT AS nanousd
    FROM measured
    GROUP BY ALL
),
-- A cell with an unknown price has no cost, rather than a low one.
priced AS (
    SELECT *,
        sum(priced) OVER cell = sum(billable) OVER cell AND sum(priced) OVER cell > 0 AS known
    FROM counts
    WINDOW cell AS (PARTITION BY model, scenario, concurrency, vantage, provider, params)
),
sums AS (
    SELECT 'answered_share' AS metric, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
        answered AS num, attempts AS den, 1.0::DOUBLE AS per
    FROM counts WHERE attempts > 0
    UNION ALL
    SELECT 'useful_share', model, scenario, concurrency, vantage, provider, params, window_key, started_at,
        useful, attempts, 1
    FROM counts WHERE attempts > 0
    UNION ALL
    SELECT 'cost_per_useful_usd', model, scenario, concurrency, vantage, provider, params, window_key, started_at,
        coalesce(nanousd, 0), useful, 1e9
    FROM priced WHERE known
)
SELECT
    metric, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
    len(ascending)::BIGINT AS n, ascending, NULL::BIGINT AS num, NULL::BIGINT AS den, NULL::DOUBLE AS per
FROM lists
UNION ALL
SELECT
    metric, model, scenario, concurrency, vantage, provider, params, window_key, started_at,
    den, NULL, num, den, per
FROM sums;
