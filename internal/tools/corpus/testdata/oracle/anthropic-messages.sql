-- Messages, and the older text completions.
CREATE OR REPLACE TEMP VIEW oracle AS
WITH frames AS (
    SELECT request_id, seq, document, j, coalesce(said(j, '$.type'), event) AS type FROM payloads WHERE api = 'anthropic-messages'
),
blocks AS (
    SELECT request_id, seq, unnest(coalesce(json_extract(j, '$.content[*]'), []) || coalesce(json_extract(j, '$.message.content[*]'), [])) AS b
    FROM frames WHERE type IN ('message', 'message_start')
    UNION ALL
    SELECT request_id, seq, coalesce(j -> '$.content_block', j -> '$.delta') FROM frames WHERE type IN ('content_block_start', 'content_block_delta')
),
texts AS (
    SELECT request_id, seq, said(b, '$.text') AS text, said(b, '$.thinking') AS reasoning FROM blocks
    WHERE coalesce(said(b, '$.type'), '') IN ('text', 'text_delta', 'thinking', 'thinking_delta')
    UNION ALL
    SELECT request_id, seq, said(j, '$.completion'), NULL FROM frames WHERE type = 'completion'
),
sizes AS (
    SELECT request_id, seq, sum(length(text)) AS text_chars, sum(length(reasoning)) AS reasoning_chars FROM texts GROUP BY ALL
),
read AS (
    SELECT *, coalesce(said(j, '$.delta.stop_reason'), said(j, '$.message.stop_reason'), said(j, '$.stop_reason')) AS stop_reason,
        coalesce(j -> '$.usage', j -> '$.message.usage') AS u
    FROM frames
)
SELECT f.request_id, f.seq,
    coalesce(s.text_chars, 0)::BIGINT AS text_chars, coalesce(s.reasoning_chars, 0)::BIGINT AS reasoning_chars, 0::BIGINT AS refusal_chars,
    CASE WHEN f.stop_reason IS NOT NULL THEN [f.stop_reason] END AS finish,
    counted(f.u, '$.input_tokens') AS input_tokens, counted(f.u, '$.output_tokens') AS output_tokens, NULL::BIGINT AS total_tokens,
    counted(f.u, '$.output_tokens_details.thinking_tokens') AS reasoning_tokens, counted(f.u, '$.cache_read_input_tokens') AS cached_tokens,
    f.type = 'error' AS error,
    coalesce(f.type = 'message_stop' OR f.document = '[DONE]', false) AS done
FROM read f
LEFT JOIN sizes s ON s.request_id = f.request_id AND s.seq = f.seq;

CREATE OR REPLACE TEMP VIEW oracle_calls AS
WITH frames AS (
    SELECT request_id, seq, j, said(j, '$.type') AS type, counted(j, '$.index') AS block FROM payloads WHERE api = 'anthropic-messages'
)
SELECT o.request_id, 0::BIGINT AS choice, o.block AS call, said(o.j, '$.content_block.id') AS id, said(o.j, '$.content_block.name') AS name,
    coalesce(nullif(string_agg(said(d.j, '$.delta.partial_json'), '' ORDER BY d.seq), ''),
        nullif((any_value(o.j) -> '$.content_block.input')::VARCHAR, '{}'), '') AS arguments
FROM frames o
LEFT JOIN frames d ON d.request_id = o.request_id AND d.block = o.block AND d.type = 'content_block_delta'
WHERE o.type = 'content_block_start' AND said(o.j, '$.content_block.type') LIKE '%tool_use'
GROUP BY o.request_id, o.block, id, name
UNION ALL
SELECT request_id, 0, place - 1, said(b, '$.id'), said(b, '$.name'), (b -> '$.input')::VARCHAR
FROM (SELECT request_id, generate_subscripts(json_extract(j, '$.content[*]'), 1) AS place, unnest(json_extract(j, '$.content[*]')) AS b FROM frames WHERE type = 'message')
WHERE said(b, '$.type') LIKE '%tool_use';
