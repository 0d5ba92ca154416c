-- fidelity: one row per cell
-- tells: whether answers are whole and pass their checks
-- example: SELECT provider, model, scenario, answered, truncated_share, starved_share, empty_share, pass_share FROM fidelity ORDER BY model, scenario, provider
-- needs: results, checks, _endings, _statistics
-- key: provider, model, scenario, concurrency, vantage, params
--
-- Whether what came is what was asked for: how answers ended, what their checks
-- say, and answers that call themselves whole and are not.
CREATE OR REPLACE VIEW fidelity AS
WITH rows AS NOT MATERIALIZED (
    SELECT r.*, e.cut_short
    FROM results r
    LEFT JOIN _endings e ON e.request_id = r.request_id
    WHERE r.measured
),
counts AS (
    SELECT
        cell_id, provider, model, scenario, concurrency, vantage, params,
        count(*) AS requests,
        count(DISTINCT window_key) AS n_windows,
        count(*) FILTER (answered) AS answered,
        count(*) FILTER (outcome = 'truncated' AND NOT as_planned) AS truncated,
        count(*) FILTER (outcome = 'truncated' AND as_planned) AS length_as_planned,
        count(*) FILTER (outcome = 'starved') AS starved,
        count(*) FILTER (outcome = 'empty') AS empty,
        count(*) FILTER (outcome = 'filtered') AS filtered,
        count(cut_short) AS comparable,
        count(*) FILTER (cut_short) AS cut_short,
        min(request_id) FILTER (cut_short) AS cut_short_example_request_id,
        count(*) FILTER (check_failures + checks_passed > 0) AS checked,
        count(*) FILTER (check_failures = 0 AND checks_passed > 0 AND coalesce(checks_unjudged, 0) = 0) AS passed,
        count(*) FILTER (checks_unjudged > 0) AS unjudged,
        count(score) AS scored,
        count(*) FILTER (score >= score_threshold) AS score_passed
    FROM rows
    GROUP BY ALL
),
failing AS (
    SELECT r.cell_id, k.definition, count(*) FILTER (NOT k.pass) AS failed, count(k.pass) AS judged
    FROM rows r
    JOIN checks k ON k.request_id = r.request_id
    GROUP BY ALL
),
worst AS (
    FROM failing
    WHERE failed > 0
    QUALIFY row_number() OVER (PARTITION BY cell_id ORDER BY failed / judged DESC, definition) = 1
)
SELECT
    c.cell_id, c.provider, c.model, c.scenario, c.concurrency, c.vantage, c.params,
    c.requests, c.answered, c.n_windows,
    c.truncated, c.truncated / nullif(c.answered, 0) AS truncated_share,
    _wilson_lo(c.truncated, c.answered) AS truncated_share_lo, _wilson_hi(c.truncated, c.answered) AS truncated_share_hi,
    c.starved, c.starved / nullif(c.answered, 0) AS starved_share,
    _wilson_lo(c.starved, c.answered) AS starved_share_lo, _wilson_hi(c.starved, c.answered) AS starved_share_hi,
    c.empty, c.empty / nullif(c.answered, 0) AS empty_share,
    _wilson_lo(c.empty, c.answered) AS empty_share_lo, _wilson_hi(c.empty, c.answered) AS empty_share_hi,
    c.filtered, c.filtered / nullif(c.answered, 0) AS filtered_share,
    _wilson_lo(c.filtered, c.answered) AS filtered_share_lo, _wilson_hi(c.filtered, c.answered) AS filtered_share_hi,
    c.length_as_planned,
    c.comparable, c.cut_short, c.cut_short / nullif(c.comparable, 0) AS cut_short_share,
    _wilson_lo(c.cut_short, c.comparable) AS cut_short_share_lo, _wilson_hi(c.cut_short, c.comparable) AS cut_short_share_hi,
    c.cut_short_example_request_id,
    c.checked, c.passed, c.passed / nullif(c.checked, 0) AS pass_share,
    _wilson_lo(c.passed, c.checked) AS pass_share_lo, _wilson_hi(c.passed, c.checked) AS pass_share_hi,
    c.unjudged,
    w.definition AS worst_check, w.failed AS worst_check_failed, w.judged AS worst_check_judged,
    c.scored, c.score_passed, c.score_passed / nullif(c.scored, 0) AS score_share,
    _wilson_lo(c.score_passed, c.scored) AS score_share_lo, _wilson_hi(c.score_passed, c.scored) AS score_share_hi,
    nullif(concat_ws('; ',
        CASE WHEN c.answered < 25 THEN 'fewer than 25 answers' END,
        CASE WHEN c.cut_short > 0 THEN 'answers say that they are whole, and are cut short' END,
        CASE WHEN c.unjudged > 0 THEN c.unjudged || ' answers could not be judged' END,
        CASE WHEN c.checked = 0 AND c.unjudged = 0 AND c.scored = 0 THEN 'no checks' END), '') AS warning
