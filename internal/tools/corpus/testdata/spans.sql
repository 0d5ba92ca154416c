-- recomputed: one row per request with frames: what the decoder counts in passing,
-- from the events themselves
CREATE OR REPLACE TEMP VIEW recomputed AS
WITH placed AS (
    SELECT *, seq::BIGINT * 65536 + part AS place,
        kind IN ('text', 'reasoning', 'tool', 'refusal') AS content,
        kind IN ('text', 'tool', 'refusal') AS answer,
        text_chars + reasoning_chars + tool_chars + refusal_chars AS chars
    FROM events
),
counted AS (
    SELECT
        request_id,
        min(t_ns) AS first_frame_ns,
        max(t_ns) AS last_frame_ns,
        min(t_ns) FILTER (kind NOT IN ('comment', 'ping')) AS first_event_ns,
        min(t_ns) FILTER (content) AS first_content_ns,
        max(t_ns) FILTER (content) AS last_content_ns,
        min(t_ns) FILTER (kind = 'reasoning') AS first_reasoning_ns,
        max(t_ns) FILTER (kind = 'reasoning') AS last_reasoning_ns,
        min(t_ns) FILTER (answer) AS first_answer_ns,
        max(t_ns) FILTER (answer) AS last_answer_ns,
        count(DISTINCT seq) FILTER (content) AS content_frames,
        count(DISTINCT read_seq) FILTER (content) AS content_reads,
        count(DISTINCT seq) FILTER (kind = 'undecoded') AS undecoded_frames,
        sum(text_chars)::BIGINT AS text_chars,
        sum(reasoning_chars)::BIGINT AS reasoning_chars,
        sum(tool_chars)::BIGINT AS tool_chars,
        sum(refusal_chars)::BIGINT AS refusal_chars,
        count(DISTINCT choice) FILTER (content OR kind = 'finish') AS choices,
        min(seq) FILTER (kind = 'done') AS done_seq,
        min(seq) FILTER (kind = 'error') AS error_seq
    FROM placed
    GROUP BY request_id
),
-- A read counts with its first content. A stamp that lies before an earlier one
-- leaves a gap of 0.
led AS (
    SELECT *, max(t_ns) OVER (PARTITION BY request_id ORDER BY place ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS before_ns
    FROM (SELECT * FROM placed WHERE content QUALIFY row_number() OVER (PARTITION BY request_id, read_seq ORDER BY place) = 1)
),
gaps AS (
    SELECT request_id, place, before_ns, greatest(t_ns - before_ns, 0) AS gap_ns FROM led WHERE t_ns IS NOT NULL AND before_ns IS NOT NULL
),
stalls AS (
    SELECT request_id,
        max(gap_ns) AS max_gap_ns,
        arg_max(before_ns, (gap_ns, -place)) AS max_gap_after_ns,
        quantile_cont(gap_ns, 0.5) AS gap_p50_ns,
        quantile_cont(gap_ns, 0.99) AS gap_p99_ns
    FROM gaps
    GROUP BY request_id
),
reads AS (
    SELECT request_id, count(*) FILTER (answer) AS answer_reads FROM led GROUP BY request_id
),
firsts AS (
    SELECT request_id,
        sum(chars) FILTER (content AND read_seq = first_read)::BIGINT AS first_chars,
        sum(chars) FILTER (answer AND read_seq = first_answer_read)::BIGINT AS first_answer_chars
    FROM (
        SELECT *, min(read_seq) FILTER (content) OVER request AS first_read, min(read_seq) FILTER (answer) OVER request AS first_answer_read
        FROM placed WINDOW request AS (PARTITION BY request_id)
    )
    GROUP BY request_id
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
        arg_max(cache_write_1h_tokens, place) AS cache_write_1h_tokens,
        arg_max(tool_input_tokens, place) AS tool_input_tokens,
        arg_max(audio_input_tokens, place) AS audio_input_tokens,
        arg_max(image_input_tokens, place) AS image_input_tokens,
        arg_max(audio_tokens, place) AS audio_tokens,
        arg_max(image_tokens, place) AS image_tokens,
        arg_max(accepted_tokens, place) AS accepted_tokens,
        arg_max(rejected_tokens, place) AS rejected_tokens,
        arg_max(searches, place) AS searches,
        arg_max(code_executions, place) AS code_executions,
        arg_max(file_searches, place) AS file_searches,
        arg_max(metered_input_tokens, place) AS metered_input_tokens,
        arg_max(metered_output_tokens, place) AS metered_output_tokens,
        arg_max(search_context, place) AS search_context,
        coalesce(bool_or(cached_disjoint), false) AS cached_disjoint,
        try_cast(arg_max(reported_cost_usd, place) AS DOUBLE) AS reported_cost_usd,
        try_cast(arg_max(reported_output_cost_usd, place) AS DOUBLE) AS reported_output_cost_usd,
        try_cast(arg_max(reported_request_cost_usd, place) AS DOUBLE) AS reported_request_cost_usd,
        arg_min(error_type, place) AS error_type,
        arg_min(error_code, place) AS error_code,
        arg_min(error_message, place) AS error_message,
        arg_max(served_model, place) AS served_model,
        arg_max(served_provider, place) AS served_provider,
        arg_max(system_fingerprint, place) AS system_fingerprint,
        arg_max(served_tier, place) AS served_tier,
        arg_max(served_geo, place) AS served_geo,
        arg_max(media, place) AS media,
        coalesce(bool_or(hidden_thinking), false) AS hidden_thinking,
        coalesce(bool_or(unmarked), false) AS unmarked,
        arg_max(response_id, place) AS response_id,
        arg_max(timings, place) AS timings,
        sum(listed_tokens)::BIGINT AS listed_tokens,
        count(DISTINCT choice) FILTER (finish IS NOT NULL) AS finished_choices
    FROM placed
    WHERE request_id IN (SELECT request_id FROM _details)
    GROUP BY request_id
),
-- A choice ends with its last finish reason, the response with the worst of its
-- choices'.
endings AS (
    SELECT request_id, max(seq) AS finish_seq, arg_max(finish_reason, worst) AS finish_reason, arg_max(finish, worst) AS finish
    FROM (
        SELECT request_id, max(seq) AS seq, arg_max(finish_reason, place) AS finish_reason, arg_max(finish, place) AS finish,
            list_position(['stop', 'tool', 'other', 'pause', 'length', 'filter', 'error'], arg_max(finish, place)) * 65536 - choice AS worst
        FROM placed WHERE finish IS NOT NULL GROUP BY request_id, choice
    )
    GROUP BY request_id
)
SELECT c.*,
    s.max_gap_ns, s.max_gap_after_ns, s.gap_p50_ns, s.gap_p99_ns,
    coalesce(a.answer_reads, 0) AS answer_reads,
    f.first_chars, f.first_answer_chars,
    e.finish_seq, e.finish_reason, e.finish,
    r.* EXCLUDE (request_id, listed_tokens) REPLACE (coalesce(r.hidden_thinking, false) AS hidden_thinking, coalesce(r.unmarked, false) AS unmarked), r.listed_tokens
FROM counted c
LEFT JOIN stalls s ON s.request_id = c.request_id
LEFT JOIN reads a ON a.request_id = c.request_id
LEFT JOIN firsts f ON f.request_id = c.request_id
LEFT JOIN reported r ON r.request_id = c.request_id
LEFT JOIN endings e ON e.request_id = c.request_id;

-- decoded: the same, as the decoder has it
CREATE OR REPLACE TEMP VIEW decoded_spans AS
SELECT d.*, s.choices, s.first_chars, s.first_answer_chars, s.listed_tokens
FROM _reduced d
JOIN _streams s ON s.request_id = d.request_id;
