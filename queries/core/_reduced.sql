-- _reduced: one row per request with frames: its stream brought down to what results are made of
-- needs: _streams
-- key: request_id
-- stored: no
--
-- The decoder counts what every frame would have to be read again for: when each
-- kind of content came first and last, its characters, the gaps between reads
-- with content. What these mean is said here and in the files above. Times are
-- offsets from the request's start in nanoseconds. Content is what was generated:
-- text, refusal, thinking, tool calls; answer is all of it but thinking.
CREATE OR REPLACE VIEW _reduced AS
SELECT
    request_id,
    first_frame_ns,
    last_frame_ns,
    first_event_ns,
    least(first_text_ns, first_refusal_ns, first_tool_ns, first_reasoning_ns) AS first_content_ns,
    greatest(last_text_ns, last_refusal_ns, last_tool_ns, last_reasoning_ns) AS last_content_ns,
    first_reasoning_ns,
    last_reasoning_ns,
    least(first_text_ns, first_refusal_ns, first_tool_ns) AS first_answer_ns,
    greatest(last_text_ns, last_refusal_ns, last_tool_ns) AS last_answer_ns,
    longest_ns AS max_gap_ns,
    longest_after_ns AS max_gap_after_ns,
    gap_p50_ns, gap_p99_ns,
    content_frames, content_reads, answer_reads, undecoded_frames,
    text_chars, refusal_chars, tool_chars, reasoning_chars,
    done_seq, error_seq,
    finish_seq, finish_reason, finish,
    input_tokens, output_tokens, total_tokens, reasoning_tokens, cached_tokens, cache_write_tokens, cache_write_1h_tokens, tool_input_tokens,
    audio_input_tokens, image_input_tokens, audio_tokens, image_tokens, accepted_tokens, rejected_tokens,
    searches, code_executions, file_searches, search_context, metered_input_tokens, metered_output_tokens, cached_disjoint,
    try_cast(reported_cost_usd AS DOUBLE) AS reported_cost_usd,
    try_cast(reported_output_cost_usd AS DOUBLE) AS reported_output_cost_usd,
    try_cast(reported_request_cost_usd AS DOUBLE) AS reported_request_cost_usd,
    error_type, error_code, error_message,
    served_model, served_provider, system_fingerprint, served_tier, served_geo, response_id, timings, media, hidden_thinking, unmarked,
    finished_choices
FROM _streams
WHERE frames > 0;
