-- The same facts as the decoders have them.
CREATE OR REPLACE TEMP VIEW decoded AS
SELECT e.request_id, e.seq,
    sum(e.text_chars)::BIGINT AS text_chars, sum(e.reasoning_chars)::BIGINT AS reasoning_chars, sum(e.refusal_chars)::BIGINT AS refusal_chars,
    list_sort(list(e.finish_reason) FILTER (e.kind = 'finish')) AS finish,
    arg_max(e.input_tokens, e.part) AS input_tokens, arg_max(e.output_tokens, e.part) AS output_tokens, arg_max(e.total_tokens, e.part) AS total_tokens,
    arg_max(e.reasoning_tokens, e.part) AS reasoning_tokens, arg_max(e.cached_tokens, e.part) AS cached_tokens,
    bool_or(e.kind = 'error') AS error,
    bool_or(e.kind = 'done') AS done
FROM events e
GROUP BY e.request_id, e.seq;

CREATE OR REPLACE TEMP VIEW decoded_calls AS
SELECT request_id, (c ->> '$.choice')::BIGINT AS choice, (c ->> '$.index')::BIGINT AS call, c ->> '$.id' AS id, c ->> '$.name' AS name, c ->> '$.arguments' AS arguments
FROM (SELECT request_id, unnest(json_extract(tool_calls, '$[*]')) AS c FROM answers WHERE tool_calls IS NOT NULL);

-- Thinking between tags is told apart by the decoders alone, and a piece of a tag
-- is held back for a frame: of such answers only the sum can be compared.
CREATE OR REPLACE TEMP VIEW tagged AS
SELECT request_id FROM answers WHERE regexp_matches(coalesce(reasoning, ''), '^\s*(<|\[)(think|thinking|thought|THINK|reasoning|seed:think)') OR reasoning LIKE '%</think>%';
