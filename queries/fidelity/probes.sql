-- probes: one row per request of a conformance probe
-- tells: the requests behind conformance
-- example: SELECT provider, probe, arm, refused, effect FROM probes ORDER BY request_id LIMIT 10
-- needs: results, answers, _thinking, _streams, _o200k
-- key: request_id
--
-- A probe asks the same in two arms, of which the treatment sets a parameter and
-- the control does not. effect says of each answer whether it is as the parameter
-- would have it, by the same rule in both arms; NULL where the answer cannot tell.
-- The questions that the rules rely on are those of the plan (internal/record/plan/probe.go).
CREATE OR REPLACE VIEW probes AS
WITH rows AS (
    SELECT
        r.request_id, r.run_id, r.window_key, r.trial, r.started_at,
        r.provider, r.model, r.model_id, r.api, r.region, r.params,
        r.probe, r.probe_arm AS arm, r.outcome, r.answered, r.http_status, r.finish, r.failure, r.token_source,
        r.input_tokens, r.output_tokens, r.reasoning_tokens, r.reasoning_chars, r.tool_chars,
        a.text, a.tool_calls,
        t.thought, t.misplaced, t.unitemised,
        s.choices,
        s.listed_tokens AS listed,
        o.tokens AS shown,
        o.answer_tokens,
        CASE WHEN r.probe = 'max_tokens' THEN min(try_cast(json_extract_string(r.params, '$.max_tokens') AS BIGINT)) OVER target END AS cap,
        CASE WHEN r.probe = 'tools' THEN max(r.input_tokens) FILTER (r.probe_arm = 'control' AND r.token_source = 'usage') OVER target END AS bare_input
    FROM results r
    LEFT JOIN answers a ON a.request_id = r.request_id
    LEFT JOIN _thinking t ON t.request_id = r.request_id
    LEFT JOIN _streams s ON s.request_id = r.request_id
    LEFT JOIN _o200k o ON o.request_id = r.request_id
    WHERE r.phase = 'probe' AND r.probe IS NOT NULL AND r.probe_arm IS NOT NULL AND r.excluded IS NULL
    WINDOW target AS (PARTITION BY r.provider, r.model, r.model_id, r.api, r.region, r.probe)
),
judged AS (
    SELECT *,
        CASE WHEN answered THEN CASE probe
            -- Thoughts that are hidden and not counted may be there all the same.
            WHEN 'reasoning_off' THEN CASE
                WHEN misplaced THEN NULL
                WHEN thought THEN false
                WHEN NOT coalesce(unitemised, false) THEN true END
            -- o200k counts what is shown within a half of the provider's own count.
            WHEN 'max_tokens' THEN CASE
                -- Cut at the limit by what is shown: a larger count overstates,
                -- of which usage_count tells.
                WHEN finish = 'length' AND coalesce(reasoning_tokens, 0) = 0 AND thought IS NOT TRUE AND unitemised IS NOT TRUE
                    AND shown BETWEEN cap / 2 AND cap + 2 THEN true
                WHEN output_tokens > cap + 2 AND token_source = 'usage' OR shown > 1.5 * cap + 8 THEN false
                WHEN output_tokens IS NOT NULL OR shown IS NOT NULL THEN true END
            -- Counting to 12 was to stop at 7.
            WHEN 'stop' THEN CASE
                WHEN regexp_matches(text, '\b8\b') THEN false
                WHEN regexp_matches(text, '\b6\b') THEN true END
            WHEN 'json_mode' THEN CASE
                WHEN trim(text, E' \t\r\n') = '' OR text IS NULL OR finish = 'length' THEN NULL
                WHEN json_valid(text) THEN json_type(text) = 'OBJECT'
                ELSE false END
            WHEN 'usage' THEN token_source IS NOT DISTINCT FROM 'usage'
            -- Whether it calls is the model's choice; whether it was told of the
            -- tool shows in the tokens that it read.
            WHEN 'tools' THEN CASE
                WHEN tool_chars > 0 THEN true
                WHEN arm = 'control' THEN false
                WHEN contains(text, 'get_weather') THEN false
                WHEN token_source = 'usage' AND input_tokens <= bare_input + 5 THEN false END
            WHEN 'n' THEN choices >= 2
            WHEN 'logprobs' THEN coalesce(listed, 0) > 0
        END END AS effect
    FROM rows
)
SELECT
    request_id, run_id, window_key, trial, started_at, provider, model, model_id, api, region, probe, arm, outcome, http_status,
    -- Words on a parameter that a model does not have are easily those of a model
    -- that a provider does not have.
    outcome = 'rejected' OR outcome = 'unavailable' AND http_status IN (400, 422) AS refused,
    effect,
    CASE
        WHEN outcome IN ('rejected', 'server_error', 'rate_limited', 'account', 'unavailable') THEN concat_ws(' ', http_status, failure)
        WHEN NOT answered THEN outcome
        WHEN probe = 'reasoning_off' THEN CASE
            WHEN misplaced THEN 'the answer came as thinking'
            WHEN thought THEN concat_ws(', ', reasoning_tokens || ' thinking tokens', reasoning_chars || ' characters of it shown')
            WHEN unitemised THEN 'more tokens billed than shown, not itemised'
            WHEN thought IS NULL THEN 'no thinking shown or counted'
            ELSE 'no thinking' END
        WHEN probe = 'max_tokens' THEN concat_ws(', ', output_tokens || ' tokens', shown || ' of o200k shown', 'finish ' || finish,
            CASE WHEN effect = false AND reasoning_tokens > 0 AND output_tokens - reasoning_tokens <= cap + 2 AND coalesce(answer_tokens, 0) <= 1.5 * cap + 8
                THEN 'the answer is cut, thinking goes on beyond the limit' END,
            CASE WHEN effect AND arm = 'treatment' AND finish <> 'length' THEN 'cut and called complete' END)
        WHEN probe IN ('stop', 'json_mode') THEN 'text: ' || coalesce(to_json(left(text, 60))::VARCHAR, 'none')
        WHEN probe = 'usage' THEN CASE WHEN token_source = 'usage' THEN concat_ws(' and ', input_tokens || ' in', output_tokens || ' out') ELSE 'no usage' END
        WHEN probe = 'tools' THEN CASE
            WHEN tool_chars > 0 THEN 'call: ' || left(tool_calls, 120)
            WHEN arm = 'treatment' AND contains(text, 'get_weather') THEN 'the call came as text'
            WHEN arm = 'treatment' AND effect = false THEN 'no call, and no more input tokens than without the tool'
            ELSE concat_ws(', ', 'no call', input_tokens || ' input tokens') END
        WHEN probe = 'n' THEN choices || ' choices'
        WHEN probe = 'logprobs' THEN coalesce(listed, 0) || ' tokens listed'
    END AS finding
FROM judged;

COMMENT ON VIEW probes IS 'one row per request of a conformance probe: what it was to show, and whether it does';
COMMENT ON COLUMN probes.probe IS 'parameter that is probed';
COMMENT ON COLUMN probes.arm IS 'treatment: with the parameter; control: without';
COMMENT ON COLUMN probes.refused IS 'whether the request was rejected, as one that is not valid';
COMMENT ON COLUMN probes.effect IS 'whether the answer is as the parameter would have it, by the same rule in both arms; NULL where it cannot tell';
COMMENT ON COLUMN probes.finding IS 'what was seen, in a few words';
