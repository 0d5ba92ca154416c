-- _alike: one row per contest × metric × provider × kind of request × day, of live traffic
-- needs: results, metrics
-- key: metric, model, scenario, concurrency, vantage, provider, kind, day
--
-- An application's traffic asks each provider different things. A kind is what
-- decides how long an answer takes and is not the provider's doing: a band of
-- input length, a band of output length, the hour of the day (the scenario, which
-- is the declared slice, belongs to the contest). Bands double from 128 tokens on.
CREATE OR REPLACE VIEW _alike AS
WITH live AS (
    SELECT
        provider, model, scenario, concurrency, vantage, complete, ttft_ms IS NOT NULL AS got_token,
        strftime(started_at, '%Y-%m-%d') AS day,
        concat_ws(' ',
            coalesce('in ' || greatest(7, floor(log2(greatest(input_tokens, 1))))::INTEGER, 'in ?'),
            coalesce('out ' || greatest(7, floor(log2(greatest(output_tokens, 1))))::INTEGER, 'out ?'),
            strftime(started_at, '%H h')) AS kind,
        ttft_net_ms, ttft_ms, ttfat_ms, first_byte_ms, e2e_ms, tokens_per_s, chars_per_s, tpot_ms, output_per_e2e, max_stall_ms, gap_p99_ms
    FROM results
    WHERE measured AND phase = 'live' AND started_at IS NOT NULL
),
long AS (
    UNPIVOT live
    ON ttft_net_ms, ttft_ms, ttfat_ms, first_byte_ms, e2e_ms, tokens_per_s, chars_per_s, tpot_ms, output_per_e2e, max_stall_ms, gap_p99_ms
    INTO NAME source VALUE value
)
SELECT
    m.metric, l.model, l.scenario, l.concurrency, l.vantage, l.provider, l.kind, l.day,
    count(*) AS n,
    sum(round(ln(l.value) * 1e9)::BIGINT)::BIGINT AS nano_logs -- sums of integers do not depend on threads
FROM long l
JOIN metrics m ON m.source = l.source AND m.statistic = 'p50'
WHERE l.value > 0 AND (l.complete OR m.population = 'first_token' AND l.got_token)
GROUP BY ALL;
