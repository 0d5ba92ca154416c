-- _reduced: one row per request with frames: its events brought down to what results are made of
-- needs: _events, _details, _kinds
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
        count(*) FILTER (lead >= 2) AS content_frames,
        count(*) FILTER (lead = 3) AS content_reads,
        count(*) FILTER (lead = 3 AND kind <> _kind('reasoning')) AS answer_reads,
        coalesce(sum(chars) FILTER (kind = _kind('text')), 0)::BIGINT AS text_chars,
        coalesce(sum(chars) FILTER (kind = _kind('refusal')), 0)::BIGINT AS refusal_chars,
        coalesce(sum(chars) FILTER (kind = _kind('tool')), 0)::BIGINT AS tool_chars,
        coalesce(sum(chars) FILTER (kind = _kind('reasoning')), 0)::BIGINT AS reasoning_chars,
        min(seq) FILTER (kind = _kind('done')) AS done_seq,
        min(seq) FILTER (kind = _kind('error')) AS error_seq,
        list_sort(list(t_ns) FILTER (lead = 3 AND t_ns IS NOT NULL)) AS reads_ns
    FROM _events
    GROUP BY request_id
),
-- What a provider reports is cumulative: the last value of each field wins.
reported AS (
    SELECT
        request_id,
        arg_max(finish_reason, place) AS finish_reason,
        arg_max(finish, place) AS finish,
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
    FROM (SELECT *, seq::BIGINT * 65536 + part AS place FROM _details)
    GROUP BY request_id
),
undecoded AS (
    SELECT request_id, count(DISTINCT seq) AS undecoded_frames
    FROM _events
    WHERE kind = _kind('undecoded')
    GROUP BY request_id
),
-- A choice has ended with its first finish reason, the response with the last
-- of its choices.
endings AS (
    SELECT request_id, max(seq) AS finish_seq
    FROM (SELECT request_id, choice, min(seq) AS seq FROM _details WHERE finish IS NOT NULL GROUP BY request_id, choice)
    GROUP BY request_id
),
gaps AS (
    SELECT *, list_transform(reads_ns[2:], lambda t, i: t - reads_ns[i]) AS gaps_ns
    FROM dense
)
SELECT
    g.* EXCLUDE (reads_ns, gaps_ns),
    list_max(gaps_ns) AS max_gap_ns,
    reads_ns[list_position(gaps_ns, list_max(gaps_ns))] AS max_gap_after_ns,
    list_aggregate(gaps_ns, 'quantile_cont', 0.5) AS gap_p50_ns,
    list_aggregate(gaps_ns, 'quantile_cont', 0.99) AS gap_p99_ns,
    e.finish_seq,
    coalesce(u.undecoded_frames, 0) AS undecoded_frames,
    r.* EXCLUDE (request_id)
FROM gaps g
LEFT JOIN reported r ON r.request_id = g.request_id
LEFT JOIN undecoded u ON u.request_id = g.request_id
LEFT JOIN endings e ON e.request_id = g.request_id;
