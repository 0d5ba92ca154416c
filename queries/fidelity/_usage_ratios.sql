-- _usage_ratios: one row per target: tokens reported for each o200k token of what was shown
-- needs: results, _o200k
-- key: provider, model, model_id, api, region
--
-- Over answers counted in full, complete, whose usage the provider reports: all
-- output where thinking is shown, else what is not itemised as thinking. Tokenizers
-- differ between models; providers of one model should not.
CREATE OR REPLACE VIEW _usage_ratios AS
WITH counted AS (
    SELECT
        r.provider, r.model, r.model_id, r.api, r.region, r.request_id,
        CASE WHEN r.reasoning_chars > 0 THEN r.output_tokens ELSE r.visible_tokens END AS reported,
        CASE WHEN r.reasoning_chars > 0 THEN o.tokens ELSE o.answer_tokens END AS counted,
        r.input_tokens AS input_reported, o.input_tokens AS input_counted
    FROM results r
    JOIN _o200k o ON o.request_id = r.request_id
    WHERE o.whole AND r.complete AND r.token_source = 'usage' AND coalesce(r.tool_chars, 0) = 0 AND r.probe IS DISTINCT FROM 'n'
        AND (r.phase <> 'probe' OR r.probe_arm = 'control')
),
sums AS (
    SELECT
        provider, model, model_id, api, region,
        count(reported) FILTER (counted > 0) AS answers,
        sum(reported) FILTER (counted > 0)::BIGINT AS reported,
        sum(counted) FILTER (reported IS NOT NULL)::BIGINT AS counted,
        sum(input_reported) FILTER (input_counted > 0)::BIGINT / nullif(sum(input_counted) FILTER (input_reported IS NOT NULL)::BIGINT, 0) AS input_ratio,
        list(request_id ORDER BY request_id)[:10] AS evidence
    FROM counted
    GROUP BY ALL
)
SELECT *, reported / nullif(counted, 0) AS output_ratio, answers >= 5 AND counted >= 200 AS enough
FROM sums;
