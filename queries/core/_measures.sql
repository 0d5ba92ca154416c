-- _measures: one row per request: everything that the row itself says
-- needs: _outcomes, _explained
-- key: request_id
-- stored: run
--
-- What depends on prices, scores, checks, exclusions or other rows is added in
-- results. Durations turn into milliseconds here; the integers stay private.
CREATE OR REPLACE VIEW _measures AS
WITH told AS (
    SELECT *,
        -- A response that was not streamed has no first token: no stream was asked
        -- for, or one body came all the same. A stream of one frame has one; one
        -- whose frames all came in one read, or whose compressed body did, has none:
        -- somebody held it back.
        coalesce(streamed, true) AND NOT coalesce(reads = 1 AND (content_frames > 1 OR coalesce(content_encoding, 'identity') <> 'identity'), false)
        AND CASE WHEN frames = 1 AND content_frames = 1
            THEN coalesce(regexp_matches(response_headers, '"content-type"\s*:\s*\[?\s*"(text/event-stream|application/(x-ndjson|vnd\.amazon\.eventstream))', 'i'), false)
            ELSE true END AS as_stream,
        -- Tokens that are billed as output and are no text.
        output_tokens - coalesce(audio_tokens, 0) - coalesce(image_tokens, 0) - coalesce(rejected_tokens, 0) AS text_tokens
    FROM _outcomes
),
timed AS (
    SELECT *,
        CASE WHEN detail = 'chunks' AND as_stream THEN first_content_ns WHEN detail = 'requests' THEN reported_ttft_ns END AS ttft_ns,
        CASE WHEN detail = 'chunks' AND as_stream THEN first_answer_ns END AS ttfat_ns,
        CASE WHEN detail = 'chunks' AND as_stream THEN last_content_ns WHEN detail = 'requests' THEN reported_last_token_ns END AS last_token_ns,
        CASE
            WHEN dns_ns IS NOT NULL OR connect_ns IS NOT NULL OR tls_ns IS NOT NULL
                THEN coalesce(dns_ns, 0) + coalesce(connect_ns, 0) + coalesce(tls_ns, 0)
            WHEN conn_reused THEN 0
        END AS setup_ns,
        -- Thinking counts as seen when at least a character per token of it was
        -- shown; a summary is shorter, and its tokens are outside the window.
        coalesce(reasoning_tokens, 0) > 0 AND (coalesce(reasoning_chars, 0) < reasoning_tokens
            OR coalesce(reasoning_tokens > _explained(reasoning_o200k, reasoning_chars, 0), false)) AS thinking_hidden,
        -- More is billed than what was shown can take, and no count explains it: how
        -- many of the tokens fall into the window is not known.
        token_source = 'usage' AND (
            coalesce(hidden_thinking, false) AND reasoning_tokens IS NULL
            OR media IS NOT NULL AND coalesce(audio_tokens, image_tokens) IS NULL
            OR coalesce(CASE
                WHEN coalesce(reasoning_tokens, 0) = 0 THEN text_tokens > _explained(answer_o200k + coalesce(reasoning_o200k, 0), text_chars + refusal_chars + tool_chars + reasoning_chars, tool_chars)
                ELSE text_tokens - reasoning_tokens > _explained(answer_o200k, text_chars + refusal_chars + tool_chars, tool_chars)
            END, false)
        ) AS unlisted
    FROM told
),
-- The window of output speed, and the tokens and characters that fall into it:
-- all content, or the answer alone where thinking went on unseen.
windows AS (
    SELECT *,
        CASE
            WHEN unlisted THEN NULL
            WHEN coalesce(reasoning_chars, 0) = 0 THEN output_tokens - coalesce(reasoning_tokens, 0)
            ELSE output_tokens - reasoning_tokens
        END AS visible_tokens,
        CASE WHEN thinking_hidden AND detail = 'chunks' THEN last_answer_ns - first_answer_ns ELSE last_token_ns - ttft_ns END AS window_ns,
        CASE
            WHEN unlisted THEN NULL
            WHEN NOT thinking_hidden THEN text_tokens
            WHEN detail = 'chunks' THEN text_tokens - reasoning_tokens
            -- A source does not say whether its window holds the thinking.
        END AS window_tokens,
        CASE WHEN thinking_hidden THEN coalesce(first_answer_tokens, 1) ELSE coalesce(first_tokens, 1) END AS window_first_tokens,
        CASE WHEN thinking_hidden THEN text_chars + refusal_chars + tool_chars - first_answer_chars
            ELSE text_chars + refusal_chars + tool_chars + reasoning_chars - first_chars END AS window_chars,
        CASE
            WHEN detail = 'requests' THEN coalesce(len(reported_gaps_ns) + 1, 5) -- reads are not known: the window and the tokens must do
            WHEN thinking_hidden THEN answer_reads
            ELSE content_reads
        END AS window_reads
    FROM timed
),
-- What of these windows can be added up over answers: no floor chooses among
-- them, two reads with content are enough. Of a row that a source reports, the
-- window may be what its own speed implies, or end with the request.
flows AS (
    SELECT *,
        CASE
            WHEN window_reads >= 2 AND window_ns > 0 THEN window_ns
            WHEN detail = 'requests' AND window_ns IS NULL AND reported_tokens_per_s > 0
                THEN CASE WHEN window_tokens > window_first_tokens THEN round((window_tokens - window_first_tokens) / reported_tokens_per_s * 1e9)::BIGINT END
            WHEN detail = 'requests' AND window_ns IS NULL AND reported_tokens_per_s IS NULL AND end_ns > ttft_ns THEN end_ns - ttft_ns
        END AS flow_ns,
        CASE WHEN as_stream AND answer_reads >= 2 AND last_answer_ns > first_answer_ns THEN last_answer_ns - first_answer_ns END AS visible_ns,
        CASE WHEN shown_o200k >= 2 AND first_answer_chars < text_chars + refusal_chars + tool_chars
            THEN round(shown_o200k * (1 - first_answer_chars / (text_chars + refusal_chars + tool_chars)))::BIGINT END AS visible_flow
    FROM windows
),
speeds AS (
    SELECT *,
        CASE WHEN window_reads >= 5 AND window_ns >= 200000000 AND window_tokens >= 2 AND window_tokens > window_first_tokens
            THEN (window_tokens - window_first_tokens) / (window_ns / 1e9)
            -- A source that states neither its last token nor a speed: to the end,
            -- which may lie after the last token, and the speed then too low.
            WHEN detail = 'requests' AND window_ns IS NULL AND reported_tokens_per_s IS NULL AND window_tokens >= 2 AND end_ns - ttft_ns >= 200000000
            THEN (window_tokens - 1) / ((end_ns - ttft_ns) / 1e9) END AS speed,
        CASE WHEN window_reads >= 5 AND window_ns >= 200000000 AND window_chars > 0
            THEN window_chars / (window_ns / 1e9) END AS char_speed,
        CASE WHEN answer_reads >= 5 AND visible_ns >= 200000000 AND visible_flow > 0
            THEN visible_flow / (visible_ns / 1e9) END AS visible_speed,
        CASE WHEN detail = 'requests' AND reported_ttft_ns IS NOT NULL AND len(reported_gaps_ns) > 0
            THEN list_max(reported_gaps_ns) END AS reported_max_gap_ns
    FROM flows
)
SELECT
    run_id,
    request_id,
    make_timestamp(started_at_ns // 1000) AS started_at,
    window_name,
    window_key,
    trial,
    phase,
    provider,
    model,
    scenario,
    concurrency,
    vantage,
    params,
    region, workload, architecture, "precision", reasoning, service_tier, campaign, session_id, caller_request_id, attempt,
    burst_index, in_flight, idle_before_ms, conn_reused, http_status, end_reason, prompt_hash, prompt_index, prompt_tokens_planned,
    api, model_id, host, probe, probe_arm, origin, streamed, checks,
    outcome, complete, as_planned, answered, overloaded, failure,
    CASE WHEN detail = 'chunks' THEN 'chunks' ELSE 'reported' END AS evidence,
    setup_ns / 1e6 AS setup_ms,
    sent_ns / 1e6 AS sent_ms,
    least(headers_ns, first_frame_ns) / 1e6 AS first_byte_ms,
    first_event_ns / 1e6 AS first_event_ms,
    ttft_ns / 1e6 AS ttft_ms,
    (ttft_ns - setup_ns) / 1e6 AS ttft_net_ms,
    ttfat_ns / 1e6 AS ttfat_ms,
    CASE WHEN as_stream THEN (CASE WHEN first_answer_ns >= first_reasoning_ns THEN first_answer_ns ELSE last_reasoning_ns END - first_reasoning_ns) / 1e6 END AS thinking_ms,
    last_token_ns / 1e6 AS last_token_ms,
    coalesce(last_frame_ns, end_ns, reported_last_token_ns) / 1e6 AS e2e_ms,
    (started_at_ns - scheduled_at_ns) / 1e6 AS lag_ms,
    input_tokens, cached_tokens, cache_write_tokens, cached_disjoint, output_tokens, reasoning_tokens, visible_tokens, token_source,
    input_o200k, answer_o200k, reasoning_o200k,
    cache_write_1h_tokens, audio_input_tokens, image_input_tokens, audio_tokens, image_tokens, accepted_tokens, rejected_tokens,
    searches, code_executions, file_searches, search_context, reported_request_cost_usd, metered_input_tokens, metered_output_tokens, coalesce(usage_disputed, false) AS usage_disputed,
    coalesce(hidden_thinking, false) AS hidden_thinking, media, unlisted,
    CASE
        WHEN speed IS NOT NULL OR detail = 'requests' AND window_ns IS NULL AND reported_tokens_per_s IS NOT NULL THEN NULL
        WHEN ttft_ns IS NULL OR last_token_ns IS NULL THEN NULL
        WHEN unlisted THEN 'more is billed than was shown: thinking or media that is neither shown nor counted'
        WHEN output_tokens IS NULL THEN 'no count of tokens'
        WHEN thinking_hidden AND detail = 'requests' THEN 'the source does not say whether its window holds the thinking'
        WHEN window_reads < 5 THEN 'fewer than five reads with content'
        WHEN window_ns < 200000000 THEN 'a window under 200 ms'
        ELSE 'fewer than two tokens after the first read'
    END AS speed_note,
    flow_ns AS window_ns,
    CASE WHEN flow_ns IS NOT NULL AND window_tokens > window_first_tokens THEN window_tokens - window_first_tokens END AS window_tokens,
    CASE WHEN flow_ns IS NOT NULL AND window_chars > 0 THEN window_chars END AS window_chars,
    CASE WHEN visible_flow > 0 THEN visible_ns END AS visible_window_ns,
    CASE WHEN visible_ns IS NOT NULL AND visible_flow > 0 THEN visible_flow END AS visible_window_tokens,
    try_cast(coalesce(timings->>'$.engine_ttft_ms', timings->>'$.time_to_first_token_ms') AS DOUBLE) AS engine_ttft_ms,
    coalesce(speed, CASE WHEN detail = 'requests' AND window_ns IS NULL THEN reported_tokens_per_s END) AS tokens_per_s,
    1000 / coalesce(speed, CASE WHEN detail = 'requests' AND window_ns IS NULL AND reported_tokens_per_s > 0 THEN reported_tokens_per_s END) AS tpot_ms,
    char_speed AS chars_per_s,
    visible_speed AS visible_tokens_per_s,
    output_tokens / nullif(coalesce(last_frame_ns, end_ns, reported_last_token_ns), 0) * 1e9 AS output_per_e2e,
    coalesce(max_gap_ns, reported_max_gap_ns) / 1e6 AS max_stall_ms,
    coalesce(max_gap_after_ns, CASE WHEN reported_max_gap_ns IS NOT NULL
        THEN reported_ttft_ns + coalesce(list_sum(reported_gaps_ns[:list_position(reported_gaps_ns, reported_max_gap_ns) - 1]), 0) END) / 1e6 AS stall_after_ms,
    coalesce(gap_p50_ns, list_aggregate(reported_gaps_ns, 'quantile_cont', 0.5)) / 1e6 AS gap_p50_ms,
    coalesce(gap_p99_ns, list_aggregate(reported_gaps_ns, 'quantile_cont', 0.99)) / 1e6 AS gap_p99_ms,
    frames, content_frames, reads,
    CASE WHEN detail = 'chunks' THEN text_chars + refusal_chars ELSE length(reported_text) END AS answer_chars,
    reasoning_chars, tool_chars,
    coalesce(finish_reason, reported_finish_reason) AS finish_reason,
    finish, served_model, served_provider, system_fingerprint, served_tier, served_geo, terminator,
    coalesce(undecoded_frames, CASE WHEN frames IS NOT NULL THEN 0 END) AS undecoded_frames,
    CASE WHEN last_frame_ns IS NOT NULL THEN if(recorder_lag_ns IS NULL, 'read', 'kernel') END AS clock,
    recorder_lag_ns / 1e3 AS recorder_lag_us_max,
    coalesced_frames / nullif(frames, 0) AS coalesced_share,
    coalesce(usage_cost_usd, reported_cost_usd) AS reported_cost_usd
FROM speeds;
