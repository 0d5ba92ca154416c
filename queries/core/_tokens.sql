-- _tokens: one row per request: its facts, and what was read and written in tokens
-- needs: _facts
-- key: request_id
-- stored: no
--
-- What is inside and what is beside a count (thinking, cached input, audio and
-- images) is read from the row's own identity total − input − output, never
-- from the vendor's name.

-- Whether a price of so many dollars a million looks like one that a list has:
-- two digits at most.
CREATE OR REPLACE MACRO _listed(usd) AS
    abs(round(usd, (1 - floor(log10(CASE WHEN usd > 0 THEN usd END)))::INTEGER) - usd) <= 1e-6 * usd;

CREATE OR REPLACE MACRO _possible(tokens) AS CASE WHEN tokens <= 100000000 THEN tokens END;

-- Whether some pair of such prices, output being one to ten times input, makes
-- up a stated cost.
CREATE OR REPLACE MACRO _priceable(cost_usd, input, output) AS
    list_bool_or([_listed(cost_usd * 1e6 / (input + output * k)) AND cost_usd * 1e6 / (input + output * k) <= 10 FOR k IN [1, 2, 2.5, 3, 4, 5, 6, 8, 10]]);

CREATE OR REPLACE VIEW _tokens AS
-- Only the impossible is not believed: a count beyond ten times the largest context
-- on offer, and more cached input than input that it is part of.
WITH believed AS (
    SELECT * REPLACE (
            _possible(usage_input) AS usage_input, _possible(usage_output) AS usage_output, _possible(usage_total) AS usage_total,
            _possible(usage_reasoning) AS usage_reasoning,
            CASE WHEN beside OR usage_cached + coalesce(usage_written, 0) <= usage_input OR usage_input IS NULL THEN _possible(usage_cached) END AS usage_cached,
            CASE WHEN beside OR coalesce(usage_cached, 0) + usage_written <= usage_input OR usage_input IS NULL THEN _possible(usage_written) END AS usage_written
        )
    FROM (
        SELECT *, coalesce(usage_disjoint, false)
            OR coalesce(usage_total - usage_input - usage_output >= coalesce(usage_cached, 0) + coalesce(usage_written, 0), false) AS beside
        FROM _facts
    )
),
said AS (
    SELECT * EXCLUDE (beside) REPLACE (
            coalesce(usage_input, metered_input_tokens) AS usage_input,
            coalesce(usage_output, CASE WHEN usage_total IS NULL THEN metered_output_tokens END) AS usage_output
        ),
        metered_output_tokens <> usage_output OR metered_input_tokens <> usage_input AS usage_disputed
    FROM believed
),
given AS (
    SELECT
        *,
        CASE WHEN usage_input IS NOT NULL THEN coalesce(usage_output, usage_total - usage_input) ELSE usage_output END AS output,
        CASE
            -- No output in a usage beside text is a usage that was sent too early;
            -- so is one that stood before the last text of a stream that was cut.
            WHEN output = 0 AND answer_o200k + coalesce(reasoning_o200k, 0) > 0
                OR usage_final = false AND done_seq IS NULL AND finish_seq IS NULL AND answer_o200k IS NOT NULL THEN 'tokenizer'
            WHEN usage_output IS NOT NULL OR usage_total IS NOT NULL THEN 'usage'
            WHEN reported_output_tokens IS NOT NULL THEN 'reported'
            WHEN answer_o200k IS NOT NULL THEN 'tokenizer'
        END AS source,
        usage_input + coalesce(usage_tool_input, 0) AS input,
        usage_total - usage_input - coalesce(usage_output, usage_total - usage_input) AS rest,
        coalesce(usage_cached, 0) + coalesce(usage_written, 0) AS cache,
        coalesce(audio_input_tokens, 0) + coalesce(image_input_tokens, 0) AS media_in,
        coalesce(audio_tokens, 0) + coalesce(image_tokens, 0) AS media_out,
        usage_output IS NULL AND text_chars + tool_chars + refusal_chars = 0 AS unseen
    FROM said
),
identity AS (
    SELECT *,
        coalesce(usage_disjoint, false)
            OR (cache > 0 AND rest IN (cache, cache + coalesce(usage_reasoning, 0)) AND rest IS DISTINCT FROM usage_reasoning) AS disjoint,
        -- Audio and images that stand beside the input, or beside the output.
        coalesce(rest, 0) - coalesce(usage_tool_input, 0) AS left_over,
        CASE WHEN coalesce(usage_reasoning, 0) = 0 AND media_in > 0 AND left_over IN (media_in, audio_input_tokens, image_input_tokens) THEN left_over ELSE 0 END AS input_beside,
        CASE WHEN coalesce(usage_reasoning, 0) = 0 AND input_beside = 0 AND media_out > 0 AND left_over IN (media_out, audio_tokens, image_tokens) THEN left_over ELSE 0 END AS output_beside,
        CASE
            WHEN usage_reasoning IS NULL OR usage_reasoning = 0 THEN 'none'
            WHEN rest IN (usage_reasoning, usage_reasoning + coalesce(usage_tool_input, 0), usage_reasoning + cache, usage_reasoning + media_in, usage_reasoning + media_out) THEN 'beside'
            WHEN usage_reasoning <= output THEN 'inside'
            -- More thinking than output, and a total that counts none of it: one of
            -- these is wrong. What was allowed tells, then what was charged.
            WHEN output + usage_reasoning > max_tokens THEN 'inside'
            WHEN _listed(reported_output_cost_usd * 1e6 / nullif(output, 0)) <> _listed(reported_output_cost_usd * 1e6 / (output + usage_reasoning))
                THEN CASE WHEN _listed(reported_output_cost_usd * 1e6 / (output + usage_reasoning)) THEN 'beside' ELSE 'inside' END
            WHEN _priceable(usage_cost_usd, usage_input, output) <> _priceable(usage_cost_usd, usage_input, output + usage_reasoning)
                THEN CASE WHEN _priceable(usage_cost_usd, usage_input, output + usage_reasoning) THEN 'beside' ELSE 'inside' END
            -- An estimate may be a little more than the whole, and not many times as much.
            WHEN rest = 0 AND usage_reasoning <= 2 * output THEN 'inside'
            ELSE 'beside'
        END AS side
    FROM given
)
SELECT
    * EXCLUDE (source, input, output, rest, cache, unseen, disjoint, side, media_in, media_out, left_over, input_beside, output_beside, max_tokens),
    source AS token_source,
    CASE source
        WHEN 'usage' THEN coalesce(input + CASE WHEN disjoint THEN cache ELSE 0 END + input_beside, input_o200k)
        WHEN 'reported' THEN reported_input_tokens
        -- A usage that says nothing of the output may say 0 of the input, too.
        WHEN 'tokenizer' THEN coalesce(nullif(input + CASE WHEN disjoint THEN cache ELSE 0 END, 0), reported_input_tokens, input_o200k)
    END AS input_tokens,
    usage_cached AS cached_tokens,
    usage_written AS cache_write_tokens,
    CASE source
        WHEN 'usage' THEN output + CASE
            WHEN side = 'beside' THEN usage_reasoning
            -- A total that no count explains: thinking that is billed and not itemised.
            WHEN side = 'none' AND usage_reasoning IS NULL AND NOT disjoint AND input_beside = 0 AND left_over > 0 THEN left_over
            ELSE output_beside
        END
        WHEN 'reported' THEN reported_output_tokens
        WHEN 'tokenizer' THEN greatest(answer_o200k + coalesce(reasoning_o200k, 0), coalesce(usage_output, 0))
    END AS output_tokens,
    CASE source
        WHEN 'usage' THEN CASE
            WHEN usage_reasoning IS NOT NULL THEN CASE WHEN side = 'inside' THEN least(usage_reasoning, output) ELSE usage_reasoning END
            WHEN NOT disjoint AND input_beside = 0 AND output_beside = 0 AND left_over > 0 THEN left_over
            WHEN unseen AND media IS NULL THEN output -- only a total is reported, and nothing came of it
        END
        WHEN 'reported' THEN reported_reasoning_tokens
        WHEN 'tokenizer' THEN reasoning_o200k
    END AS reasoning_tokens,
    CASE WHEN source = 'usage' THEN disjoint END AS cached_disjoint
FROM identity;
