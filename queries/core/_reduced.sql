-- _reduced: one row per request with frames: its events brought down to what results are made of
-- needs: _events, _details, _streams, _kinds
-- key: request_id
-- stored: run
--
-- This is the only file that reads every event, so it is what a build takes its
-- time for. Times are offsets from the request's start in nanoseconds. Content
-- is what was generated: text, refusal, thinking, tool calls; answer is all of
-- it but thinking.
CREATE OR REPLACE VIEW _reduced AS
WITH dense AS (
    SELECT
        request_id,
        min(t_ns) AS first_frame_ns,
        max(t_ns) AS last_frame_ns,
        min(t_ns) FILTER (kind <> _kind('comment') AND kind <> _kind('ping')) AS first_event_ns,
        min(t_ns) FILTER (lead > 0) AS first_content_ns,
        max(t_ns) FILTER (lead > 0) AS last_content_ns,
        min(t_ns) FILTER (kind = _kind('reasoning')) AS first_reasoning_ns,
        max(t_ns) FILTER (kind = _kind('reasoning')) AS last_reasoning_ns,
        min(t_ns) FILTER (lead > 0 AND kind <> _kind('reasoning')) AS first_answer_ns,
        max(t_ns) FILTER (lead > 0 AND kind <> _kind('reasoning')) AS last_answer_ns,
        max(gap_ns) AS max_gap_ns,
        quantile_cont(gap_ns, [0.5, 0.99]) AS gaps_ns
    FROM _events
    GROUP BY request_id
),
placed AS (
    SELECT *, seq::BIGINT * 65536 + part AS place FROM _details
),
-- What a provider reports is cumulative: the last value of each field wins.
reported AS (
    SELECT
        request_id,
        arg_max(input_tokens, place) AS input_tokens,
        arg_max(output_tokens, place) AS output_tokens,
        arg_max(total_tokens, place) AS total_tokens,
        arg_max(reasoning_tokens, place) AS reasoning_tokens,
        arg_max(cached_tokens, place) AS cached_tokens,
        arg_max(cache_write_tokens, place) AS cache_write_tokens,
        arg_max(tool_input_tokens, place) AS tool_input_tokens,
        arg_max(audio_input_tokens, place) AS audio_input_tokens,
        arg_max(audio_tokens, place) AS audio_tokens,
        arg_max(accepted_tokens, place) AS accepted_tokens,
        arg_max(rejected_tokens, place) AS rejected_tokens,
        arg_max(searches, place) AS searches,
        coalesce(bool_or(cached_disjoint), false) AS cached_disjoint,
        try_cast(arg_max(reported_cost_usd, place) AS DOUBLE) AS reported_cost_usd,
        arg_min(error_type, place) AS error_type,
        arg_min(error_code, place) AS error_code,
        arg_min(error_message, place) AS error_message,
        arg_max(served_model, place) AS served_model,
        arg_max(served_provider, place) AS served_provider,
        arg_max(system_fingerprint, place) AS system_fingerprint,
        arg_max(served_tier, place) AS served_tier,
        arg_max(response_id, place) AS response_id,
        arg_max(timings, place) AS timings,
        count(DISTINCT choice) FILTER (finish IS NOT NULL) AS finished_choices
    FROM placed
    GROUP BY request_id
),
-- A choice has ended with its first finish reason, the response with the last
-- of its choices.
endings AS (
    SELECT request_id, max(seq) AS finish_seq, arg_max(finish_reason, place) AS finish_reason, arg_max(finish, place) AS finish
    FROM (
        SELECT request_id, choice, min(place) AS place, arg_min(seq, place) AS seq,
            arg_min(finish_reason, place) AS finish_reason, arg_min(finish, place) AS finish
        FROM placed WHERE finish IS NOT NULL GROUP BY request_id, choice
    )
    GROUP BY request_id
)
SELECT
    d.* EXCLUDE (gaps_ns),
    s.longest_after_ns AS max_gap_after_ns,
    d.gaps_ns[1] AS gap_p50_ns,
    d.gaps_ns[2] AS gap_p99_ns,
    s.content_frames, s.content_reads, s.answer_reads, s.undecoded_frames,
    s.text_chars, s.refusal_chars, s.tool_chars, s.reasoning_chars,
    s.done_seq, s.error_seq,
    e.finish_seq, e.finish_reason, e.finish,
    r.* EXCLUDE (request_id)
FROM dense d
LEFT JOIN _streams s ON s.request_id = d.request_id
LEFT JOIN reported r ON r.request_id = d.request_id
LEFT JOIN endings e ON e.request_id = d.request_id;
