-- generateContent, as it is sent and as SDKs write it down, with underscores.
CREATE OR REPLACE TEMP VIEW oracle AS
WITH frames AS (
    SELECT request_id, seq, document, j FROM payloads WHERE api = 'gemini'
),
candidates AS (
    SELECT request_id, seq, unnest(json_extract(j, '$.candidates[*]')) AS c FROM frames
),
parts AS (
    SELECT request_id, seq, unnest(json_extract(c, '$.content.parts[*]')) AS p FROM candidates
),
sizes AS (
    SELECT request_id, seq,
        sum(length(said(p, '$.text'))) FILTER (coalesce(p ->> '$.thought', '') <> 'true') AS text_chars,
        sum(length(said(p, '$.text'))) FILTER (p ->> '$.thought' = 'true') AS reasoning_chars
    FROM parts GROUP BY ALL
),
ends AS (
    SELECT request_id, seq, list_sort(list(reason)) AS finish
    FROM (
        SELECT request_id, seq, coalesce(said(c, '$.finishReason'), said(c, '$.finish_reason')) AS reason FROM candidates
        UNION ALL
        SELECT request_id, seq, said(j, '$.promptFeedback.blockReason') FROM frames
    ) WHERE reason IS NOT NULL GROUP BY ALL
)
SELECT f.request_id, f.seq,
    coalesce(s.text_chars, 0)::BIGINT AS text_chars, coalesce(s.reasoning_chars, 0)::BIGINT AS reasoning_chars, 0::BIGINT AS refusal_chars,
    e.finish,
    coalesce(counted(f.j, '$.usageMetadata.promptTokenCount'), counted(f.j, '$.usage_metadata.prompt_token_count')) AS input_tokens,
    coalesce(counted(f.j, '$.usageMetadata.candidatesTokenCount'), counted(f.j, '$.usage_metadata.candidates_token_count')) AS output_tokens,
    coalesce(counted(f.j, '$.usageMetadata.totalTokenCount'), counted(f.j, '$.usage_metadata.total_token_count')) AS total_tokens,
    coalesce(counted(f.j, '$.usageMetadata.thoughtsTokenCount'), counted(f.j, '$.usage_metadata.thoughts_token_count')) AS reasoning_tokens,
    coalesce(counted(f.j, '$.usageMetadata.cachedContentTokenCount'), counted(f.j, '$.usage_metadata.cached_content_token_count')) AS cached_tokens,
    coalesce(json_type(f.j, '$.error') NOT IN ('NULL'), false) AS error,
    coalesce(f.document = '[DONE]', false) AS done
FROM frames f
LEFT JOIN sizes s ON s.request_id = f.request_id AND s.seq = f.seq
LEFT JOIN ends e ON e.request_id = f.request_id AND e.seq = f.seq;

-- A call may come in pieces: its name first, then parts of its arguments, each
-- with its path. What these make is not put together here: NULL.
CREATE OR REPLACE TEMP VIEW oracle_calls AS
WITH parts AS (
    SELECT request_id, seq, place, coalesce(p -> '$.functionCall', p -> '$.function_call') AS f, coalesce(p -> '$.executableCode', p -> '$.executable_code') AS code
    FROM (
        SELECT request_id, seq, generate_subscripts(json_extract(j, '$.candidates[0].content.parts[*]'), 1) AS place, unnest(json_extract(j, '$.candidates[0].content.parts[*]')) AS p
        FROM payloads WHERE api = 'gemini'
    )
),
pieces AS (
    SELECT request_id, seq, place, coalesce(said(f, '$.id'), said(code, '$.id')) AS id,
        coalesce(said(f, '$.name'), CASE WHEN json_type(code) = 'OBJECT' THEN 'code_execution' END) AS name,
        coalesce(said(code, '$.code'), (f -> '$.args')::VARCHAR) AS arguments,
        json_type(f -> '$.partialArgs') = 'ARRAY' AS partial
    FROM parts WHERE json_type(f) = 'OBJECT' OR json_type(code) = 'OBJECT'
),
numbered AS (
    SELECT *, count(name) OVER (PARTITION BY request_id ORDER BY seq, place) - 1 AS call FROM pieces
)
SELECT request_id, 0::BIGINT AS choice, call, any_value(id) AS id, any_value(name) AS name,
    CASE WHEN bool_or(partial) THEN NULL ELSE coalesce(string_agg(arguments, '' ORDER BY seq, place), '') END AS arguments
FROM numbered
GROUP BY ALL;
