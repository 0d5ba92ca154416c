-- _cold: one row per target × scenario with cold starts: the values that its statistics are made of
-- needs: _cold_starts, _statistics
-- key: provider, model, scenario, concurrency, vantage, params
--
-- Penalties are paired within a start. From six windows on a window counts once,
-- with the median of its starts.
CREATE OR REPLACE VIEW _cold AS
WITH windows AS (
    SELECT
        cell_id, window_key,
        count(cold_ms - warm_ms) AS pairs,
        list_sort(list(cold_ms - warm_ms) FILTER (cold_ms - warm_ms IS NOT NULL)) AS penalties,
        list_sort(list(cold_ms / warm_ms) FILTER (cold_ms / warm_ms IS NOT NULL)) AS ratios
    FROM _cold_starts
    GROUP BY ALL
),
units AS (
    SELECT
        cell_id,
        count(*) FILTER (pairs > 0) >= 6 AS by_window,
        sum(pairs)::BIGINT AS pairs,
        count(*) FILTER (pairs > 0) AS pair_windows,
        list_sort(list(_quantile(penalties, 0.5)) FILTER (pairs > 0)) AS window_penalties,
        list_sort(list(_quantile(ratios, 0.5)) FILTER (pairs > 0)) AS window_ratios,
        list_sort(flatten(list(penalties) FILTER (pairs > 0))) AS penalties,
        list_sort(flatten(list(ratios) FILTER (pairs > 0))) AS ratios
    FROM windows
    GROUP BY ALL
),
starts AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params,
        count(*) AS starts,
        count(DISTINCT window_key) AS n_windows,
        sum(failed)::BIGINT AS failed,
        sum(warm_failed)::BIGINT AS warm_failed,
        list_sort(list(idle_ms) FILTER (idle_ms IS NOT NULL)) AS idle,
        list_sort(list(cold_ms) FILTER (cold_ms IS NOT NULL)) AS cold,
        list_sort(list(warm_ms) FILTER (warm_ms IS NOT NULL)) AS warm,
        list_sort(list(second_ms) FILTER (second_ms IS NOT NULL)) AS second,
        list_sort(list(third_ms) FILTER (third_ms IS NOT NULL)) AS third,
        list_sort(list(fourth_ms) FILTER (fourth_ms IS NOT NULL)) AS fourth,
        count(*) FILTER (cold_ms > 1.1 * warm_ms AND cold_ms > warm_ms + 50) AS slow
    FROM _cold_starts
    GROUP BY ALL
)
SELECT
    s.*,
    u.pairs,
    CASE WHEN u.by_window THEN 'windows' WHEN u.pairs > 0 THEN 'within' ELSE 'none' END AS evidence,
    CASE WHEN u.by_window THEN u.window_penalties ELSE u.penalties END AS penalties,
    CASE WHEN u.by_window THEN u.window_ratios ELSE u.ratios END AS ratios
FROM starts s
JOIN units u ON u.cell_id = s.cell_id;
