-- Chat completions.
CREATE OR REPLACE TEMP VIEW oracle AS
WITH frames AS (
    SELECT request_id, seq, document, j FROM payloads WHERE api = 'openai-chat'
),
choices AS (
    SELECT request_id, seq, coalesce(counted(c, '$.index'), 0) AS choice, c,
        coalesce(CASE WHEN json_type(c, '$.delta') = 'OBJECT' THEN c -> '$.delta' END, c -> '$.message') AS d
    FROM (SELECT request_id, seq, unnest(json_extract(j, '$.choices[*]')) AS c FROM frames)
),
parts AS ( -- content as a list of typed parts
    SELECT request_id, seq, choice, unnest(json_extract(d, '$.content[*]')) AS p FROM choices
),
texts AS (
    SELECT request_id, seq, coalesce(said(d, '$.content'), CASE WHEN json_type(d, '$.content') = 'OBJECT' THEN (d -> '$.content')::VARCHAR END) AS text, said(d, '$.refusal') AS refusal,
        coalesce(said(d, '$.reasoning_content'), said(d, '$.reasoning'), said(d, '$.reasoning_text'), said(d, '$.thinking'),
            nullif(array_to_string(list_transform(json_extract(d, '$.reasoning_details[*]'), lambda e: coalesce(said(e, '$.text'), said(e, '$.summary'), '')), ''), '')) AS reasoning
    FROM choices
    UNION ALL
    SELECT request_id, seq, said(p, '$.text'), NULL, nullif(array_to_string(json_extract_string(p, '$.thinking[*].text'), ''), '') FROM parts
),
ends AS (
    SELECT request_id, seq, list_sort(list(said(c, '$.finish_reason'))) AS finish
    FROM choices WHERE said(c, '$.finish_reason') IS NOT NULL GROUP BY ALL
),
sizes AS (
    SELECT request_id, seq, sum(length(text)) AS text_chars, sum(length(reasoning)) AS reasoning_chars, sum(length(refusal)) AS refusal_chars
    FROM texts GROUP BY ALL
),
usages AS (
    SELECT request_id, seq, coalesce(
        CASE WHEN json_type(j, '$.usage') = 'OBJECT' THEN j -> '$.usage' END,
        CASE WHEN json_type(j, '$.x_groq.usage') = 'OBJECT' THEN j -> '$.x_groq.usage' END,
        json_extract(j, '$.choices[0].usage')) AS u
    FROM frames
)
SELECT f.request_id, f.seq,
    coalesce(s.text_chars, 0)::BIGINT AS text_chars, coalesce(s.reasoning_chars, 0)::BIGINT AS reasoning_chars, coalesce(s.refusal_chars, 0)::BIGINT AS refusal_chars,
    e.finish,
    counted(u.u, '$.prompt_tokens') AS input_tokens, counted(u.u, '$.completion_tokens') AS output_tokens, counted(u.u, '$.total_tokens') AS total_tokens,
    coalesce(counted(u.u, '$.completion_tokens_details.reasoning_tokens'), counted(u.u, '$.reasoning_tokens')) AS reasoning_tokens,
    coalesce(counted(u.u, '$.prompt_tokens_details.cached_tokens'), counted(u.u, '$.prompt_cache_hit_tokens'), counted(u.u, '$.cached_tokens')) AS cached_tokens,
    coalesce(json_type(f.j, '$.error') NOT IN ('NULL'), false) AS error,
    f.document = '[DONE]' AS done
FROM frames f
LEFT JOIN sizes s ON s.request_id = f.request_id AND s.seq = f.seq
LEFT JOIN ends e ON e.request_id = f.request_id AND e.seq = f.seq
LEFT JOIN usages u ON u.request_id = f.request_id AND u.seq = f.seq;

-- A fragment without an id continues the call that its index names.
CREATE OR REPLACE TEMP VIEW oracle_calls AS
WITH choices AS (
    SELECT request_id, seq, coalesce(counted(c, '$.index'), 0) AS choice,
        json_extract(coalesce(CASE WHEN json_type(c, '$.delta') = 'OBJECT' THEN c -> '$.delta' END, c -> '$.message'), '$.tool_calls[*]') AS list
    FROM (SELECT request_id, seq, unnest(json_extract(j, '$.choices[*]')) AS c FROM payloads WHERE api = 'openai-chat')
),
fragments AS (
    SELECT request_id, seq, choice, place, coalesce(counted(t, '$.index'), place - 1) AS call, said(t, '$.id') AS id,
        said(t, '$.function.name') AS name, said(t, '$.function.arguments') AS arguments
    FROM (SELECT request_id, seq, choice, generate_subscripts(list, 1) AS place, unnest(list) AS t FROM choices)
),
placed AS (
    SELECT * EXCLUDE (id), last_value(id IGNORE NULLS) OVER (PARTITION BY request_id, choice, call ORDER BY seq, place) AS id FROM fragments
)
SELECT request_id, choice, call, id, arg_min(name, seq) AS name, coalesce(string_agg(arguments, '' ORDER BY seq, place), '') AS arguments
FROM placed
GROUP BY ALL;
