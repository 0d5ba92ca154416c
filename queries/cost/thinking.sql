-- thinking: one row per cell
-- tells: what thinking takes of tokens, time and money
-- example: SELECT provider, model, scenario, thought, output_share, cost_share, starved, off_ignored FROM thinking WHERE thought > 0 ORDER BY model, provider
-- needs: results, _requests, _thinking, _statistics
-- key: provider, model, scenario, concurrency, vantage, params
--
-- What thinking takes of output, money and time, and whether it stayed off
-- where it was turned off. Sums are over the requests that know the quantity.
CREATE OR REPLACE VIEW thinking AS
WITH sums AS (
    SELECT
        r.cell_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params,
        count(*) AS requests,
        count(DISTINCT r.window_key) AS n_windows,
        count(*) FILTER (t.thought) AS thought,
        count(r.reasoning_tokens) AS counted,
        sum(r.reasoning_tokens)::BIGINT AS reasoning_tokens,
        list_sort(list(r.reasoning_tokens::DOUBLE) FILTER (r.reasoning_tokens IS NOT NULL)) AS thoughts,
        -- What an answer took that ended by itself; one that was cut would have taken more.
        list_sort(list(r.output_tokens::DOUBLE) FILTER (r.answered AND r.output_tokens IS NOT NULL AND r.finish IS DISTINCT FROM 'length')) AS outputs,
        count(*) FILTER (r.answered AND r.finish = 'length') AS cut_by_length,
        sum(r.output_tokens) FILTER (r.reasoning_tokens IS NOT NULL)::BIGINT AS output_tokens,
        sum(r.visible_tokens) FILTER (r.reasoning_tokens IS NOT NULL)::BIGINT AS visible_tokens,
        sum(round(r.reasoning_cost_usd * 1e9)::BIGINT)::BIGINT AS reasoning_nanousd,
        sum(r.cost_nanousd) FILTER (r.reasoning_cost_usd IS NOT NULL)::BIGINT AS cost_nanousd,
        sum(round(r.thinking_ms * 1e6)::BIGINT)::BIGINT AS thinking_ns,
        sum(round(r.e2e_ms * 1e6)::BIGINT) FILTER (r.thinking_ms IS NOT NULL)::BIGINT AS e2e_ns,
        count(r.thinking_ms) AS timed,
        count(*) FILTER (r.answered) AS answered,
        count(*) FILTER (r.outcome = 'starved') AS starved,
        count(*) FILTER (r.answered AND r.finish = 'length' AND (r.outcome = 'starved' OR 2 * r.reasoning_tokens >= r.output_tokens)) AS budget_eaten,
        count(*) FILTER (t.unitemised) AS unitemised,
        count(*) FILTER (t.asked = 'on') AS asked_on,
        count(*) FILTER (t.asked = 'off') AS asked_off,
        count(*) FILTER (t.asked IS NULL AND (q.request_body IS NOT NULL OR q.params IS NOT NULL)) AS not_sent,
        count(*) FILTER (t.asked = 'off' AND r.answered) AS off,
        count(*) FILTER (t.asked = 'off' AND r.answered AND t.misplaced) AS off_misplaced,
        count(*) FILTER (t.asked = 'off' AND r.answered AND t.thought AND NOT t.misplaced) AS off_ignored,
        count(*) FILTER (t.asked = 'off' AND r.answered AND t.thought IS NULL AND NOT t.unitemised) AS off_unverified,
        count(*) FILTER (t.asked = 'off' AND r.answered AND t.thought IS NULL AND t.unitemised) AS off_suspect,
        min(r.request_id) FILTER (t.asked = 'off' AND r.answered AND t.thought AND NOT t.misplaced) AS off_example_request_id
    FROM results r
    LEFT JOIN _thinking t ON t.request_id = r.request_id
    LEFT JOIN _requests q ON q.request_id = r.request_id
    WHERE r.measured
    GROUP BY ALL
)
SELECT
    cell_id, provider, model, scenario, concurrency, vantage, params,
    requests, thought, counted,
    reasoning_tokens,
    reasoning_tokens / nullif(output_tokens, 0) AS output_share,
    _quantile(thoughts, 0.5) AS reasoning_tokens_p50, _quantile(thoughts, 0.9) AS reasoning_tokens_p90, _quantile(thoughts, 0.95) AS reasoning_tokens_p95, thoughts[-1] AS reasoning_tokens_max,
    ceil(_quantile_with_never(outputs, cut_by_length, 0.95))::BIGINT AS budget_p95, ceil(_quantile_with_never(outputs, cut_by_length, 0.99))::BIGINT AS budget_p99,
    cut_by_length,
    reasoning_nanousd / 1e9 AS reasoning_cost_usd,
    reasoning_nanousd / nullif(cost_nanousd, 0) AS cost_share,
    thinking_ns / 1e6 / nullif(timed, 0) AS thinking_ms_mean,
    thinking_ns / nullif(e2e_ns, 0) AS time_share,
    output_tokens / nullif(visible_tokens, 0) AS billed_to_visible,
    unitemised,
    answered,
    starved,
    starved / nullif(answered, 0) AS starved_share,
    _wilson_lo(starved, answered) AS starved_share_lo,
    _wilson_hi(starved, answered) AS starved_share_hi,
    budget_eaten,
    CASE
        WHEN asked_off = requests THEN 'off'
        WHEN asked_on = requests THEN 'on'
        WHEN not_sent = requests THEN 'not sent'
        WHEN asked_off + asked_on > 0 THEN 'mixed'
    END AS asked,
    off, off_ignored,
    off_ignored / nullif(off - off_unverified - off_suspect, 0) AS off_ignored_share,
    _wilson_lo(off_ignored, off - off_unverified - off_suspect) AS off_ignored_share_lo,
    _wilson_hi(off_ignored, off - off_unverified - off_suspect) AS off_ignored_share_hi,
    off_misplaced, off_unverified, off_suspect, off_example_request_id,
    n_windows,
    nullif(concat_ws('; ',
        CASE WHEN requests < 25 THEN 'fewer than 25 requests' END,
        CASE WHEN off_ignored > 0 THEN 'thinking was turned off, and was not off' END,
        CASE WHEN off_misplaced > 0 THEN 'thinking was off, and answers came as thinking' END,
        CASE WHEN off_suspect > 0 THEN 'thinking was turned off, and more is billed than was shown' END,
        CASE WHEN unitemised > 0 THEN 'more tokens billed than characters shown, and thinking not itemised' END,
        CASE WHEN budget_eaten > 0 THEN 'thinking used up the limit of the output' END,
        CASE WHEN counted > 0 AND counted < answered THEN 'thinking tokens known for ' || counted || ' of ' || answered || ' answers' END), '') AS warning
