-- _good: one row per measured request of a workload with limits on each: whether it keeps them
-- needs: results, _values, _limits, _workload_of
-- key: request_id
--
-- Good is complete as planned, with no value beyond its limit. A value that the
-- request does not have, such as the speed of an answer too short to have one,
-- is beyond no limit.
CREATE OR REPLACE VIEW _good AS
WITH judged AS (
    SELECT r.request_id, w.workload, r.as_planned
    FROM results r
    JOIN _workload_of w ON w.scenario = r.scenario AND w.declared IS NOT DISTINCT FROM r.workload
    WHERE r.measured AND r.attempted AND w.workload IN (SELECT workload FROM _limits WHERE kind = 'each')
),
beyond AS (
    SELECT DISTINCT v.request_id
    FROM _values v
    JOIN judged j ON j.request_id = v.request_id
    JOIN _limits l ON l.workload = j.workload AND l.kind = 'each' AND l.metric = v.metric
    WHERE v.value > l.at_most OR v.value < l.at_least
)
SELECT j.request_id, j.workload, j.as_planned AND b.request_id IS NULL AS good
FROM judged j
LEFT JOIN beyond b ON b.request_id = j.request_id;
