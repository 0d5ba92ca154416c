-- _outcomes: one row per request: how it ended
-- needs: _requests, _reduced, _streams, _tokens
-- key: request_id
-- stored: no
--
-- The order of asking is part of the meaning: did our side fail, did HTTP
-- answer, did it say no (the body is read before the status), did the stream
-- end, and what did it end with. What happens after an ending changes nothing.
CREATE OR REPLACE VIEW _outcomes AS
WITH facts AS (
    SELECT
        r.request_id,
        r.detail,
        -- An error that is the whole body of a source without a word on HTTP has
        -- the status that it states itself.
        coalesce(r.http_status, CASE WHEN s.frames = 1 AND regexp_full_match(d.error_code, '[45]\d\d') THEN d.error_code::INTEGER END) AS status,
        coalesce(r.end_reason, CASE WHEN r.detail = 'chunks' THEN 'eof' END) AS end_reason,
        r.end_ns,
        coalesce(r.ends, 'natural') AS ends,
        r.reported_error,
        r.error_text,
        -- All the words that there are on what went wrong.
        lower(concat_ws(' ', d.error_type, d.error_code, d.error_message, r.reported_error)) AS words,
        coalesce(d.finish, CASE
            WHEN r.reported_finish_reason IS NULL THEN NULL
            WHEN lower(r.reported_finish_reason) IN ('length', 'max_tokens', 'max_output_tokens', 'model_length', 'model_context_window_exceeded', 'incomplete') THEN 'length'
            WHEN lower(r.reported_finish_reason) IN ('content_filter', 'refusal', 'safety', 'recitation', 'blocklist', 'prohibited_content', 'spii', 'guardrail_intervened', 'content_filtered') THEN 'filter'
            WHEN lower(r.reported_finish_reason) IN ('error', 'malformed_function_call') THEN 'error'
            WHEN lower(r.reported_finish_reason) IN ('tool_calls', 'tool_use', 'function_call') THEN 'tool'
            ELSE 'stop'
        END) AS finish,
        CASE
            WHEN d.done_seq IS NOT NULL THEN 'done'
            WHEN coalesce(d.finish, r.reported_finish_reason) IS NOT NULL THEN 'finish'
            WHEN r.end_reason = 'eof' THEN 'eof'
            ELSE 'none'
        END AS terminator,
        CASE
            WHEN d.done_seq IS NOT NULL AND d.finish_seq IS NOT NULL AND d.finished_choices >= s.choices THEN least(d.done_seq, d.finish_seq)
            WHEN d.done_seq IS NOT NULL THEN d.done_seq
            WHEN d.finished_choices >= greatest(s.choices, 1) THEN d.finish_seq
            -- A body that was not streamed ends with itself.
            WHEN r.streamed IS NOT true AND s.frames = 1 AND s.incomplete_frames = 0 AND d.content_frames = 1
                AND coalesce(r.end_reason, 'eof') = 'eof' THEN 0
        END AS ended_seq,
        d.error_seq,
        coalesce(d.text_chars > 0 AND NOT s.answer_blank, r.reported_text IS NOT NULL AND trim(r.reported_text) <> '') AS has_text,
        coalesce(d.tool_chars, 0) > 0 AS has_tool,
        coalesce(d.refusal_chars, 0) > 0 AS has_refusal,
        coalesce(d.reasoning_chars, 0) > 0 OR coalesce(t.reasoning_tokens, 0) > 0
            -- A limit that was reached by more than what shows was reached by thinking.
            OR d.finish = 'length' AND coalesce(t.output_tokens > d.text_chars, d.text_chars = 0) AS has_thinking,
        coalesce(d.last_content_ns, d.first_frame_ns, r.headers_ns, r.sent_ns, 0) AS last_sign_ns,
        r.reported_ttft_ns, t.output_tokens, coalesce(s.frames, 0) AS frames
    FROM _requests r
    LEFT JOIN _reduced d ON d.request_id = r.request_id
    LEFT JOIN _streams s ON s.request_id = r.request_id
    LEFT JOIN _tokens t ON t.request_id = r.request_id
),
read AS (
    SELECT *,
        ended_seq IS NOT NULL AS ended,
        status IS NULL OR status BETWEEN 200 AND 299 AS accepted,
        regexp_matches(words, 'model[ _]?not[ _]?(found|exist|available|supported|running|loaded|ready|deployed)|(does not|doesn''t) exist|no such model|unknown model|invalid model|not a valid model|models?\W.{0,200}not found|models?\W.{0,80}(is not available|not running|decommissioned|deprecated|is not supported)|not_found_error .{0,20}model: |model identifier is invalid|resolve the foundation model|on-demand throughput|dedicated endpoint|non-serverless|not[ _-]?serverless|no endpoints found|no allowed providers|deploymentnotfound|endpoint.{0,40}(paused|not running|scaled to zero)')
            AS words_unavailable,
        regexp_matches(words, 'insufficient[_ ](quota|balance|credit|funds)|exceeded your current quota|billing|credit balance|payment required|out of credits|invalid[_ ]api[_ ]key|incorrect api key|authentication|unauthorized|quota exceeded')
            AS words_account,
        regexp_matches(words, 'rate[ _-]?limit|too many requests|throttl')
            AS words_rate,
        regexp_matches(words, 'overloaded|over capacity|at capacity|no capacity|engine_overloaded|temporarily unavailable')
            AS words_overloaded
    FROM facts
),
judged AS (
    SELECT *,
        CASE
            -- Our side.
            WHEN NOT ended AND end_reason = 'limit' THEN 'client_error'
            WHEN NOT ended AND end_reason = 'cancelled' THEN 'cancelled'
            -- HTTP.
            WHEN end_reason IN ('dns', 'refused', 'tls', 'timeout_connect') THEN 'connect_error'
            -- A source may say nothing of HTTP: where frames came, it answered.
            WHEN status IS NULL AND frames = 0 AND detail = 'chunks' AND end_reason IN ('reset', 'eof', 'unexpected_eof') THEN 'connect_error'
            WHEN end_reason = 'timeout_first_byte' AND accepted AND NOT ended THEN 'timeout'
            WHEN end_reason = 'timeout_total' AND accepted AND NOT ended AND end_ns - last_sign_ns < 30000000000 THEN 'timeout'
            -- A refusal.
            WHEN status >= 400 AND words_unavailable THEN 'unavailable'
            WHEN status IN (401, 402) OR status >= 400 AND status <> 429 AND words_account AND NOT words_rate
                OR status = 429 AND regexp_matches(words, 'insufficient[_ ](quota|balance|credit|funds)|exceeded your current quota|billing|credit balance|out of credits') THEN 'account'
            WHEN status = 429 THEN 'rate_limited'
            WHEN status >= 500 THEN 'server_error'
            WHEN status >= 300 OR status < 200 THEN 'rejected'
            -- Rows that only state a failure.
            WHEN detail = 'requests' AND reported_error IS NOT NULL AND words_rate THEN 'rate_limited'
            WHEN detail = 'requests' AND reported_error IS NOT NULL THEN 'reported_error'
            -- The stream.
            WHEN error_seq IS NOT NULL AND (ended_seq IS NULL OR error_seq <= ended_seq) THEN 'stream_error'
            WHEN finish = 'error' THEN 'stream_error'
            WHEN NOT ended AND end_reason IN ('timeout_idle', 'timeout_total') THEN 'stalled'
            WHEN NOT ended AND detail = 'chunks' THEN 'cut'
            -- The ending.
            WHEN finish = 'filter' OR has_refusal AND NOT has_text THEN 'filtered'
            WHEN detail = 'requests' AND NOT has_text AND NOT has_tool
                AND (reported_ttft_ns IS NOT NULL OR output_tokens > 0 OR finish IS NOT NULL)
                THEN CASE WHEN finish = 'length' THEN 'truncated' ELSE 'ok' END
            WHEN NOT has_text AND NOT has_tool AND has_thinking THEN 'starved'
            WHEN NOT has_text AND NOT has_tool THEN 'empty'
            WHEN finish = 'length' THEN 'truncated'
            ELSE 'ok'
        END AS outcome
    FROM read
)
SELECT
    request_id,
    outcome,
    outcome IN ('ok', 'truncated') AS complete,
    outcome = 'ok' OR outcome = 'truncated' AND ends = 'length' AS as_planned,
    outcome IN ('ok', 'truncated', 'filtered', 'starved', 'empty') AS answered,
    CASE WHEN outcome IN ('server_error', 'rate_limited', 'stream_error') THEN words_overloaded OR coalesce(status = 529, false) END AS overloaded,
    finish,
    terminator,
    CASE WHEN outcome NOT IN ('ok', 'truncated', 'filtered', 'starved', 'empty') THEN coalesce(nullif(words, ''), error_text) END AS failure
FROM judged;
