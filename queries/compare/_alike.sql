-- _alike: one row per contest × metric × provider × kind of request × day, of live traffic and of imported rows
-- needs: results, requests, _values, metrics
-- key: metric, model, scenario, concurrency, vantage, provider, kind, day
--
-- An application's traffic asks each provider different things, and so may a log
-- that is imported. A kind is what decides how long an answer takes and is not the
-- provider's doing: a band of input length, the labels that tell requests apart,
-- and for live traffic a band of output length and the hour of the day (the
-- scenario, which is the declared slice, belongs to the contest). Bands double from
-- 128 tokens on. Imported rows that are not live are mostly a benchmark's, whose
-- prompts are the same for all: how long each then answers is its own doing.
--
-- A label tells requests apart if it has two to twelve values, and at least half of
-- the requests have one that more than one provider has, too.
CREATE OR REPLACE VIEW _alike AS
WITH rows AS (
    SELECT r.request_id, r.provider, r.phase = 'live' AS live, r.started_at, r.input_tokens, r.output_tokens, q.labels
    FROM results r
    LEFT JOIN requests q ON q.request_id = r.request_id
    WHERE r.measured AND (r.phase = 'live' AND r.started_at IS NOT NULL OR r.phase = 'measure' AND r.evidence = 'reported')
),
label_values AS (
    SELECT key, json_extract_string(labels, '$."' || key || '"') AS value, count(*) AS n, count(DISTINCT provider) AS providers
    FROM (SELECT provider, labels, unnest(json_keys(labels)) AS key FROM rows WHERE labels IS NOT NULL)
    GROUP BY ALL
),
telling AS (
    SELECT list_sort(list(key)) AS keys
    FROM (
        SELECT key
        FROM label_values
        GROUP BY key
        HAVING count(*) BETWEEN 2 AND 12 AND 2 * sum(n) FILTER (providers > 1) >= sum(n)
    )
),
live AS (
    SELECT
        r.request_id, r.live,
        coalesce(strftime(r.started_at, '%Y-%m-%d'), 'undated') AS day,
        concat_ws(' ',
            coalesce('in ' || greatest(7, floor(log2(greatest(r.input_tokens, 1))))::INTEGER, 'in ?'),
            CASE WHEN r.live THEN coalesce('out ' || greatest(7, floor(log2(greatest(r.output_tokens, 1))))::INTEGER, 'out ?') END,
            CASE WHEN r.live THEN strftime(r.started_at, '%H h') END,
            CASE WHEN r.labels IS NOT NULL THEN array_to_string(list_transform(t.keys, lambda k: coalesce(json_extract_string(r.labels, '$."' || k || '"'), '?')), ' ') END) AS kind
    FROM rows r
    CROSS JOIN telling t
)
SELECT
    v.metric, v.contest_id, v.model, v.scenario, v.concurrency, v.vantage, v.provider, l.kind, l.day,
    bool_or(l.live) AS live,
    count(*) AS n,
    sum(round(ln(v.value) * 1e9)::BIGINT)::BIGINT AS nano_logs -- sums of integers do not depend on threads
FROM _values v
JOIN live l ON l.request_id = v.request_id
JOIN metrics m ON m.metric = v.metric AND m.statistic IN ('p50', 'flow')
WHERE v.counted AND v.value > 0
GROUP BY ALL;
