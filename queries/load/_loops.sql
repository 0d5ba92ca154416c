-- _loops: one row per cell × window: what its requests brought together, and in what time
-- needs: results, requests, _good
-- key: provider, model, scenario, concurrency, vantage, params, window_key
--
-- A loop of one stream takes turns with other targets, so its time is that of
-- its own requests, added up. Several streams run without a break: theirs is
-- from the first start to the last end, the emptying at the end included.
CREATE OR REPLACE VIEW _loops AS
WITH rows AS (
    SELECT
        r.cell_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params, r.window_key,
        r.complete, r.attempted, r.output_tokens,
        coalesce(r.answer_chars, 0) + coalesce(r.reasoning_chars, 0) + coalesce(r.tool_chars, 0) AS chars,
        q.started_at_ns,
        coalesce(q.end_ns, round(r.e2e_ms * 1e6)::BIGINT) AS took_ns,
        g.good
    FROM results r
    JOIN requests q ON q.request_id = r.request_id
    LEFT JOIN _good g ON g.request_id = r.request_id
    WHERE r.measured
),
sums AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params, window_key,
        count(*) AS requests,
        count(*) FILTER (attempted) AS attempts,
        count(*) FILTER (complete) AS complete,
        count(good) AS judged,
        count(*) FILTER (good) AS good,
        CASE WHEN count(output_tokens) FILTER (complete) = count(*) FILTER (complete)
            THEN sum(output_tokens) FILTER (complete)::BIGINT END AS tokens,
        sum(chars) FILTER (complete)::BIGINT AS chars,
        CASE WHEN count(took_ns) = count(*) THEN sum(took_ns)::BIGINT END AS busy_ns,
        CASE WHEN count(took_ns) = count(*) AND count(started_at_ns) = count(*)
            THEN max(started_at_ns + took_ns) - min(started_at_ns) END AS span_ns
    FROM rows
    GROUP BY ALL
)
SELECT *, CASE WHEN concurrency = 1 THEN busy_ns ELSE span_ns END AS wall_ns
FROM sums;
