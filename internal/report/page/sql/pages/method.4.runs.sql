-- title: The runs
-- sub: Each recording with its origin; the plan stands in the data.
-- empty: No run.
SELECT name AS "Run", origin AS "Origin", tool AS "Tool", requests AS "Requests [n]", chunks AS "Frames [n]", started_at AS "Started [time]", ended_at AS "Ended [time]", interrupted::VARCHAR AS "Interrupted"
FROM runs
ORDER BY started_at, run_id
