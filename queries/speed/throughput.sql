-- throughput: one row per cell
-- tells: how fast answers stream, alone and together
-- example: SELECT provider, model, scenario, concurrency, tokens_per_s, aggregate_tokens_per_s, chars_per_s FROM throughput ORDER BY model, scenario, concurrency, tokens_per_s DESC
-- needs: results, latency, _text_density, _loops, _rates, _load_steps, prefill, _cell_id
-- key: provider, model, scenario, concurrency, vantage, params
--
-- Three speeds that are easily mistaken for one another: that of a single stream
-- while it flows, that of a whole request, and that of all streams together. A
-- fourth, of reading the input, comes from a sweep of lengths; see prefill.
CREATE OR REPLACE VIEW throughput AS
WITH cells AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params,
        CASE WHEN count(DISTINCT architecture) = 1 THEN min(architecture) END AS architecture,
        count(*) FILTER (complete) AS complete,
        count(window_tokens) FILTER (complete) AS n,
        count(DISTINCT window_key) AS n_windows,
        count(*) FILTER (complete AND token_source = 'tokenizer') AS tokenized,
        count(*) FILTER (complete AND coalesced_share > 0.5) AS coalesced
    FROM results
    WHERE measured
    GROUP BY ALL
),
speeds AS (
    SELECT
        cell_id,
        max(p50) FILTER (metric = 'output_per_e2e') AS output_per_e2e,
        max(p50_lo) FILTER (metric = 'output_per_e2e') AS output_per_e2e_lo,
        max(p50_hi) FILTER (metric = 'output_per_e2e') AS output_per_e2e_hi
    FROM latency
    GROUP BY ALL
),
loops AS (
    SELECT
        cell_id,
        sum(busy_ns)::BIGINT / nullif(sum(wall_ns)::BIGINT, 0) AS mean_in_flight
    FROM _loops
    WHERE busy_ns IS NOT NULL AND wall_ns > 0
    GROUP BY ALL
),
rates AS (
    SELECT
        cell_id,
        max(value) FILTER (rate = 'tokens_per_s') AS stream, max(lo) FILTER (rate = 'tokens_per_s') AS stream_lo, max(hi) FILTER (rate = 'tokens_per_s') AS stream_hi,
        max(value) FILTER (rate = 'visible_tokens_per_s') AS shown, max(lo) FILTER (rate = 'visible_tokens_per_s') AS shown_lo, max(hi) FILTER (rate = 'visible_tokens_per_s') AS shown_hi,
        max(value) FILTER (rate = 'chars_per_s') AS stream_chars, max(lo) FILTER (rate = 'chars_per_s') AS stream_chars_lo, max(hi) FILTER (rate = 'chars_per_s') AS stream_chars_hi,
        max(value) FILTER (rate = 'tokens') AS tokens, max(lo) FILTER (rate = 'tokens') AS tokens_lo, max(hi) FILTER (rate = 'tokens') AS tokens_hi,
        max(value) FILTER (rate = 'chars') AS chars, max(lo) FILTER (rate = 'chars') AS chars_lo, max(hi) FILTER (rate = 'chars') AS chars_hi,
        max(value) FILTER (rate = 'complete') AS complete, max(lo) FILTER (rate = 'complete') AS complete_lo, max(hi) FILTER (rate = 'complete') AS complete_hi
    FROM _rates
    GROUP BY ALL
),
slower AS (
    SELECT
        cell_id,
        max(ratio) FILTER (metric = 'e2e_ms') AS e2e, max(lo) FILTER (metric = 'e2e_ms') AS e2e_lo, max(hi) FILTER (metric = 'e2e_ms') AS e2e_hi,
        max(evidence) FILTER (metric = 'e2e_ms') AS evidence,
        1 / max(ratio) FILTER (metric = 'tokens_per_s') AS stream,
        1 / max(hi) FILTER (metric = 'tokens_per_s') AS stream_lo,
        1 / max(lo) FILTER (metric = 'tokens_per_s') AS stream_hi
    FROM _load_steps
    WHERE against = 1
    GROUP BY ALL
)
SELECT
    c.cell_id, c.provider, c.model, c.scenario, c.concurrency, c.vantage, c.params,
    c.architecture, c.n, c.n_windows,
    r.stream AS tokens_per_s, r.stream_lo AS tokens_per_s_lo, r.stream_hi AS tokens_per_s_hi,
    r.shown AS visible_tokens_per_s, r.shown_lo AS visible_tokens_per_s_lo, r.shown_hi AS visible_tokens_per_s_hi,
    r.stream_chars AS chars_per_s, r.stream_chars_lo AS chars_per_s_lo, r.stream_chars_hi AS chars_per_s_hi,
    r.stream_chars * d.tokens_per_char AS o200k_per_s,
    r.stream_chars_lo * d.tokens_per_char AS o200k_per_s_lo,
    r.stream_chars_hi * d.tokens_per_char AS o200k_per_s_hi,
    d.tokens_per_char AS o200k_per_char,
    s.output_per_e2e, s.output_per_e2e_lo, s.output_per_e2e_hi,
    r.tokens AS aggregate_tokens_per_s, r.tokens_lo AS aggregate_tokens_per_s_lo, r.tokens_hi AS aggregate_tokens_per_s_hi,
    r.chars AS aggregate_chars_per_s, r.chars_lo AS aggregate_chars_per_s_lo, r.chars_hi AS aggregate_chars_per_s_hi,
    r.complete AS requests_per_s, r.complete_lo AS requests_per_s_lo, r.complete_hi AS requests_per_s_hi,
    l.mean_in_flight,
    x.e2e AS slowdown, x.e2e_lo AS slowdown_lo, x.e2e_hi AS slowdown_hi,
    x.stream AS stream_slowdown, x.stream_lo AS stream_slowdown_lo, x.stream_hi AS stream_slowdown_hi,
    x.evidence AS slowdown_evidence,
    p.tokens_per_s AS prefill_tokens_per_s, p.tokens_per_s_lo AS prefill_tokens_per_s_lo, p.tokens_per_s_hi AS prefill_tokens_per_s_hi,
    nullif(concat_ws('; ',
        CASE WHEN c.n < 25 THEN 'fewer than 25 speeds' END,
        CASE WHEN c.n < c.complete THEN 'no speed for ' || (c.complete - c.n) || ' of ' || c.complete || ' answers: in one read, or tokens unknown' END,
        CASE WHEN c.tokenized > 0 THEN 'tokens of ' || c.tokenized || ' answers counted with o200k, since no usage is reported' END,
        CASE WHEN 2 * c.coalesced > c.complete THEN 'most frames came several in a read' END,
        CASE WHEN c.n_windows < 6 THEN 'fewer than six windows: speaks of these alone' END,
        CASE WHEN c.concurrency > 1 AND l.mean_in_flight < 0.75 * c.concurrency THEN 'loop not filled: ' || round(l.mean_in_flight, 1) || ' of ' || c.concurrency || ' streams open on average' END), '') AS warning
