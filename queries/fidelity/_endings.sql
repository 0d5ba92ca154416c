-- _endings: one row per answer that says it is whole and can be compared with others: whether it is cut short
-- needs: results, _requests, _answers, _temperature
-- key: request_id
--
-- An answer is cut short where it says that it stopped by itself, and yet is the
-- beginning of a longer answer of the same model to the same prompt, and ends
-- between two words of a sentence that the longer one completes. A list, code or
-- verse goes on after a comma or on another line, and may end without a stop.
--
-- Only at temperature 0: a model that draws its words may draw an early end, too.
-- Where the request names stop sequences, they may have ended it.
-- In the order of their texts an answer stands right before those that it begins.
CREATE OR REPLACE VIEW _endings AS
WITH said AS (
    SELECT r.request_id, r.model, r.scenario, r.params, r.prompt_hash, rtrim(a.text, E' \t\r\n') AS text,
        r.outcome = 'ok' AND r.finish IN ('stop', 'other') AS whole
    FROM results r
    JOIN _answers a ON a.request_id = r.request_id
    JOIN _requests q ON q.request_id = r.request_id
    WHERE r.measured AND r.complete AND r.prompt_hash IS NOT NULL AND a.text IS NOT NULL AND a.tool_calls IS NULL
        AND _temperature(r.params, q.request_body) = 0
        AND coalesce(len(list_filter(try(json_extract_string(q.request_body, [
            '$.stop', '$.stop_sequences', '$.generationConfig.stopSequences', '$.inferenceConfig.stopSequences', '$.options.stop'])),
            lambda v: v NOT IN ('', '[]'))), 0) = 0
),
texts AS (
    SELECT model, scenario, params, prompt_hash, text, sum(count(*)) OVER prompt AS answers,
        coalesce(starts_with(lead(text) OVER (prompt ORDER BY text), text), false) AS begins_next
    FROM said
    GROUP BY model, scenario, params, prompt_hash, text
    WINDOW prompt AS (PARTITION BY model, scenario, params, prompt_hash)
),
-- A chain of texts each of which begins the next: all of them begin its last.
chains AS (
    -- A sum, since count with FILTER takes quadratic time over a growing frame.
    SELECT *, coalesce(sum((NOT begins_next)::INTEGER) OVER (PARTITION BY model, scenario, params, prompt_hash ORDER BY text
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS chain
    FROM texts
),
longest AS (
    SELECT *, max(text) OVER (PARTITION BY model, scenario, params, prompt_hash, chain) AS whole_text
    FROM chains
)
SELECT
    s.request_id,
    length(s.text) >= 20 AND length(t.whole_text) >= 1.1 * length(s.text)
        AND NOT regexp_matches(s.text, '[.!?…。！？:;"''”’»)\]}>|`*_]$')
        AND regexp_matches(t.whole_text[length(s.text) + 1:], '^ ?[\pL\pN]')
        AND regexp_matches(t.whole_text, '[.!?…。！？]["''”’»)\]`*_]*$') AS cut_short
FROM said s
JOIN longest t ON t.model = s.model AND t.scenario = s.scenario AND t.params IS NOT DISTINCT FROM s.params AND t.prompt_hash = s.prompt_hash AND t.text = s.text
WHERE s.whole AND t.answers >= 2;
