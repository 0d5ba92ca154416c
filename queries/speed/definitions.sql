-- definitions: one row per request × tool × metric: the same stream as other tools would state it
-- tells: what other tools would have measured on the same stream
-- example: SELECT tool, metric, median(value) AS median_value FROM definitions_all() WHERE metric = 'ttft_ms' GROUP BY tool, metric ORDER BY tool
-- needs: _events, _chunks, _reduced, _kinds, results
-- stored: no
--
-- FROM definitions tells of all requests, FROM definitions(request_id) of one. Tools
-- measure from the start of the request, and none of them takes set-up out. Where a
-- tool counts tokens with a tokenizer of its own, the provider's usage stands in, and
-- the note says so. Sources: each tool's code in 2025 and 2026.
CREATE OR REPLACE MACRO definitions_all() AS TABLE
WITH messages AS NOT MATERIALIZED (
    -- A message is a frame that is no comment.
    SELECT
        e.request_id, e.seq, any_value(e.t_ns) AS t_ns,
        bool_or(e.lead > 0 OR e.kind = _kind('finish')) AS choice,
        bool_or(e.kind = _kind('start')) AS start,
        bool_or(e.lead > 0) AS content,
        bool_or(e.kind = _kind('text')) AS text,
        bool_and(e.kind IN (_kind('done'), _kind('ping'))) AS marker
    FROM _events e
    WHERE e.kind <> _kind('comment')
    GROUP BY e.request_id, e.seq
),
-- vLLM and evalscope look for a choice, a role alone and an empty one included.
-- Where the events do not tell whether there was one, the frame does; in dialects
-- without choices every message that starts something is taken for one.
unclear AS (
    SELECT m.request_id, m.seq,
        CASE WHEN try(contains(decode(c.raw), '"choices"')) THEN regexp_matches(decode(c.raw), '"choices"\s*:\s*\[\s*\{') END AS choice
    FROM messages m
    JOIN _chunks c ON c.request_id = m.request_id AND c.seq = m.seq
    WHERE NOT m.choice AND NOT m.marker
),
judged AS (
    SELECT m.*, m.choice OR coalesce(u.choice, m.start) AS with_choice,
        lag(m.t_ns) OVER (PARTITION BY m.request_id ORDER BY m.seq) AS before_ns
    FROM messages m
    LEFT JOIN unclear u ON u.request_id = m.request_id AND u.seq = m.seq
    WHERE NOT m.marker
),
-- The first choice starts the clock, each later one is a sample of ITL.
sampled AS (
    SELECT *, with_choice AND sum(with_choice::INTEGER) OVER (PARTITION BY request_id ORDER BY seq) > 1 AS sample
    FROM judged
),
times AS (
    SELECT
        request_id,
        min(t_ns) FILTER (with_choice) / 1e6 AS first_choice,
        max(t_ns) FILTER (with_choice) / 1e6 AS last_choice,
        count(*) FILTER (with_choice) AS choices,
        sum(t_ns - before_ns) FILTER (sample)::BIGINT / 1e6 / nullif(count(*) FILTER (sample), 0) AS mean_gap,
        min(t_ns) FILTER (content) / 1e6 AS first_content,
        max(t_ns) FILTER (content) / 1e6 AS last_content,
        count(*) FILTER (content) AS contents,
        min(t_ns) FILTER (text) / 1e6 AS first_text,
        max(t_ns) FILTER (text) / 1e6 AS last_text,
        count(*) FILTER (text) AS texts,
        max(t_ns) / 1e6 AS last_message
    FROM sampled
    GROUP BY request_id
),
facts AS (
    SELECT
        t.*, r.outcome, r.ttft_ms, r.tpot_ms, r.tokens_per_s, r.e2e_ms AS end_ms,
        -- tokens as billed, as visible, as the provider's output field has them
        -- (else the text's), and as GuideLLM has them (else a message each)
        r.output_tokens AS billed, nullif(greatest(r.output_tokens - 1, 0), 0) AS billed_gaps,
        r.visible_tokens AS visible, nullif(greatest(r.visible_tokens - 1, 0), 0) AS visible_gaps,
        coalesce(d.output_tokens, r.visible_tokens) AS usage, nullif(greatest(coalesce(d.output_tokens, r.visible_tokens) - 1, 0), 0) AS usage_gaps,
        coalesce(d.output_tokens, t.contents) AS counted, nullif(greatest(coalesce(d.output_tokens, t.contents) - 1, 0), 0) AS counted_gaps
    FROM times t
    JOIN results r ON r.request_id = t.request_id
    LEFT JOIN _reduced d ON d.request_id = t.request_id
    WHERE r.streamed IS NOT false
),
stated AS (
    SELECT request_id, unnest([
        {
            tool: 'aircheck',
            ttft: {value: ttft_ms::DOUBLE, note: 'first content of any kind'},
            itl: {value: NULL::DOUBLE, note: 'stated as gaps between reads'},
            tpot: {value: tpot_ms::DOUBLE, note: 'window without the first read, over the tokens of the window'},
            speed: {value: tokens_per_s::DOUBLE, note: '1000 ÷ tpot_ms'},
            latency: {value: end_ms::DOUBLE, note: 'last byte'},
            tokens: {value: billed::DOUBLE, note: 'billed, thinking included'}
        },
        {
            tool: 'vllm bench serve',
            ttft: {value: first_choice::DOUBLE, note: 'first message with a choice: a role alone counts'},
            itl: {value: ((last_choice - first_choice) / nullif(choices - 1, 0))::DOUBLE, note: 'mean gap between messages with a choice; each is one sample, whatever it holds'},
            tpot: {value: ((last_choice - first_choice) / usage_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (usage / nullif(last_choice, 0) * 1000)::DOUBLE, note: 'the tool divides the run''s tokens by its duration; here the request''s own'},
            latency: {value: last_choice::DOUBLE, note: 'last message with a choice'},
            tokens: {value: usage::DOUBLE, note: 'usage as reported'}
        },
        {
            tool: 'aiperf',
            ttft: {value: first_content::DOUBLE, note: 'first content or thinking'},
            itl: {value: ((last_content - first_content) / billed_gaps)::DOUBLE, note: 'also called TPOT there'},
            tpot: {value: ((last_content - first_content) / billed_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (billed_gaps / nullif(last_content - first_content, 0) * 1000)::DOUBLE, note: 'per user: 1 ÷ ITL'},
            latency: {value: last_content::DOUBLE, note: 'last content'},
            tokens: {value: billed::DOUBLE, note: 'the tool counts with its own tokenizer; here by usage'}
        },
        {
            tool: 'guidellm',
            ttft: {value: first_content::DOUBLE, note: 'first content, thinking or tool call'},
            itl: {value: ((last_content - first_content) / counted_gaps)::DOUBLE, note: '(last − first) ÷ (tokens − 1)'},
            tpot: {value: (last_content / nullif(counted, 0))::DOUBLE, note: '(last − start) ÷ tokens: TTFT is inside'},
            speed: {value: (counted / nullif(end_ms, 0) * 1000)::DOUBLE, note: 'tokens ÷ latency'},
            latency: {value: end_ms::DOUBLE, note: 'end of the request'},
            tokens: {value: counted::DOUBLE, note: 'usage as reported, else messages'}
        },
        {
            tool: 'inference-perf',
            ttft: {value: (CASE WHEN coalesce(visible, texts) > 1 THEN first_text END)::DOUBLE, note: 'first visible text, where there is more than one token of it'},
            itl: {value: ((last_text - first_text) / visible_gaps)::DOUBLE, note: 'each token of a message has the message''s time: the mean equals TPOT'},
            tpot: {value: ((last_text - first_text) / visible_gaps)::DOUBLE, note: '(last − first) ÷ (tokens − 1), visible text only'},
            speed: {value: (visible / nullif(end_ms, 0) * 1000)::DOUBLE, note: 'the tool divides the run''s tokens by its duration; here the request''s own'},
            latency: {value: end_ms::DOUBLE, note: 'end of the request'},
            tokens: {value: visible::DOUBLE, note: 'the tool counts visible text with its own tokenizer; here by usage'}
        },
        {
            tool: 'evalscope perf',
            ttft: {value: first_choice::DOUBLE, note: 'first message with a choice: a role alone counts'},
            itl: {value: mean_gap::DOUBLE, note: 'mean gap of messages with a choice to the message before, of any kind'},
            tpot: {value: ((last_message - first_choice) / usage_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (usage / nullif(last_message, 0) * 1000)::DOUBLE, note: 'the tool divides the run''s tokens by its duration; here the request''s own'},
            latency: {value: last_message::DOUBLE, note: 'last message, usage included'},
            tokens: {value: usage::DOUBLE, note: 'usage as reported'}
        },
        {
            tool: 'llmeter',
            ttft: {value: first_text::DOUBLE, note: 'first visible text'},
            itl: {value: NULL::DOUBLE, note: 'not stated'},
            tpot: {value: ((last_text - first_text) / usage_gaps)::DOUBLE, note: 'visible window ÷ all tokens: too good where thinking is hidden'},
            speed: {value: (usage_gaps / nullif(last_text - first_text, 0) * 1000)::DOUBLE, note: '1 ÷ TPOT'},
            latency: {value: last_text::DOUBLE, note: 'last visible text'},
            tokens: {value: usage::DOUBLE, note: 'usage as reported, hidden thinking included'}
        },
        {
            tool: 'genai-perf',
            ttft: {value: first_text::DOUBLE, note: 'first visible text: other messages are taken for empty'},
            itl: {value: ((last_text - first_text) / visible_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            tpot: {value: NULL::DOUBLE, note: 'not stated'},
            speed: {value: (visible / nullif(last_text, 0) * 1000)::DOUBLE, note: 'tokens ÷ latency: TTFT is inside'},
            latency: {value: last_text::DOUBLE, note: 'last visible text'},
            tokens: {value: visible::DOUBLE, note: 'the tool counts visible text with its own tokenizer; here by usage'}
        }
    ]) AS said
    FROM facts
),
long AS (
    SELECT request_id, said.tool AS tool, unnest([
        {metric: 'ttft_ms', states: said.ttft},
        {metric: 'itl_ms', states: said.itl},
        {metric: 'tpot_ms', states: said.tpot},
        {metric: 'tokens_per_s', states: said.speed},
        {metric: 'latency_ms', states: said.latency},
        {metric: 'output_tokens', states: said.tokens}
    ]) AS row
    FROM stated
)
SELECT request_id, tool, row.metric AS metric, CASE WHEN isfinite(row.states.value) THEN row.states.value END AS value, row.states.note AS note
FROM long
ORDER BY request_id, tool, metric;

CREATE OR REPLACE MACRO definitions(request) AS TABLE
SELECT * FROM definitions_all() WHERE request_id = request;

CREATE OR REPLACE VIEW definitions AS SELECT * FROM definitions_all();

COMMENT ON VIEW definitions IS 'one row per request × tool × metric: TTFT, ITL, TPOT, output speed and latency as other tools would state them of the same stream; of one request, definitions(request_id)';
COMMENT ON COLUMN definitions.tool IS 'whose definition';
COMMENT ON COLUMN definitions.metric IS 'ttft_ms, itl_ms, tpot_ms, tokens_per_s, latency_ms or output_tokens';
COMMENT ON COLUMN definitions.value IS 'what the tool would state, in the unit that the metric''s name ends in; NULL where it would state nothing';
COMMENT ON COLUMN definitions.note IS 'how the tool arrives at it';
COMMENT ON MACRO TABLE definitions_all IS 'one row per request × tool × metric: TTFT, ITL, TPOT, output speed and latency as other tools would state them of the same stream';
COMMENT ON MACRO TABLE definitions IS 'the rows of definitions_all of one request';
