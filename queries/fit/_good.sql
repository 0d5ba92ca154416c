-- _good: one row per measured request of a workload with limits on each: whether it keeps them
-- needs: results, metrics, _limits, _workload_of
-- key: request_id
--
-- Good is complete as planned, with no value beyond its limit. A value that the
-- request does not have, such as the speed of an answer too short to have one,
-- is beyond no limit.
CREATE OR REPLACE VIEW _good AS
WITH judged AS (
    SELECT
        r.request_id, w.workload, r.as_planned,
        r.ttft_net_ms, r.ttft_ms, r.ttfat_ms, r.e2e_ms, r.tokens_per_s, r.chars_per_s, r.tpot_ms, r.output_per_e2e,
        r.max_stall_ms, r.gap_p99_ms, r.setup_ms, r.first_byte_ms, r.thinking_ms
    FROM results r
    JOIN _workload_of w ON w.scenario = r.scenario AND w.declared IS NOT DISTINCT FROM r.workload
    WHERE r.measured AND r.attempted AND w.workload IN (SELECT workload FROM _limits WHERE kind = 'each')
),
long AS (
    UNPIVOT judged
    ON ttft_net_ms, ttft_ms, ttfat_ms, e2e_ms, tokens_per_s, chars_per_s, tpot_ms, output_per_e2e,
        max_stall_ms, gap_p99_ms, setup_ms, first_byte_ms, thinking_ms
    INTO NAME source VALUE value
),
beyond AS (
    SELECT DISTINCT v.request_id
    FROM long v
    JOIN metrics m ON m.source = v.source
    JOIN _limits l ON l.workload = v.workload AND l.kind = 'each' AND l.metric = m.metric
    WHERE v.value > l.at_most OR v.value < l.at_least
)
SELECT j.request_id, j.workload, j.as_planned AND b.request_id IS NULL AS good
FROM judged j
LEFT JOIN beyond b ON b.request_id = j.request_id;
