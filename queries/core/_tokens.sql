-- _tokens: one row per request: its facts, and what was read and written in tokens
-- needs: _facts
-- key: request_id
-- stored: no
--
-- Whether thinking is inside or beside the output count, and cached input inside
-- or beside the input count, is read from the row's own identity
-- total − input − output, never from the vendor's name.
CREATE OR REPLACE VIEW _tokens AS
WITH given AS (
    SELECT
        *,
        CASE WHEN usage_input IS NOT NULL THEN coalesce(usage_output, usage_total - usage_input) ELSE usage_output END AS output,
        CASE
            -- No output in a usage beside text is a usage that was sent too early.
            WHEN output = 0 AND answer_o200k + coalesce(reasoning_o200k, 0) > 0 THEN 'tokenizer'
            WHEN usage_output IS NOT NULL OR usage_total IS NOT NULL THEN 'usage'
            WHEN reported_output_tokens IS NOT NULL THEN 'reported'
            WHEN answer_o200k IS NOT NULL THEN 'tokenizer'
        END AS source,
        usage_input + coalesce(usage_tool_input, 0) AS input,
        usage_total - usage_input - coalesce(usage_output, usage_total - usage_input) AS rest,
        coalesce(usage_cached, 0) + coalesce(usage_written, 0) AS cache,
        usage_output IS NULL AND text_chars + tool_chars + refusal_chars = 0 AS unseen
    FROM _facts
),
identity AS (
    SELECT *,
        coalesce(usage_disjoint, false)
            OR (cache > 0 AND rest IN (cache, cache + coalesce(usage_reasoning, 0)) AND rest IS DISTINCT FROM usage_reasoning) AS disjoint,
        CASE
            WHEN usage_reasoning IS NULL OR usage_reasoning = 0 THEN 'none'
            WHEN rest IN (usage_reasoning, usage_reasoning + coalesce(usage_tool_input, 0), usage_reasoning + cache) THEN 'beside'
            WHEN usage_reasoning > output THEN 'beside' -- whatever the total says: a part is not more than the whole
            ELSE 'inside'
        END AS side
    FROM given
)
SELECT
    * EXCLUDE (source, input, output, rest, cache, unseen, disjoint, side),
    source AS token_source,
    CASE source
        WHEN 'usage' THEN input + CASE WHEN disjoint THEN cache ELSE 0 END
        WHEN 'reported' THEN reported_input_tokens
        -- A usage that says nothing of the output may say 0 of the input, too.
        WHEN 'tokenizer' THEN coalesce(nullif(input + CASE WHEN disjoint THEN cache ELSE 0 END, 0), reported_input_tokens, input_o200k)
    END AS input_tokens,
    usage_cached AS cached_tokens,
    usage_written AS cache_write_tokens,
    CASE source
        WHEN 'usage' THEN output + CASE
            WHEN side = 'beside' THEN usage_reasoning
            -- A total that neither counts explain: thinking that is billed and not itemised.
            WHEN side = 'none' AND usage_reasoning IS NULL AND NOT disjoint AND rest - coalesce(usage_tool_input, 0) > 0 THEN rest - coalesce(usage_tool_input, 0)
            ELSE 0
        END
        WHEN 'reported' THEN reported_output_tokens
        WHEN 'tokenizer' THEN answer_o200k + coalesce(reasoning_o200k, 0)
    END AS output_tokens,
    CASE source
        WHEN 'usage' THEN CASE
            WHEN usage_reasoning IS NOT NULL THEN usage_reasoning
            WHEN NOT disjoint AND rest - coalesce(usage_tool_input, 0) > 0 THEN rest - coalesce(usage_tool_input, 0)
            WHEN unseen THEN output -- only a total is reported, and nothing came of it
        END
        WHEN 'reported' THEN reported_reasoning_tokens
        WHEN 'tokenizer' THEN reasoning_o200k
    END AS reasoning_tokens,
    CASE WHEN source = 'usage' THEN disjoint END AS cached_disjoint
FROM identity;
