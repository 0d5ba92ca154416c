-- title: The workloads and their limits
-- sub: From the table of workloads in force; --workloads replaces it.
-- empty: No workload is defined.
SELECT w.workload AS "Workload", w.title AS "Measure", w.statistic AS "Of it", w.at_most AS "At most [num]", w.at_least AS "At least [num]", f.unit AS "Unit", w.why AS "Why"
FROM workloads w
LEFT JOIN fit_metrics f ON f.title = w.title
ORDER BY w.workload, w.place, w.statistic
