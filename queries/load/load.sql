-- load: one row per target × scenario × concurrency
-- tells: what concurrency changes
-- example: SELECT provider, model, scenario, concurrency, aggregate_tokens_per_s, ttft_net_p95_ms, failed_share, cliff FROM load ORDER BY model, provider, scenario, concurrency
-- needs: throughput, latency, results, _loops, _rates, _load_steps, _good, _statistics
-- key: provider, model, scenario, concurrency, vantage, params
--
-- What more streams bring, and where they stop bringing anything. A cliff lies
-- between a concurrency and the next lower one where more is asked and less comes
-- (all streams together bring less), where first tokens are later by more than
-- the load has grown, or where more fails.
CREATE OR REPLACE VIEW load AS
WITH tails AS (
    SELECT
        cell_id,
        max(p50) FILTER (metric = 'ttft_net_ms') AS ttft_p50, max(p95) FILTER (metric = 'ttft_net_ms') AS ttft_p95,
        max(p95_lo) FILTER (metric = 'ttft_net_ms') AS ttft_p95_lo, max(p95_hi) FILTER (metric = 'ttft_net_ms') AS ttft_p95_hi,
        max(p50) FILTER (metric = 'e2e_ms') AS e2e_p50, max(p95) FILTER (metric = 'e2e_ms') AS e2e_p95,
        max(p95_lo) FILTER (metric = 'e2e_ms') AS e2e_p95_lo, max(p95_hi) FILTER (metric = 'e2e_ms') AS e2e_p95_hi
    FROM latency
    GROUP BY ALL
),
counts AS (
    SELECT
        r.cell_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params,
        count(*) FILTER (r.attempted) AS attempts,
        count(*) FILTER (r.attempted AND NOT r.answered) AS failed,
        count(*) FILTER (r.attempted AND r.outcome = 'rate_limited') AS rate_limited,
        min(g.workload) AS workload,
        count(g.good) AS judged,
        count(*) FILTER (g.good) AS good
    FROM results r
    LEFT JOIN _good g ON g.request_id = r.request_id
    WHERE r.measured
    GROUP BY ALL
),
goodput AS (
    SELECT cell_id, value, lo, hi
    FROM _rates
    WHERE rate = 'good'
),
nearest AS (
    SELECT cell_id, max(against) AS against
    FROM _load_steps
    GROUP BY ALL
),
steps AS (
    SELECT
        s.cell_id, s.against,
        max(s.ratio) FILTER (s.metric = 'aggregate_tokens_per_s') AS aggregate,
        max(s.lo) FILTER (s.metric = 'aggregate_tokens_per_s') AS aggregate_lo,
        max(s.hi) FILTER (s.metric = 'aggregate_tokens_per_s') AS aggregate_hi,
        max(s.ratio) FILTER (s.metric = 'ttft_net_ms') AS ttft,
        max(s.lo) FILTER (s.metric = 'ttft_net_ms') AS ttft_lo,
        max(s.hi) FILTER (s.metric = 'ttft_net_ms') AS ttft_hi,
        max(s.level - s.level_against) FILTER (s.metric = 'answered_share') AS answered,
        -- Decided with p of 5 % corrected over all comparisons; a tendency by itself.
        bool_or(s.decided AND s.ratio < 1) FILTER (s.metric = 'aggregate_tokens_per_s') AS less,
        bool_or(s.p <= 0.05 AND s.ratio < 1 / 1.1) FILTER (s.metric = 'aggregate_tokens_per_s') AS less_perhaps,
        bool_or(s.decided AND s.lo > s.concurrency / s.against AND s.ratio > 1.1 * s.concurrency / s.against) FILTER (s.metric = 'ttft_net_ms') AS late,
        bool_or(s.p <= 0.05 AND s.level - s.level_against > 50 AND s.ratio > 1.1 * s.concurrency / s.against) FILTER (s.metric = 'ttft_net_ms') AS late_perhaps,
        bool_or(s.decided AND s.level < s.level_against) FILTER (s.metric = 'answered_share') AS fails,
        bool_or(s.p <= 0.05 AND s.level < s.level_against - 0.01) FILTER (s.metric = 'answered_share') AS fails_perhaps,
        max(s.n_windows) AS n_windows
    FROM _load_steps s
    JOIN nearest n ON n.against = s.against AND n.cell_id = s.cell_id
    GROUP BY ALL
)
SELECT
    c.cell_id, c.provider, c.model, c.scenario, c.concurrency, c.vantage, c.params,
    t.n, t.n_windows, c.attempts,
    t.aggregate_tokens_per_s, t.aggregate_tokens_per_s_lo, t.aggregate_tokens_per_s_hi,
    t.requests_per_s, t.mean_in_flight,
    t.tokens_per_s AS stream_tokens_per_s, t.tokens_per_s_lo AS stream_tokens_per_s_lo, t.tokens_per_s_hi AS stream_tokens_per_s_hi,
    l.ttft_p50 AS ttft_net_p50_ms, l.ttft_p95 AS ttft_net_p95_ms, l.ttft_p95_lo AS ttft_net_p95_lo_ms, l.ttft_p95_hi AS ttft_net_p95_hi_ms,
    l.e2e_p50 AS e2e_p50_ms, l.e2e_p95 AS e2e_p95_ms, l.e2e_p95_lo AS e2e_p95_lo_ms, l.e2e_p95_hi AS e2e_p95_hi_ms,
    c.failed, c.rate_limited,
    c.failed / nullif(c.attempts, 0) AS failed_share,
    _wilson_lo(c.failed, c.attempts) AS failed_share_lo,
    _wilson_hi(c.failed, c.attempts) AS failed_share_hi,
    c.workload,
    CASE WHEN c.judged > 0 THEN c.good END AS good,
    c.good / nullif(c.judged, 0) AS good_share,
    _wilson_lo(c.good, c.judged) AS good_share_lo,
    _wilson_hi(c.good, c.judged) AS good_share_hi,
    g.value AS goodput_per_s, g.lo AS goodput_per_s_lo, g.hi AS goodput_per_s_hi,
    s.against,
    s.aggregate AS aggregate_ratio, s.aggregate_lo AS aggregate_ratio_lo, s.aggregate_hi AS aggregate_ratio_hi,
    s.ttft AS ttft_ratio, s.ttft_lo AS ttft_ratio_lo, s.ttft_hi AS ttft_ratio_hi,
    s.answered AS answered_change,
    nullif(concat_ws(', ',
        CASE WHEN s.less OR s.less_perhaps THEN 'throughput' END,
        CASE WHEN s.late OR s.late_perhaps THEN 'first token' END,
        CASE WHEN s.fails OR s.fails_perhaps THEN 'failures' END), '') AS cliff,
    CASE
        WHEN s.less OR s.late OR s.fails THEN 'supported'
        WHEN s.less_perhaps OR s.late_perhaps OR s.fails_perhaps THEN 'tendency'
    END AS cliff_verdict,
    nullif(concat_ws('; ',
        CASE WHEN c.attempts < 25 THEN 'fewer than 25 attempts' END,
        CASE WHEN l.ttft_p95_hi IS NULL THEN 'p95 not bounded' END,
        CASE WHEN s.n_windows < 8 THEN 'fewer than eight windows in common with concurrency ' || s.against || ': no cliff can be supported' END,
        CASE WHEN c.concurrency > 1 AND t.mean_in_flight < 0.75 * c.concurrency THEN 'loop not filled: ' || round(t.mean_in_flight, 1) || ' of ' || c.concurrency || ' streams open on average' END,
        CASE WHEN c.concurrency IS NULL THEN 'open loop: throughput is what was asked for, as far as it was kept up' END), '') AS warning
