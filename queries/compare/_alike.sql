-- _alike: one row per contest × metric × provider × kind of request × day, of live traffic
-- needs: results, _values, metrics
-- key: metric, model, scenario, concurrency, vantage, provider, kind, day
--
-- An application's traffic asks each provider different things. A kind is what
-- decides how long an answer takes and is not the provider's doing: a band of
-- input length, a band of output length, the hour of the day (the scenario, which
-- is the declared slice, belongs to the contest). Bands double from 128 tokens on.
CREATE OR REPLACE VIEW _alike AS
WITH live AS (
    SELECT
        request_id,
        strftime(started_at, '%Y-%m-%d') AS day,
        concat_ws(' ',
            coalesce('in ' || greatest(7, floor(log2(greatest(input_tokens, 1))))::INTEGER, 'in ?'),
            coalesce('out ' || greatest(7, floor(log2(greatest(output_tokens, 1))))::INTEGER, 'out ?'),
            strftime(started_at, '%H h')) AS kind
    FROM results
    WHERE measured AND phase = 'live' AND started_at IS NOT NULL
)
SELECT
    v.metric, v.contest_id, v.model, v.scenario, v.concurrency, v.vantage, v.provider, l.kind, l.day,
    count(*) AS n,
    sum(round(ln(v.value) * 1e9)::BIGINT)::BIGINT AS nano_logs -- sums of integers do not depend on threads
FROM _values v
JOIN live l ON l.request_id = v.request_id
JOIN metrics m ON m.metric = v.metric AND m.statistic IN ('p50', 'flow')
WHERE v.counted AND v.value > 0
GROUP BY ALL;