FROM cells c
LEFT JOIN speeds s ON s.cell_id = c.cell_id
LEFT JOIN _text_density d ON d.cell_id = c.cell_id
LEFT JOIN loops l ON l.cell_id = c.cell_id
LEFT JOIN rates r ON r.cell_id = c.cell_id
LEFT JOIN slower x ON x.cell_id = c.cell_id
LEFT JOIN prefill p ON p.cell_id = _cell_id(c.provider, c.model, regexp_replace(c.scenario, '@[0-9]+$', ''), c.concurrency, c.vantage, c.params);

COMMENT ON VIEW throughput IS 'one row per cell: how fast output flows, in one stream, over whole requests and in all streams together. Ratios of sums with Fieller''s intervals over windows, medians with order-statistic ones, both at 95 %; higher is better';
COMMENT ON COLUMN throughput.architecture IS 'dense or moe, as declared; NULL where not';
COMMENT ON COLUMN throughput.n IS 'complete results with an output speed: two reads with content, and tokens that are known';
COMMENT ON COLUMN throughput.n_windows IS 'windows that the requests come from';
COMMENT ON COLUMN throughput.tokens_per_s IS 'tokens per second of a stream while it flows, over all complete answers with two reads: sum of window_tokens ÷ sum of window_ns; tokens are the provider''s own: compare across providers of a model';
COMMENT ON COLUMN throughput.tokens_per_s_lo IS 'lower end of its interval; needs two windows';
COMMENT ON COLUMN throughput.tokens_per_s_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.visible_tokens_per_s IS 'the same of the answer shown, in o200k tokens: comparable where some providers hide their thinking';
COMMENT ON COLUMN throughput.visible_tokens_per_s_lo IS 'lower end of its interval';
COMMENT ON COLUMN throughput.visible_tokens_per_s_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.chars_per_s IS 'characters per second of a stream while it flows, a ratio of sums, too: comparable across models';
COMMENT ON COLUMN throughput.chars_per_s_lo IS 'lower end of its interval';
COMMENT ON COLUMN throughput.chars_per_s_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.o200k_per_s IS 'the same in o200k tokens, one measure for all models: chars_per_s × o200k_per_char';
COMMENT ON COLUMN throughput.o200k_per_s_lo IS 'lower end of its interval';
COMMENT ON COLUMN throughput.o200k_per_s_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.o200k_per_char IS 'o200k tokens a character of the cell''s answers, counted on some of them; NULL where texts were not kept';
COMMENT ON COLUMN throughput.output_per_e2e IS 'output tokens ÷ seconds of the whole request, thinking and waiting included, median';
COMMENT ON COLUMN throughput.output_per_e2e_lo IS 'lower end of its interval';
COMMENT ON COLUMN throughput.output_per_e2e_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.aggregate_tokens_per_s IS 'output tokens of complete results ÷ seconds that the loop ran, its emptying included; at concurrency 1 seconds of the requests themselves';
COMMENT ON COLUMN throughput.aggregate_tokens_per_s_lo IS 'lower end of its interval; needs two windows';
COMMENT ON COLUMN throughput.aggregate_tokens_per_s_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.aggregate_chars_per_s IS 'the same in characters, thinking as far as shown';
COMMENT ON COLUMN throughput.aggregate_chars_per_s_lo IS 'lower end of its interval';
COMMENT ON COLUMN throughput.aggregate_chars_per_s_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.requests_per_s IS 'complete results per second';
COMMENT ON COLUMN throughput.requests_per_s_lo IS 'lower end of its interval';
COMMENT ON COLUMN throughput.requests_per_s_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.mean_in_flight IS 'streams open on average while the loop ran (Little''s law): how well it was filled';
COMMENT ON COLUMN throughput.slowdown IS 'time of a whole request ÷ the same at concurrency 1, over common windows; lower is better';
COMMENT ON COLUMN throughput.slowdown_lo IS 'lower end of its interval';
COMMENT ON COLUMN throughput.slowdown_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.stream_slowdown IS 'output speed of a stream at concurrency 1 ÷ that here; lower is better';
COMMENT ON COLUMN throughput.stream_slowdown_lo IS 'lower end of its interval';
COMMENT ON COLUMN throughput.stream_slowdown_hi IS 'upper end of its interval';
COMMENT ON COLUMN throughput.slowdown_evidence IS 'windows: paired over six common windows or more; within: fewer; none: they contradict each other';
COMMENT ON COLUMN throughput.prefill_tokens_per_s IS 'input tokens read per second, by the slope over the lengths of the sweep that the cell belongs to; see prefill';
COMMENT ON COLUMN throughput.prefill_tokens_per_s_lo IS 'lower end of its interval';
COMMENT ON COLUMN throughput.prefill_tokens_per_s_hi IS 'upper end of its interval; NULL where no growth cannot be excluded';
COMMENT ON COLUMN throughput.warning IS 'what to mind; NULL where nothing';