FROM counts c
LEFT JOIN throughput t ON t.cell_id = c.cell_id
LEFT JOIN tails l ON l.cell_id = c.cell_id
LEFT JOIN goodput g ON g.cell_id = c.cell_id
LEFT JOIN steps s ON s.cell_id = c.cell_id;

COMMENT ON VIEW load IS 'one row per target × scenario × concurrency: what more streams bring, what each of them waits, what fails, and how much of it is good enough. Intervals at 95 %';
COMMENT ON COLUMN load.provider IS 'who serves the model';
COMMENT ON COLUMN load.model IS 'canonical model';
COMMENT ON COLUMN load.scenario IS 'scenario of the plan';
COMMENT ON COLUMN load.concurrency IS 'streams that the plan keeps open; NULL for an open loop';
COMMENT ON COLUMN load.vantage IS 'where the client stood';
COMMENT ON COLUMN load.params IS 'parameters that the plan declares (JSON)';
COMMENT ON COLUMN load.n IS 'complete results with an output speed';
COMMENT ON COLUMN load.n_windows IS 'windows that the requests come from';
COMMENT ON COLUMN load.attempts IS 'requests that tell of the provider';
COMMENT ON COLUMN load.aggregate_tokens_per_s IS 'output tokens per second of all streams together; see throughput';
COMMENT ON COLUMN load.stream_tokens_per_s IS 'tokens per second of one stream while it flows, median';
COMMENT ON COLUMN load.stream_tokens_per_s_lo IS 'lower end of its interval';
COMMENT ON COLUMN load.stream_tokens_per_s_hi IS 'upper end of its interval';
COMMENT ON COLUMN load.ttft_net_p50_ms IS 'ms to the first token, without set-up, median';
COMMENT ON COLUMN load.ttft_net_p95_ms IS 'ms to the first token, without set-up, 95th percentile';
COMMENT ON COLUMN load.ttft_net_p95_lo_ms IS 'lower end of its interval';
COMMENT ON COLUMN load.ttft_net_p95_hi_ms IS 'upper end of its interval; needs n of 72';
COMMENT ON COLUMN load.e2e_p50_ms IS 'ms to the whole answer, median of complete results';
COMMENT ON COLUMN load.e2e_p95_ms IS 'ms to the whole answer, 95th percentile';
COMMENT ON COLUMN load.e2e_p95_lo_ms IS 'lower end of its interval';
COMMENT ON COLUMN load.e2e_p95_hi_ms IS 'upper end of its interval; needs n of 72';
COMMENT ON COLUMN load.failed IS 'attempts that were not answered';
COMMENT ON COLUMN load.rate_limited IS 'of these, refused by a rate limit';
COMMENT ON COLUMN load.failed_share IS 'failed ÷ attempts, 0 to 1, lower is better';
COMMENT ON COLUMN load.failed_share_lo IS 'lower end of its Wilson interval';
COMMENT ON COLUMN load.failed_share_hi IS 'upper end of its Wilson interval';
COMMENT ON COLUMN load.workload IS 'workload whose limits decide what is good; NULL where none has any';
COMMENT ON COLUMN load.good IS 'attempts that are complete as planned and keep each limit of the workload';
COMMENT ON COLUMN load.good_share IS 'good ÷ attempts, 0 to 1, higher is better';
COMMENT ON COLUMN load.good_share_lo IS 'lower end of its Wilson interval';
COMMENT ON COLUMN load.good_share_hi IS 'upper end of its Wilson interval';
COMMENT ON COLUMN load.goodput_per_s IS 'good results per second; higher is better';
COMMENT ON COLUMN load.goodput_per_s_lo IS 'lower end of its interval (Fieller, over windows)';
COMMENT ON COLUMN load.goodput_per_s_hi IS 'upper end of its interval';
COMMENT ON COLUMN load.against IS 'next lower concurrency of the same target and scenario, that the following columns compare with; NULL for the lowest';
COMMENT ON COLUMN load.aggregate_ratio IS 'tokens per second of all streams here ÷ there, paired by window: the load''s own ratio if streams do not hinder each other, 1 if nothing more comes, below 1 past a cliff';
COMMENT ON COLUMN load.aggregate_ratio_lo IS 'lower end of its interval';
COMMENT ON COLUMN load.aggregate_ratio_hi IS 'upper end of its interval';
COMMENT ON COLUMN load.ttft_ratio IS 'time to first token here ÷ there, paired by window; lower is better';
COMMENT ON COLUMN load.ttft_ratio_lo IS 'lower end of its interval';
COMMENT ON COLUMN load.ttft_ratio_hi IS 'upper end of its interval';
COMMENT ON COLUMN load.answered_change IS 'answered share here − there; higher is better';
COMMENT ON COLUMN load.cliff IS 'what gives way between the two: throughput (all streams together bring less), first token (later by a tenth more than the load has grown), failures; NULL where nothing does';
COMMENT ON COLUMN load.cliff_verdict IS 'supported: over eight common windows or more, their dependence and all comparisons counted, beyond the margins; tendency: p of 5 % by itself, or fewer windows';
COMMENT ON COLUMN load.warning IS 'what to mind; NULL where nothing';
