-- thinking: one row per cell
-- needs: results
-- key: provider, model, scenario, concurrency, vantage, params
CREATE OR REPLACE VIEW thinking AS
WITH sums AS (
    SELECT
        provider, model, scenario, concurrency, vantage, params,
        count(*) AS requests,
        count(*) FILTER (reasoning_tokens > 0 OR reasoning_chars > 0) AS thought,
        count(reasoning_tokens) AS counted,
        sum(reasoning_tokens)::BIGINT AS reasoning_tokens,
        sum(output_tokens) FILTER (reasoning_tokens IS NOT NULL)::BIGINT AS output_tokens,
        sum(visible_tokens) FILTER (reasoning_tokens IS NOT NULL)::BIGINT AS visible_tokens,
        sum(round(reasoning_cost_usd * 1e9)::BIGINT)::BIGINT AS reasoning_nanousd,
        sum(cost_nanousd) FILTER (reasoning_cost_usd IS NOT NULL)::BIGINT AS cost_nanousd,
        sum(round(thinking_ms * 1e6)::BIGINT)::BIGINT AS thinking_ns,
        sum(round(e2e_ms * 1e6)::BIGINT) FILTER (thinking_ms IS NOT NULL)::BIGINT AS e2e_ns,
        count(*) FILTER (outcome = 'starved') AS starved,
        count(*) FILTER (answered) AS answered
    FROM results
    WHERE measured
    GROUP BY ALL
)
SELECT
    provider, model, scenario, concurrency, vantage, params,
    requests, thought, counted,
    reasoning_tokens,
    reasoning_tokens / nullif(output_tokens, 0) AS output_share,
    reasoning_nanousd / nullif(cost_nanousd, 0) AS cost_share,
    thinking_ns / nullif(e2e_ns, 0) AS time_share,
    output_tokens / nullif(visible_tokens, 0) AS billed_to_visible,
    starved,
    starved / nullif(answered, 0) AS starved_share
FROM sums;

COMMENT ON VIEW thinking IS 'one row per cell: what thinking takes of output, money and time';
COMMENT ON COLUMN thinking.requests IS 'measured requests';
COMMENT ON COLUMN thinking.thought IS 'those that show or report thinking';
COMMENT ON COLUMN thinking.counted IS 'those whose thinking tokens are known, 0 among them';
COMMENT ON COLUMN thinking.reasoning_tokens IS 'thinking tokens of those';
COMMENT ON COLUMN thinking.output_share IS 'thinking ÷ output tokens, 0 to 1';
COMMENT ON COLUMN thinking.cost_share IS 'cost of thinking ÷ cost, 0 to 1';
COMMENT ON COLUMN thinking.time_share IS 'time of thinking ÷ time of the request, where thinking is visible, 0 to 1';
COMMENT ON COLUMN thinking.billed_to_visible IS 'output tokens billed per visible token, 1 or more';
COMMENT ON COLUMN thinking.starved IS 'answers that ended in thinking';
COMMENT ON COLUMN thinking.starved_share IS 'starved ÷ answered, 0 to 1';
