-- _endings: one row per answer that says it is whole and can be compared with others: whether it is cut short
-- needs: results, _answers
-- key: request_id
--
-- An answer is cut short where it says that it stopped by itself, and yet is the
-- beginning of a longer answer of the same model to the same prompt, and ends
-- within a sentence. So strict a rule finds only what is beyond doubt, and only
-- where a model repeats itself: two answers that differ early say nothing.
-- In the order of their texts an answer stands right before those that it begins.
CREATE OR REPLACE VIEW _endings AS
WITH said AS (
    SELECT r.request_id, r.model, r.scenario, r.params, r.prompt_hash, rtrim(a.text, E' \t\r\n') AS text,
        r.outcome = 'ok' AND r.finish IN ('stop', 'other') AS whole
    FROM results r
    JOIN _answers a ON a.request_id = r.request_id
    WHERE r.measured AND r.complete AND r.prompt_hash IS NOT NULL AND a.text IS NOT NULL AND a.tool_calls IS NULL
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
    SELECT *, max(length(text)) OVER (PARTITION BY model, scenario, params, prompt_hash, chain) AS whole_length
    FROM chains
)
SELECT
    s.request_id,
    length(s.text) >= 20 AND t.whole_length >= 1.1 * length(s.text)
        AND NOT regexp_matches(s.text, '[.!?…。！？:;"''”’»)\]}>|`*_]$') AS cut_short
FROM said s
JOIN longest t ON t.model = s.model AND t.scenario = s.scenario AND t.params IS NOT DISTINCT FROM s.params AND t.prompt_hash = s.prompt_hash AND t.text = s.text
WHERE s.whole AND t.answers >= 2;
