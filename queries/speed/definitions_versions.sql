-- definitions_versions: one row per request × tool × versions × metric: the same stream as other tools would state it
-- tells: what older versions and other settings of other tools would have measured on the same stream
-- example: SELECT tool, versions, median(value) AS median_value FROM definitions_versions WHERE metric = 'ttft_ms' GROUP BY tool, versions ORDER BY tool, versions
-- needs: _events, _chunks, _reduced, _kinds, results
-- stored: no
--
-- Most tools measure from the start of the request, set-up included. Where one
-- counts tokens with a tokenizer of its own, the provider's usage stands in, and
-- the note says so. Sources: each tool's own code, driven with recorded reads and
-- a clock that is set to their times.
CREATE OR REPLACE MACRO definitions_versions_all() AS TABLE
WITH messages AS NOT MATERIALIZED (
    -- A message is a frame that is no comment.
    SELECT
        e.request_id, e.seq, any_value(e.t_ns) AS t_ns,
        bool_or(e.lead > 0 OR e.kind = _kind('finish')) AS choice,
        bool_or(e.kind = _kind('start')) AS start,
        -- None of them looks at a refusal.
        bool_or(e.lead > 0 AND e.kind <> _kind('refusal')) AS content,
        bool_or(e.kind = _kind('tool')) AS tool,
        bool_or(e.kind = _kind('error')) AS error,
        bool_or(e.kind = _kind('text')) AS text,
        bool_or(e.kind = _kind('reasoning')) AS thought,
        bool_or(e.kind = _kind('done')) AS done,
        bool_and(e.kind IN (_kind('done'), _kind('ping'))) AS marker
    FROM _events e
    WHERE e.kind <> _kind('comment')
    GROUP BY e.request_id, e.seq
),
-- Some tools look for a choice, a role alone and an empty one included, others for
-- the name of a field. Where the events do not tell, the frame does; in dialects
-- without choices every message that starts something is taken for one.
unclear AS (
    SELECT m.request_id, m.seq,
        CASE WHEN try(contains(decode(c.raw, 'replace'), '"choices"')) THEN regexp_matches(try(decode(c.raw, 'replace')), '"choices"\s*:\s*\[\s*\{') END AS choice,
        try(regexp_matches(decode(c.raw, 'replace'), '"content"\s*:\s*""')) AND NOT try(contains(decode(c.raw, 'replace'), '"role"')) AS blank,
        -- Thinking in tags is text to all of them, and so are the tags.
        NOT m.text AND coalesce(try(regexp_matches(decode(c.raw, 'replace'), '"choices".*"content"\s*:\s*"[^"]', 's')), false) AS tagged,
        try(regexp_matches(decode(c.raw, 'replace'), '"reasoning"\s*:\s*"[^"]')) AS reasoning,
        -- An error is told by its key, or by the name of its event.
        m.error AND coalesce(try(regexp_matches(decode(c.raw, 'replace'), '"error"\s*:')), false) AS error_key,
        m.error AND coalesce(try(regexp_matches(decode(c.raw, 'replace'), '(^|\n|\r)event:\s*error')), false) AS error_event
    FROM messages m
    JOIN _chunks c ON c.request_id = m.request_id AND c.seq = m.seq
    WHERE NOT m.marker AND (NOT m.content OR m.thought)
),
judged AS (
    SELECT m.* REPLACE (m.text OR coalesce(u.tagged, false) AS text, m.content OR coalesce(u.tagged, false) AS content), m.choice OR coalesce(u.choice, m.start) AS with_choice,
        -- What vLLM from 0.33 on and sglang take for output.
        m.content AND NOT (m.thought AND NOT coalesce(u.reasoning OR u.tagged, true)) OR coalesce(u.tagged, false) OR coalesce(u.blank, false) AS vllm_output,
        m.content AND NOT m.tool OR coalesce(u.tagged, false) AS sglang_output,
        coalesce(u.error_key, false) AS error_key, coalesce(u.error_event, false) AS error_event,
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
        min(t_ns) FILTER (vllm_output) / 1e6 AS first_vllm,
        max(t_ns) FILTER (vllm_output) / 1e6 AS last_vllm,
        count(*) FILTER (vllm_output) AS vllm_outputs,
        min(t_ns) FILTER (sglang_output) / 1e6 AS first_sglang,
        max(t_ns) FILTER (sglang_output) / 1e6 AS last_sglang,
        count(*) FILTER (sglang_output) AS sglang_outputs,
        bool_or(error_key) AS error_key,
        bool_or(error_event) AS error_event,
        max(t_ns) / 1e6 AS last_message
    FROM sampled
    GROUP BY request_id
),
ends AS (
    SELECT request_id, min(t_ns) / 1e6 AS done FROM messages WHERE done GROUP BY request_id
),
facts AS (
    SELECT
        t.*, coalesce(r.setup_ms, 0) AS setup, coalesce(n.done, r.e2e_ms) AS done,
        -- Nobody takes a status of an error, or a connection that broke, for a success.
        coalesce(r.http_status < 400, true) AND coalesce(r.end_reason = 'eof', true) AS arrived,
        -- tokens that were shown, which a tokenizer of the tool's own counts
        CASE WHEN r.reasoning_chars > 0 THEN r.output_tokens ELSE coalesce(r.visible_tokens, r.answer_o200k, r.output_tokens) END AS shown,
        nullif(greatest(CASE WHEN r.reasoning_chars > 0 THEN r.output_tokens ELSE coalesce(r.visible_tokens, r.answer_o200k, r.output_tokens) END - 1, 0), 0) AS shown_gaps,
        r.outcome, r.ttft_ms, r.tpot_ms, r.tokens_per_s, r.e2e_ms AS end_ms,
        -- tokens as billed, as visible, as the provider's output field has them
        -- (else the text's), and as GuideLLM has them (else a message each)
        r.output_tokens AS billed, nullif(greatest(r.output_tokens - 1, 0), 0) AS billed_gaps,
        r.visible_tokens AS visible, nullif(greatest(r.visible_tokens - 1, 0), 0) AS visible_gaps,
        coalesce(d.output_tokens, r.visible_tokens) AS usage, nullif(greatest(coalesce(d.output_tokens, r.visible_tokens) - 1, 0), 0) AS usage_gaps,
        coalesce(d.output_tokens, t.contents) AS counted, nullif(greatest(coalesce(d.output_tokens, t.contents) - 1, 0), 0) AS counted_gaps
    FROM times t
    JOIN results r ON r.request_id = t.request_id
    LEFT JOIN _reduced d ON d.request_id = t.request_id
    LEFT JOIN ends n ON n.request_id = t.request_id
    WHERE r.streamed IS NOT false
),
stated AS (
    SELECT request_id, unnest([
        {
            tool: 'aircheck', versions: 'this one', newest: true, success: outcome IN ('ok', 'truncated', 'filtered', 'starved', 'empty'),
            ttft: {value: ttft_ms::DOUBLE, note: 'first content of any kind'},
            itl: {value: NULL::DOUBLE, note: 'stated as gaps between reads'},
            tpot: {value: tpot_ms::DOUBLE, note: 'window without the first read, over the tokens of the window'},
            speed: {value: tokens_per_s::DOUBLE, note: '1000 ÷ tpot_ms'},
            latency: {value: end_ms::DOUBLE, note: 'last byte'},
            tokens: {value: billed::DOUBLE, note: 'billed, thinking included'}
        },
        {
            tool: 'vllm bench serve', versions: '0.33 and later', newest: true, success: arrived AND vllm_outputs > 0,
            ttft: {value: first_vllm::DOUBLE, note: 'first content, reasoning or tool call; reasoning_content is not looked at, nor is a role or a finish'},
            itl: {value: ((last_vllm - first_vllm) / nullif(vllm_outputs - 1, 0))::DOUBLE, note: 'mean gap between messages with output; each is one sample, whatever it holds'},
            tpot: {value: ((last_vllm - first_vllm) / usage_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (usage / nullif(last_vllm, 0) * 1000)::DOUBLE, note: 'the tool divides the run''s tokens by its duration; here the request''s own'},
            latency: {value: last_vllm::DOUBLE, note: 'last message with output'},
            tokens: {value: usage::DOUBLE, note: 'usage as reported'}
        },
        {
            tool: 'vllm bench serve', versions: 'before 0.33', newest: false, success: arrived AND choices > 0,
            ttft: {value: first_choice::DOUBLE, note: 'first message with a choice: a role alone counts'},
            itl: {value: ((last_choice - first_choice) / nullif(choices - 1, 0))::DOUBLE, note: 'mean gap between messages with a choice; each is one sample, whatever it holds'},
            tpot: {value: ((last_choice - first_choice) / usage_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (usage / nullif(last_choice, 0) * 1000)::DOUBLE, note: 'the tool divides the run''s tokens by its duration; here the request''s own'},
            latency: {value: last_choice::DOUBLE, note: 'last message with a choice'},
            tokens: {value: usage::DOUBLE, note: 'usage as reported'}
        },
        {
            tool: 'sglang bench_serving', versions: '0.5.23', newest: true, success: arrived,
            ttft: {value: first_sglang::DOUBLE, note: 'first content, reasoning_content or reasoning; calls of tools are not looked at'},
            itl: {value: ((last_sglang - first_sglang) / nullif(sglang_outputs - 1, 0))::DOUBLE, note: 'mean gap between messages with output'},
            tpot: {value: ((done - first_sglang) / usage_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (usage / nullif(done, 0) * 1000)::DOUBLE, note: 'the tool divides the run''s tokens by its duration; here the request''s own'},
            latency: {value: done::DOUBLE, note: 'last line'},
            tokens: {value: usage::DOUBLE, note: 'usage as reported'}
        },
        {
            tool: 'aiperf', versions: '0.13', newest: true, success: arrived AND contents > 0 AND NOT error_event,
            ttft: {value: first_content::DOUBLE, note: 'first content or thinking'},
            itl: {value: ((last_content - first_content) / shown_gaps)::DOUBLE, note: 'also called TPOT there'},
            tpot: {value: ((last_content - first_content) / shown_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (shown_gaps / nullif(last_content - first_content, 0) * 1000)::DOUBLE, note: 'per user: 1 ÷ ITL'},
            latency: {value: last_content::DOUBLE, note: 'last content'},
            tokens: {value: shown::DOUBLE, note: 'the tool counts what is shown with its own tokenizer, here by usage; --use-server-token-count takes the billed ones'}
        },
        {
            tool: 'aiperf', versions: '0.13 with --use-server-token-count', newest: false, success: arrived AND contents > 0 AND NOT error_event,
            ttft: {value: first_content::DOUBLE, note: 'first content or thinking'},
            itl: {value: ((last_content - first_content) / billed_gaps)::DOUBLE, note: 'also called TPOT there'},
            tpot: {value: ((last_content - first_content) / billed_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (billed_gaps / nullif(last_content - first_content, 0) * 1000)::DOUBLE, note: 'per user: 1 ÷ ITL'},
            latency: {value: last_content::DOUBLE, note: 'last content'},
            tokens: {value: billed::DOUBLE, note: 'usage as reported'}
        },
        {
            tool: 'guidellm', versions: '0.8', newest: true, success: arrived AND NOT error_key AND (contents > 0 OR counted > 0),
            ttft: {value: (first_content - setup)::DOUBLE, note: 'first content, thinking or tool call; connection set-up is left out'},
            itl: {value: ((last_content - first_content) / counted_gaps)::DOUBLE, note: '(last − first) ÷ (tokens − 1)'},
            tpot: {value: ((coalesce(last_content, done) - setup) / nullif(counted, 0))::DOUBLE, note: '(last − start) ÷ tokens: TTFT is inside'},
            speed: {value: (counted / nullif(done - setup, 0) * 1000)::DOUBLE, note: 'tokens ÷ latency'},
            latency: {value: (done - setup)::DOUBLE, note: '[DONE], or the end of the request where none comes; connection set-up is left out'},
            tokens: {value: counted::DOUBLE, note: 'usage as reported, else messages'}
        },
        {
            tool: 'inference-perf', versions: '0.7', newest: true, success: arrived,
            ttft: {value: (CASE WHEN coalesce(visible, texts) > 1 THEN first_text END)::DOUBLE, note: 'first visible text, where there is more than one token of it'},
            itl: {value: ((last_text - first_text) / visible_gaps)::DOUBLE, note: 'each token of a message has the message''s time: the mean equals TPOT'},
            tpot: {value: ((last_text - first_text) / visible_gaps)::DOUBLE, note: '(last − first) ÷ (tokens − 1), visible text only'},
            speed: {value: (visible / nullif(end_ms, 0) * 1000)::DOUBLE, note: 'the tool divides the run''s tokens by its duration; here the request''s own'},
            latency: {value: end_ms::DOUBLE, note: 'end of the request'},
            tokens: {value: visible::DOUBLE, note: 'the tool counts visible text with its own tokenizer; here by usage'}
        },
        {
            tool: 'evalscope perf', versions: '1.14 and later', newest: true, success: arrived AND NOT error_key,
            ttft: {value: coalesce(first_content, 0)::DOUBLE, note: 'first content, thinking or tool call; 0 where none comes'},
            itl: {value: ((last_content - first_content) / nullif(contents - 1, 0))::DOUBLE, note: 'mean gap between messages with output'},
            tpot: {value: ((last_message - coalesce(first_content, 0)) / usage_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (usage / nullif(last_message, 0) * 1000)::DOUBLE, note: 'the tool divides the run''s tokens by its duration; here the request''s own'},
            latency: {value: last_message::DOUBLE, note: 'last message, usage included'},
            tokens: {value: usage::DOUBLE, note: 'usage as reported'}
        },
        {
            tool: 'evalscope perf', versions: 'before 1.14', newest: false, success: arrived,
            ttft: {value: first_choice::DOUBLE, note: 'first message with a choice: a role alone counts'},
            itl: {value: mean_gap::DOUBLE, note: 'mean gap of messages with a choice to the message before, of any kind'},
            tpot: {value: ((last_message - first_choice) / usage_gaps)::DOUBLE, note: '(latency − TTFT) ÷ (tokens − 1)'},
            speed: {value: (usage / nullif(last_message, 0) * 1000)::DOUBLE, note: 'the tool divides the run''s tokens by its duration; here the request''s own'},
            latency: {value: last_message::DOUBLE, note: 'last message, usage included'},
            tokens: {value: usage::DOUBLE, note: 'usage as reported'}
        },
        {
            tool: 'llmeter', versions: '0.2', newest: true, success: arrived AND NOT error_key,
            ttft: {value: first_text::DOUBLE, note: 'first visible text'},
            itl: {value: NULL::DOUBLE, note: 'not stated'},
            tpot: {value: ((last_text - first_text) / usage_gaps)::DOUBLE, note: 'visible window ÷ all tokens: too good where thinking is hidden'},
            speed: {value: (usage_gaps / nullif(last_text - first_text, 0) * 1000)::DOUBLE, note: '1 ÷ TPOT'},
            latency: {value: coalesce(last_text, end_ms)::DOUBLE, note: 'last visible text; the end of the request where none comes'},
            tokens: {value: usage::DOUBLE, note: 'usage as reported, hidden thinking included'}
        },
        {
            tool: 'genai-perf', versions: '0.0.16', newest: true, success: arrived AND texts > 0 AND NOT error_event,
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
    SELECT request_id, said.tool AS tool, said.versions AS versions, said.newest AS newest, said.success AS success, unnest([
        {metric: 'ttft_ms', states: said.ttft},
        {metric: 'itl_ms', states: said.itl},
        {metric: 'tpot_ms', states: said.tpot},
        {metric: 'tokens_per_s', states: said.speed},
        {metric: 'latency_ms', states: said.latency},
        {metric: 'output_tokens', states: said.tokens}
    ]) AS row
    FROM stated
)
SELECT request_id, tool, versions, newest, success, row.metric AS metric, CASE WHEN isfinite(row.states.value) THEN row.states.value END AS value,
    CASE WHEN success THEN row.states.note ELSE 'counted as failed there; ' || row.states.note END AS note
FROM long
ORDER BY request_id, tool, newest DESC, metric;

CREATE OR REPLACE VIEW definitions_versions AS SELECT * FROM definitions_versions_all();

COMMENT ON VIEW definitions_versions IS 'one row per request × tool × versions of it × metric: what definitions says, and what older versions and other settings of the tools would state';
COMMENT ON COLUMN definitions_versions.tool IS 'whose definition';
COMMENT ON COLUMN definitions_versions.versions IS 'of the tool, for which the row was held against its code';
COMMENT ON COLUMN definitions_versions.newest IS 'whether it is the row of definitions';
COMMENT ON COLUMN definitions_versions.success IS 'whether the tool counts the request as a success';
COMMENT ON COLUMN definitions_versions.metric IS 'ttft_ms, itl_ms, tpot_ms, tokens_per_s, latency_ms or output_tokens';
COMMENT ON COLUMN definitions_versions.value IS 'what the tool would state, in the unit that the metric''s name ends in; NULL where it would state nothing';
COMMENT ON COLUMN definitions_versions.note IS 'how the tool arrives at it, and whether it counts the request as failed';
COMMENT ON MACRO TABLE definitions_versions_all IS 'one row per request × tool × versions × metric';
