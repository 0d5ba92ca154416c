-- _workload_of: one row per scenario × declared workload: the workload that it is judged as
-- needs: results, _limits, _scenario_workloads
-- key: scenario, declared
-- stored: no
--
-- What the workloads file says of a scenario goes before what the plan declares;
-- a sweep of lengths (NAME@LENGTH) goes by its name.
CREATE OR REPLACE VIEW _workload_of AS
SELECT c.scenario, c.declared, coalesce(s.workload, b.workload, l.workload) AS workload
FROM (SELECT DISTINCT scenario, workload AS declared FROM results) c
LEFT JOIN _scenario_workloads s ON s.scenario = c.scenario
LEFT JOIN _scenario_workloads b ON b.scenario = regexp_replace(c.scenario, '@[0-9]+$', '')
LEFT JOIN (SELECT DISTINCT workload FROM _limits) l ON l.workload = c.declared
WHERE coalesce(s.workload, b.workload, l.workload) IS NOT NULL;
