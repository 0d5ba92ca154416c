-- _outcomes: one row per request: its facts and tokens, and how it ended
-- needs: _tokens, _idle_limits
-- key: request_id
-- stored: no
--
-- The order of asking is part of the meaning: did our side fail, did HTTP
-- answer, did it say no (the body is read before the status), did the stream
-- end, and what did it end with. What happens after an ending changes nothing.
CREATE OR REPLACE VIEW _outcomes AS
WITH facts AS (
    SELECT
        t.*,
        -- An error that is the whole body of a source without a word on HTTP has
        -- the status that it states itself.
        coalesce(http_status, CASE WHEN frames = 1 AND regexp_full_match(error_code, '[45]\d\d') THEN error_code::INTEGER END) AS status,
        coalesce(end_reason, CASE WHEN detail = 'chunks' THEN 'eof' END) AS ended_by,
        -- All the words that there are on what went wrong.
        lower(concat_ws(' ', error_type, error_code, error_message, reported_error)) AS words,
        coalesce(text_chars, length(reported_text)) AS written_chars,
        coalesce(usage_finish, CASE
            WHEN reported_finish_reason IS NULL THEN NULL
            WHEN lower(reported_finish_reason) IN ('length', 'max_tokens', 'max_output_tokens', 'model_length', 'model_context_window_exceeded', 'incomplete') THEN 'length'
            WHEN lower(reported_finish_reason) IN ('content_filter', 'refusal', 'safety', 'recitation', 'blocklist', 'prohibited_content', 'spii', 'guardrail_intervened', 'content_filtered') THEN 'filter'
            WHEN lower(reported_finish_reason) IN ('error', 'malformed_function_call') THEN 'error'
            WHEN lower(reported_finish_reason) IN ('tool_calls', 'tool_use', 'function_call') THEN 'tool'
            WHEN lower(reported_finish_reason) = 'pause_turn' THEN 'pause'
            ELSE 'stop'
        END) AS finish,
        CASE
            WHEN done_seq IS NOT NULL THEN 'done'
            WHEN coalesce(usage_finish, reported_finish_reason) IS NOT NULL THEN 'finish'
            WHEN end_reason = 'eof' THEN 'eof'
            ELSE 'none'
        END AS terminator,
        CASE
            WHEN done_seq IS NOT NULL AND finish_seq IS NOT NULL AND finished_choices >= choices THEN least(done_seq, finish_seq)
            WHEN done_seq IS NOT NULL THEN done_seq
            WHEN finished_choices >= greatest(choices, 1) THEN finish_seq
            -- Where nothing marks the end, a clean end of the body is one.
            WHEN unmarked AND incomplete_frames = 0 AND coalesce(end_reason, 'eof') = 'eof' THEN frames - 1
            -- A body that was not streamed ends with itself.
            WHEN streamed IS NOT true AND frames = 1 AND incomplete_frames = 0 AND content_frames = 1
                AND coalesce(end_reason, 'eof') = 'eof' THEN 0
        END AS ended_seq,
        coalesce(text_chars > 0 AND NOT answer_blank, reported_text IS NOT NULL AND trim(reported_text) <> '') AS has_text,
        coalesce(tool_chars, 0) > 0 OR media IS NOT NULL AS has_output, -- what is no text: calls, images, sound
        coalesce(refusal_chars, 0) > 0 AS has_refusal,
        coalesce(reasoning_chars, 0) > 0 OR coalesce(reasoning_tokens, 0) > 0 OR coalesce(hidden_thinking, false)
            -- A limit that was reached by more than what shows was reached by thinking.
            OR finish = 'length' AND coalesce(output_tokens > written_chars, written_chars = 0) AS has_thinking,
        -- How long no content had come when the request was given up: since the
        -- last of it, or since the response began; NULL where none did.
        end_ns - coalesce(last_content_ns, reported_last_token_ns, reported_ttft_ns, first_frame_ns, headers_ns) AS silent_ns,
        -- 30 s is the idle limit of a plan that states none.
        coalesce(l.idle_ns, 30000000000) AS idle_limit_ns
    FROM _tokens t
    LEFT JOIN _idle_limits l ON l.run_id = t.run_id
),
read AS (
    SELECT *,
        ended_seq IS NOT NULL AS ended,
        status IS NULL OR status BETWEEN 200 AND 299 AS accepted,
        regexp_matches(words, 'model[ _]?not[ _]?(found|exist|available|supported|running|loaded|ready|deployed)|(models?|deployment)\W+(\S+\s+){0,3}(does not|doesn''t) exist|no such model|unknown model|invalid model|not a valid model|models?\W.{0,200}not found|models?\W.{0,80}(is not available|not running|decommissioned|deprecated|is not supported)|not_found_error .{0,20}model: |model identifier is invalid|resolve the foundation model|on-demand throughput|dedicated endpoint|non-serverless|not[ _-]?serverless|no endpoints found|no allowed providers|deploymentnotfound|endpoint.{0,40}(paused|not running|scaled to zero)')
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
            WHEN NOT ended AND ended_by = 'limit' THEN 'client_error'
            WHEN NOT ended AND ended_by = 'cancelled' THEN 'cancelled'
            -- HTTP.
            WHEN ended_by IN ('dns', 'refused', 'tls', 'timeout_connect') THEN 'connect_error'
            -- A source may say nothing of HTTP: where frames came, it answered.
            WHEN status IS NULL AND coalesce(frames, 0) = 0 AND detail = 'chunks' AND ended_by IN ('reset', 'eof', 'unexpected_eof') THEN 'connect_error'
            WHEN ended_by = 'timeout_first_byte' AND accepted AND NOT ended THEN 'timeout'
            -- Heartbeats are no content: a stream that had nothing else for the
            -- idle limit is a stall, though bytes came to the end.
            WHEN ended_by = 'timeout_total' AND accepted AND NOT ended AND coalesce(silent_ns < idle_limit_ns, true) THEN 'timeout'
            -- A refusal.
            WHEN status >= 400 AND words_unavailable THEN 'unavailable'
            -- A server that fails while it asks for keys or bills has failed.
            WHEN status IN (401, 402) OR status BETWEEN 400 AND 499 AND status <> 429 AND words_account AND NOT words_rate
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
            WHEN NOT ended AND ended_by IN ('timeout_idle', 'timeout_total') THEN 'stalled'
            WHEN NOT ended AND detail = 'chunks' AND accepted AND coalesce(frames, 0) = 0 AND ended_by = 'eof' THEN 'empty'
            WHEN NOT ended AND detail = 'chunks' THEN 'cut'
            -- The ending.
            WHEN finish = 'filter' OR has_refusal AND NOT has_text THEN 'filtered'
            -- A stop after no token, without content, is nothing.
            WHEN detail = 'requests' AND NOT has_text AND NOT has_output AND finish = 'stop' AND output_tokens = 0 THEN 'empty'
            -- A text that a source does not give may be anything; one that it gives
            -- as empty is empty, unless tools were called.
            WHEN detail = 'requests' AND NOT has_text AND (reported_text IS NULL OR finish = 'tool')
                AND (reported_ttft_ns IS NOT NULL OR output_tokens > 0 OR finish IS NOT NULL)
                THEN CASE WHEN finish = 'length' THEN 'truncated' ELSE 'ok' END
            WHEN NOT has_text AND NOT has_output AND has_thinking THEN 'starved'
            WHEN NOT has_text AND NOT has_output THEN 'empty'
            -- A turn that pauses goes on with another request.
            WHEN finish IN ('length', 'pause') THEN 'truncated'
            ELSE 'ok'
        END AS outcome
    FROM read
)
SELECT
    * EXCLUDE (status, ended_by, words, ended_seq, has_text, has_output, has_refusal, has_thinking, written_chars, silent_ns, idle_limit_ns, ended, accepted,
        words_unavailable, words_account, words_rate, words_overloaded),
    outcome IN ('ok', 'truncated') AS complete,
    outcome = 'ok' OR outcome = 'truncated' AND finish = 'length' AND coalesce(ends = 'length', false) AS as_planned,
    outcome IN ('ok', 'truncated', 'filtered', 'starved', 'empty') AS answered,
    CASE WHEN outcome IN ('server_error', 'rate_limited', 'stream_error') THEN words_overloaded OR coalesce(status = 529, false) END AS overloaded,
    CASE WHEN outcome NOT IN ('ok', 'truncated', 'filtered', 'starved', 'empty') THEN coalesce(nullif(words, ''), error_text) END AS failure
FROM judged;
