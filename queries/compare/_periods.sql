-- _periods: one row per window: the period that it belongs to
-- needs: results, _period_unit
-- key: window_key
--
-- The unit is the build's option: day, week, month or quarter of the window's
-- start (UTC), or half, which takes the earlier half of all windows and the
-- later, if there are six or more for each.
CREATE OR REPLACE VIEW _periods AS
WITH starts AS (
    SELECT window_key, min(started_at) AS started_at
    FROM results
    WHERE measured AND started_at IS NOT NULL
    GROUP BY window_key
),
placed AS (
    SELECT *, row_number() OVER (ORDER BY started_at, window_key) AS place, count(*) OVER () AS windows
    FROM starts
)
SELECT
    p.window_key,
    p.started_at,
    CASE u.unit
        WHEN 'half' THEN CASE WHEN p.windows >= 12 THEN CASE WHEN p.place <= p.windows // 2 THEN 'first half' ELSE 'second half' END END
        WHEN 'day' THEN strftime(p.started_at, '%Y-%m-%d')
        WHEN 'week' THEN strftime(p.started_at, '%G-W%V')
        WHEN 'month' THEN strftime(p.started_at, '%Y-%m')
        WHEN 'quarter' THEN strftime(p.started_at, '%Y-Q') || quarter(p.started_at)
    END AS period
FROM placed p
CROSS JOIN _period_unit u;
