-- _tokens: one row per request: what was read and written, in tokens
-- needs: _requests, _reduced, _streams, _inputs
-- key: request_id
-- stored: no
--
-- Whether thinking is inside or beside the output count, and cached input inside
-- or beside the input count, is read from the row's own identity
-- total − input − output, never from the vendor's name.
CREATE OR REPLACE VIEW _tokens AS
WITH given AS (
    SELECT
        r.request_id,
        CASE
            WHEN d.output_tokens IS NOT NULL OR d.total_tokens IS NOT NULL THEN 'usage'
            WHEN r.reported_output_tokens IS NOT NULL THEN 'reported'
            WHEN s.answer_o200k IS NOT NULL THEN 'tokenizer'
        END AS source,
        d.input_tokens + coalesce(d.tool_input_tokens, 0) AS input,
        CASE WHEN d.input_tokens IS NOT NULL THEN coalesce(d.output_tokens, d.total_tokens - d.input_tokens) ELSE d.output_tokens END AS output,
        d.total_tokens - d.input_tokens - coalesce(d.output_tokens, d.total_tokens - d.input_tokens) AS rest,
        d.reasoning_tokens AS reasoning,
        d.tool_input_tokens AS tool_input,
        d.cached_tokens AS cached,
        d.cache_write_tokens AS written,
        coalesce(d.cached_tokens, 0) + coalesce(d.cache_write_tokens, 0) AS cache,
        coalesce(d.cached_disjoint, false) AS declared_disjoint,
        d.output_tokens IS NULL AND d.text_chars + d.tool_chars + d.refusal_chars = 0 AS unseen,
        r.reported_input_tokens, r.reported_output_tokens, r.reported_reasoning_tokens,
        i.input_o200k, s.answer_o200k, s.reasoning_o200k,
        d.audio_input_tokens, d.audio_tokens, d.accepted_tokens, d.rejected_tokens, d.searches
    FROM _requests r
    LEFT JOIN _reduced d ON d.request_id = r.request_id
    LEFT JOIN _streams s ON s.request_id = r.request_id
    LEFT JOIN _inputs i ON i.request_id = r.request_id
),
identity AS (
    SELECT *,
        declared_disjoint OR (cache > 0 AND rest IN (cache, cache + coalesce(reasoning, 0)) AND rest IS DISTINCT FROM reasoning) AS disjoint,
        CASE
            WHEN reasoning IS NULL OR reasoning = 0 THEN 'none'
            WHEN rest IN (reasoning, reasoning + coalesce(tool_input, 0), reasoning + cache) THEN 'beside'
            WHEN reasoning > output THEN 'beside' -- whatever the total says: a part is not more than the whole
            ELSE 'inside'
        END AS side
    FROM given
)
SELECT
    request_id,
    source AS token_source,
    CASE source
        WHEN 'usage' THEN input + CASE WHEN disjoint THEN cache ELSE 0 END
        WHEN 'reported' THEN reported_input_tokens
        WHEN 'tokenizer' THEN coalesce(input, reported_input_tokens, input_o200k)
    END AS input_tokens,
    cached AS cached_tokens,
    written AS cache_write_tokens,
    CASE source
        WHEN 'usage' THEN output + CASE
            WHEN side = 'beside' THEN reasoning
            -- A total that neither counts explain: thinking that is billed and not itemised.
            WHEN side = 'none' AND reasoning IS NULL AND NOT disjoint AND rest - coalesce(tool_input, 0) > 0 THEN rest - coalesce(tool_input, 0)
            ELSE 0
        END
        WHEN 'reported' THEN reported_output_tokens
        WHEN 'tokenizer' THEN answer_o200k + coalesce(reasoning_o200k, 0)
    END AS output_tokens,
    CASE source
        WHEN 'usage' THEN CASE
            WHEN reasoning IS NOT NULL THEN reasoning
            WHEN NOT disjoint AND rest - coalesce(tool_input, 0) > 0 THEN rest - coalesce(tool_input, 0)
            WHEN unseen THEN output -- only a total is reported, and nothing came of it
        END
        WHEN 'reported' THEN reported_reasoning_tokens
        WHEN 'tokenizer' THEN reasoning_o200k
    END AS reasoning_tokens,
    CASE WHEN source = 'usage' THEN disjoint END AS cached_disjoint,
    input_o200k, answer_o200k, reasoning_o200k,
    audio_input_tokens, audio_tokens, accepted_tokens, rejected_tokens, searches
FROM identity;
