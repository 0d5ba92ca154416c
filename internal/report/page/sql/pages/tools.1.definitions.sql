-- title: What other tools would have measured
-- sub: The same streams by each tool's own definition: medians over all requests, in the tool's unit.
-- empty: No stream was recorded frame by frame.
SELECT tool AS "Tool", metric AS "Measure", count(value) AS "Requests [n]", median(value) AS "Median [num]", quantile_cont(value, 0.95) AS "19 in 20 under [num]", max(note) AS "Note"
FROM definitions_all()
WHERE value IS NOT NULL
GROUP BY tool, metric
ORDER BY metric, tool
