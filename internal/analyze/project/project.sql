-- What a mix of requests (table traffic) would cost and wait at each target: one row
-- per target. A recorded request stands for a shape of the mix if its input is
-- between half and twice as long, and its answer, where it is complete, too. A failed
-- one whose length nobody states stands for all. Within
-- a target windows are drawn again 400 times, with replacement, all shapes together,
-- since what is recorded in one window shares conditions.
CREATE OR REPLACE TEMP TABLE projection AS
WITH target AS (
    SELECT DISTINCT provider, model FROM results WHERE measured
),
alike AS (
    SELECT
        s.shape, s.a_month, r.provider, r.model, r.window_key,
        count(*) AS n,
        count(*) FILTER (r.complete) AS completed,
        count(*) FILTER (NOT r.answered AND r.outcome <> 'rate_limited') AS failed,
        count(*) FILTER (r.outcome = 'rate_limited') AS limited,
        count(*) FILTER (NOT r.complete OR NOT coalesce(in_time, true)) AS late,
        count(r.cost_nanousd) AS priced,
        sum(r.cost_nanousd)::DOUBLE AS nanousd
    FROM (SELECT *, /*in time*/ AS in_time, coalesce(input_tokens, input_o200k) AS input, coalesce(answer_o200k, visible_tokens, output_tokens) AS answer FROM results) r
    JOIN traffic s ON (s.model IS NULL OR s.model = r.model) AND (s.scenario IS NULL OR s.scenario = r.scenario)
        AND coalesce(r.concurrency, 1) = s.concurrency
        AND (s.input_tokens IS NULL OR r.input IS NULL AND NOT r.complete OR r.input BETWEEN s.input_tokens / 2 AND s.input_tokens * 2)
        AND (s.output_tokens IS NULL OR NOT r.complete OR r.answer BETWEEN s.output_tokens / 2 AND s.output_tokens * 2)
    WHERE r.measured AND r.attempted
    GROUP BY ALL
),
covered AS ( -- a shape of which no answer is complete is not recorded at that target
    SELECT provider, model, shape FROM alike GROUP BY ALL HAVING sum(completed) > 0
),
counted AS (SELECT a.* FROM alike a SEMI JOIN covered USING (provider, model, shape)),
windows AS (
    SELECT provider, model, window_key, (row_number() OVER (PARTITION BY provider, model ORDER BY window_key) - 1) AS place
    FROM (SELECT DISTINCT provider, model, window_key FROM counted)
),
sizes AS (SELECT provider, model, count(*) AS n_windows FROM windows GROUP BY ALL),
draws AS ( -- draw 0 is what was recorded
    SELECT provider, model, 0 AS draw, place, 1 AS times FROM windows
    UNION ALL
    SELECT provider, model, d.draw, md5_number_lower(d.draw || ':' || i.place) % n_windows, count(*)
    FROM sizes, range(1, 401) d(draw), LATERAL (SELECT unnest(range(n_windows)) AS place) i
    GROUP BY ALL
),
shaped AS (
    SELECT
        c.provider, c.model, d.draw, c.shape, c.a_month,
        sum(d.times * nanousd) / nullif(sum(d.times * priced), 0) / 1e9 AS usd,
        sum(d.times * late) / sum(d.times * n) AS late,
        sum(d.times * failed) / sum(d.times * n) AS failed,
        sum(d.times * limited) / sum(d.times * n) AS limited
    FROM counted c
    JOIN windows w USING (provider, model, window_key)
    JOIN draws d ON d.provider = c.provider AND d.model = c.model AND d.place = w.place
    GROUP BY ALL
),
summed AS (
    SELECT
        provider, model, draw, sum(a_month) AS a_month, count(*) AS shapes,
        CASE WHEN count(usd) = count(*) THEN sum(a_month * usd) END AS bill_usd,
        sum(a_month * late) / sum(a_month) AS late_share,
        sum(a_month * failed) / 30.4375 AS failures_a_day,
        sum(a_month * limited) / 30.4375 AS rate_limited_a_day
    FROM shaped
    GROUP BY ALL
),
bounds AS ( -- of draws that hold each shape
    SELECT
        s.provider, s.model,
        quantile_cont(s.bill_usd, [0.025, 0.975]) AS bill,
        quantile_cont(s.late_share, [0.025, 0.975]) AS late,
        quantile_cont(s.failures_a_day, [0.025, 0.975]) AS failures
    FROM summed s
    JOIN summed o ON o.provider = s.provider AND o.model = s.model AND o.draw = 0 AND o.shapes = s.shapes
    WHERE s.draw > 0
    GROUP BY ALL
),
told AS (SELECT provider, model, sum(n)::BIGINT AS n FROM counted GROUP BY ALL),
wanted AS (
    SELECT t.provider, t.model, sum(s.a_month) AS a_month
    FROM target t JOIN traffic s ON s.model IS NULL OR s.model = t.model
    GROUP BY ALL
),
away AS (
    SELECT provider, model, max(min_ms) AS least, CASE WHEN count(*) = count(max_ms) THEN max(max_ms) END AS most
    FROM outages GROUP BY ALL
),
budgets AS (SELECT provider, model, max(budget_p95) AS budget FROM thinking GROUP BY ALL),
streams AS (SELECT provider, model, max(concurrency) FILTER (/*p95*/) AS most FROM load GROUP BY ALL)
SELECT
    w.provider, w.model, w.a_month AS requests_a_month,
    coalesce(o.a_month, 0) / w.a_month AS covered_share,
    coalesce(t.n, 0) AS n, coalesce(z.n_windows, 0) AS n_windows,
    o.bill_usd, CASE WHEN z.n_windows > 1 THEN b.bill[1] END AS bill_lo_usd, CASE WHEN z.n_windows > 1 THEN b.bill[2] END AS bill_hi_usd,
    o.late_share, CASE WHEN z.n_windows > 1 THEN b.late[1] END AS late_share_lo, CASE WHEN z.n_windows > 1 THEN b.late[2] END AS late_share_hi,
    o.failures_a_day, CASE WHEN z.n_windows > 1 THEN b.failures[1] END AS failures_a_day_lo, CASE WHEN z.n_windows > 1 THEN b.failures[2] END AS failures_a_day_hi,
    o.rate_limited_a_day,
    a.least AS longest_outage_min_ms, a.most AS longest_outage_max_ms,
    u.budget AS budget_tokens, s.most AS streams,
    nullif(concat_ws('; ',
        CASE WHEN o.a_month IS NULL THEN 'nothing alike was recorded'
            WHEN o.a_month < w.a_month THEN 'part of the mix was not recorded' END,
        CASE WHEN z.n_windows < 8 THEN 'fewer than eight windows: intervals are of these' END,
        CASE WHEN o.a_month IS NOT NULL AND o.bill_usd IS NULL THEN 'a price is unknown' END), '') AS warning
FROM wanted w
LEFT JOIN summed o ON o.provider = w.provider AND o.model = w.model AND o.draw = 0
LEFT JOIN bounds b ON b.provider = w.provider AND b.model = w.model
LEFT JOIN sizes z ON z.provider = w.provider AND z.model = w.model
LEFT JOIN told t ON t.provider = w.provider AND t.model = w.model
LEFT JOIN away a ON a.provider = w.provider AND a.model = w.model
LEFT JOIN budgets u ON u.provider = w.provider AND u.model = w.model
LEFT JOIN streams s ON s.provider = w.provider AND s.model = w.model
ORDER BY w.model, o.bill_usd NULLS LAST, w.provider