FROM counts c
LEFT JOIN worst w ON w.cell_id = c.cell_id;

COMMENT ON VIEW fidelity IS 'one row per cell: whether what came is what was asked for';
COMMENT ON COLUMN fidelity.provider IS 'cell: who serves the model';
COMMENT ON COLUMN fidelity.model IS 'cell: canonical model';
COMMENT ON COLUMN fidelity.scenario IS 'cell: scenario of the plan, or the slice of an import';
COMMENT ON COLUMN fidelity.concurrency IS 'cell: streams kept open';
COMMENT ON COLUMN fidelity.vantage IS 'cell: where the client stood';
COMMENT ON COLUMN fidelity.params IS 'cell: parameters that the plan declares (JSON)';
COMMENT ON COLUMN fidelity.requests IS 'measured requests';
COMMENT ON COLUMN fidelity.answered IS 'those that ended properly, whatever they ended with: what the shares of endings are of';
COMMENT ON COLUMN fidelity.n_windows IS 'windows that the requests come from';
COMMENT ON COLUMN fidelity.truncated IS 'answers that a limit of length ended, where the plan did not mean it to';
COMMENT ON COLUMN fidelity.truncated_share IS 'truncated ÷ answered, 0 to 1, lower is better';
COMMENT ON COLUMN fidelity.truncated_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.truncated_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.starved IS 'answers that ended in thinking';
COMMENT ON COLUMN fidelity.starved_share IS 'starved ÷ answered, 0 to 1, lower is better';
COMMENT ON COLUMN fidelity.starved_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.starved_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.empty IS 'answers with neither text nor tool call nor thinking; white space is nothing';
COMMENT ON COLUMN fidelity.empty_share IS 'empty ÷ answered, 0 to 1, lower is better';
COMMENT ON COLUMN fidelity.empty_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.empty_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.filtered IS 'answers that a filter or a refusal ended';
COMMENT ON COLUMN fidelity.filtered_share IS 'filtered ÷ answered, 0 to 1';
COMMENT ON COLUMN fidelity.filtered_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.filtered_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.length_as_planned IS 'answers that a limit of length ended, as the plan meant it to';
COMMENT ON COLUMN fidelity.comparable IS 'answers at temperature 0 that say they are whole, to prompts with another such answer of the same model, from any provider';
COMMENT ON COLUMN fidelity.cut_short IS 'those of them that are the beginning of a longer answer of the same model to the same prompt, and end between two words of a sentence that it completes: cut, and called complete';
COMMENT ON COLUMN fidelity.cut_short_share IS 'cut_short ÷ comparable, 0 to 1, lower is better; NULL where none is comparable. Finds cuts only where the model repeats itself';
COMMENT ON COLUMN fidelity.cut_short_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.cut_short_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.cut_short_example_request_id IS 'the first one';
COMMENT ON COLUMN fidelity.checked IS 'complete answers that checks judge';
COMMENT ON COLUMN fidelity.passed IS 'those that pass every check';
COMMENT ON COLUMN fidelity.pass_share IS 'passed ÷ checked, 0 to 1, higher is better';
COMMENT ON COLUMN fidelity.pass_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.pass_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.unjudged IS 'answers with a check that cannot be judged';
COMMENT ON COLUMN fidelity.worst_check IS 'the check that fails most often, as JSON; NULL where none fails';
COMMENT ON COLUMN fidelity.worst_check_failed IS 'answers that fail it';
COMMENT ON COLUMN fidelity.worst_check_judged IS 'answers that it judges';
COMMENT ON COLUMN fidelity.scored IS 'answers with a score from outside';
COMMENT ON COLUMN fidelity.score_passed IS 'those whose score reaches its threshold';
COMMENT ON COLUMN fidelity.score_share IS 'score_passed ÷ scored, 0 to 1, higher is better';
COMMENT ON COLUMN fidelity.score_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.score_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN fidelity.warning IS 'what to know before using the row; NULL where nothing';