FROM sums;

COMMENT ON VIEW thinking IS 'one row per cell: what thinking takes of output, money and time, and whether it was off where it was turned off';
COMMENT ON COLUMN thinking.provider IS 'cell: who serves the model';
COMMENT ON COLUMN thinking.model IS 'cell: canonical model';
COMMENT ON COLUMN thinking.scenario IS 'cell: scenario of the plan, or the slice of an import';
COMMENT ON COLUMN thinking.concurrency IS 'cell: streams kept open';
COMMENT ON COLUMN thinking.vantage IS 'cell: where the client stood';
COMMENT ON COLUMN thinking.params IS 'cell: parameters that the plan declares (JSON)';
COMMENT ON COLUMN thinking.requests IS 'measured requests';
COMMENT ON COLUMN thinking.thought IS 'those that show or report thinking; tags with nothing between them are none';
COMMENT ON COLUMN thinking.counted IS 'those whose thinking tokens are known, 0 among them';
COMMENT ON COLUMN thinking.reasoning_tokens IS 'thinking tokens of those';
COMMENT ON COLUMN thinking.output_share IS 'thinking ÷ output tokens, 0 to 1';
COMMENT ON COLUMN thinking.reasoning_cost_usd IS 'US dollars that thinking cost';
COMMENT ON COLUMN thinking.cost_share IS 'cost of thinking ÷ cost, 0 to 1';
COMMENT ON COLUMN thinking.thinking_ms_mean IS 'milliseconds of thinking a request, on average, where it is visible';
COMMENT ON COLUMN thinking.time_share IS 'time of thinking ÷ time of the request, where thinking is visible, 0 to 1';
COMMENT ON COLUMN thinking.billed_to_visible IS 'output tokens billed per visible token, 1 or more, where thinking tokens are known';
COMMENT ON COLUMN thinking.unitemised IS 'answers with more tokens billed than characters shown, and no count of thinking: something was generated that is neither shown nor itemised';
COMMENT ON COLUMN thinking.answered IS 'requests that ended properly';
COMMENT ON COLUMN thinking.starved IS 'answers that ended in thinking: neither text nor tool call';
COMMENT ON COLUMN thinking.starved_share IS 'starved ÷ answered, 0 to 1';
COMMENT ON COLUMN thinking.starved_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN thinking.starved_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN thinking.budget_eaten IS 'answers ended by length that are starved, or whose thinking is known to be half of their output at least';
COMMENT ON COLUMN thinking.asked IS 'what the requests say of thinking: off, on, not sent, or mixed; NULL where they are not recorded';
COMMENT ON COLUMN thinking.off IS 'answered requests that turn thinking off, in whatever spelling';
COMMENT ON COLUMN thinking.off_ignored IS 'those of them that show or report thinking all the same';
COMMENT ON COLUMN thinking.off_ignored_share IS 'off_ignored ÷ those of which it can be known, 0 to 1';
COMMENT ON COLUMN thinking.off_ignored_share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN thinking.off_ignored_share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN thinking.off_misplaced IS 'those whose answer came in the field for thinking, and nothing in its own';
COMMENT ON COLUMN thinking.off_unverified IS 'those that neither show nor count thinking: nothing can be said';
COMMENT ON COLUMN thinking.off_suspect IS 'those that neither show nor count thinking, and bill more tokens than characters came';
COMMENT ON COLUMN thinking.off_example_request_id IS 'the first request of off_ignored';
COMMENT ON COLUMN thinking.n_windows IS 'windows that the requests come from';
COMMENT ON COLUMN thinking.warning IS 'what to know before using the row; NULL where nothing';
COMMENT ON COLUMN thinking.reasoning_tokens_p50 IS 'thinking tokens of a request, median over those that count them';
COMMENT ON COLUMN thinking.reasoning_tokens_p90 IS '90th percentile';
COMMENT ON COLUMN thinking.reasoning_tokens_p95 IS '95th percentile';
COMMENT ON COLUMN thinking.reasoning_tokens_max IS 'largest';
COMMENT ON COLUMN thinking.budget_p95 IS 'output tokens to allow (thinking and answer) so that 19 of 20 answers end by themselves: 95th percentile of output tokens, those cut by length counted as never ending; NULL where so many were cut that no budget seen would do';
COMMENT ON COLUMN thinking.budget_p99 IS 'the same for 99 of 100';
COMMENT ON COLUMN thinking.cut_by_length IS 'answers that ended by length';
