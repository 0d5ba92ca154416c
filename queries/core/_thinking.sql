-- _thinking: one row per request: what it asked of thinking, and what came
-- needs: _requests, _measures, _answers
-- key: request_id
-- stored: run
--
-- "Off" is read from the request as it was sent, in every spelling that APIs
-- have for it; a request that says nothing asks for nothing ("not sent" is not
-- "off"), and hiding thoughts (include_reasoning, exclude) turns nothing off.
CREATE OR REPLACE VIEW _thinking AS
WITH sent AS (
    SELECT request_id, CASE WHEN json_valid(body) THEN json_extract_string(body, [
            -- an effort; "none" is off
            '$.reasoning_effort', '$.reasoning.effort', '$.output_config.effort', '$.effort', '$.generationConfig.thinkingConfig.thinkingLevel',
            -- a type; "disabled" is off
            '$.thinking.type', '$.additionalModelRequestFields.thinking.type', '$.additionalModelRequestFields.reasoning_config.type', '$.thinking_mode',
            -- a switch; false is off
            '$.reasoning.enabled', '$.enable_thinking', '$.enable_reasoning', '$.think', '$.thinking', '$.reasoning',
            '$.chat_template_kwargs.enable_thinking', '$.chat_template_kwargs.thinking', '$.extra_body.enable_thinking',
            '$.extra_body.chat_template_kwargs.enable_thinking', '$.extra_body.chat_template_kwargs.thinking',
            -- a budget; 0 is off
            '$.thinking.budget_tokens', '$.reasoning.max_tokens', '$.thinking_budget', '$.thinking_token_budget', '$.extra_body.thinking_budget',
            '$.generationConfig.thinkingConfig.thinkingBudget', '$.generation_config.thinking_config.thinking_budget',
            '$.additionalModelRequestFields.thinking.budget_tokens'
        ]) END AS said
    FROM (SELECT request_id, coalesce(request_body, params) AS body FROM _requests)
),
asked AS (
    SELECT request_id, list_filter(said, lambda v: v IS NOT NULL AND v NOT LIKE '{%') AS said FROM sent
)
SELECT
    m.request_id,
    CASE
        WHEN len(list_filter(a.said, lambda v: lower(v) IN ('none', 'disabled', 'off', 'false', '0', 'no'))) > 0 THEN 'off'
        WHEN len(a.said) > 0 THEN 'on'
    END AS asked,
    -- Thoughts that are shown speak for themselves: tags with nothing between
    -- them are none, whatever their tokens are counted as.
    CASE
        WHEN m.reasoning_chars > 0 THEN trim(regexp_replace(coalesce(w.reasoning, 'x'), '</?(think|thinking|thought|reasoning)>', '', 'gi'), E' \t\r\n') <> ''
        WHEN m.hidden_thinking AND coalesce(m.reasoning_tokens, 1) > 0 THEN true
        WHEN m.reasoning_tokens IS NOT NULL THEN m.reasoning_tokens > 0
    END AS thought,
    -- The answer came in the field for thoughts, and nothing in its own.
    m.outcome = 'starved' AND m.finish IN ('stop', 'other') AND m.reasoning_chars > 0 AND coalesce(m.tool_chars, 0) = 0 AS misplaced,
    -- More tokens are billed than characters came: something was generated that
    -- is neither shown nor itemised.
    m.answered AND m.reasoning_tokens IS NULL AND coalesce(m.reasoning_chars, 0) = 0 AND m.token_source = 'usage'
        AND (coalesce(m.unlisted, false) AND m.media IS NULL OR m.media IS NULL AND m.output_tokens > m.answer_chars + coalesce(m.tool_chars, 0) + 16) AS unitemised
FROM _measures m
JOIN asked a ON a.request_id = m.request_id
LEFT JOIN _answers w ON w.request_id = m.request_id;
