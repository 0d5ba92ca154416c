-- workloads: one row per workload × metric with its limit
-- tells: the workloads and the limits that decide
-- example: SELECT workload, title, statistic, at_most, at_least FROM workloads ORDER BY workload, place
-- needs: _limits, fit_metrics
-- key: workload, kind, place
CREATE OR REPLACE VIEW workloads AS
SELECT l.workload, l.title, l.kind, l.place, l.metric, l.statistic, m.unit, m.better, l.at_most, l.at_least, l.why
FROM _limits l
JOIN fit_metrics m ON m.metric = l.metric;

COMMENT ON VIEW workloads IS 'one row per workload × metric with its limit, as the workloads file states them';
COMMENT ON COLUMN workloads.workload IS 'kind of use';
COMMENT ON COLUMN workloads.title IS 'what it is, in words';
COMMENT ON COLUMN workloads.kind IS 'decides: workload_fit judges the metric; each: every single request must keep it to be good (goodput)';
COMMENT ON COLUMN workloads.place IS 'place in the file, from 1';
COMMENT ON COLUMN workloads.statistic IS 'what of the values must keep the limit: a percentile; NULL where the metric is no value of single requests';
COMMENT ON COLUMN workloads.at_most IS 'limit, in the unit, where lower is better';
COMMENT ON COLUMN workloads.at_least IS 'limit, in the unit, where higher is better';
COMMENT ON COLUMN workloads.why IS 'what the limit is for';
