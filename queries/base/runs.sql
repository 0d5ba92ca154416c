-- runs: one row per run of the dataset
-- tells: what was recorded, by whom, with which plan
-- example: SELECT run_id, name, origin, requests, chunks, started_at FROM runs ORDER BY started_at
-- needs: _runs
-- key: run_id
CREATE OR REPLACE VIEW runs AS
SELECT
    * EXCLUDE (started_at_ns, ended_at_ns),
    make_timestamp(started_at_ns // 1000) AS started_at,
    make_timestamp(ended_at_ns // 1000) AS ended_at
FROM _runs;

COMMENT ON VIEW runs IS 'one row per run, as its run record states it';
COMMENT ON COLUMN runs.run_id IS 'the run; sorts by start time';
COMMENT ON COLUMN runs.name IS 'name of the plan';
COMMENT ON COLUMN runs.campaign IS 'name that several runs of one plan share';
COMMENT ON COLUMN runs.origin IS 'recorded, proxied, simulated or imported:<format>';
COMMENT ON COLUMN runs.tool IS 'what wrote the run, with its version';
COMMENT ON COLUMN runs.host IS 'operating system, architecture, processors';
COMMENT ON COLUMN runs.interrupted IS 'whether the run ended before its plan did';
COMMENT ON COLUMN runs.requests IS 'rows in requests';
COMMENT ON COLUMN runs.chunks IS 'rows in chunks';
COMMENT ON COLUMN runs.plan IS 'the plan as read';
COMMENT ON COLUMN runs.plan_sha256 IS 'its hash';
COMMENT ON COLUMN runs.primary_metric IS 'what the run is for, fixed before the first request';
COMMENT ON COLUMN runs.schema_version IS 'version of the dataset''s layout';
COMMENT ON COLUMN runs.clock IS 'how the clock''s epochs tie to wall time (JSON)';
COMMENT ON COLUMN runs.sources IS 'files that an import read (JSON)';
COMMENT ON COLUMN runs.notes IS 'remarks of the recorder, one a line';
COMMENT ON COLUMN runs.skipped IS 'requests of the plan that were not sent because their target refused all before them (JSON): provider, model, scenario, reason, requests';
COMMENT ON COLUMN runs.started_at IS 'start of the run, UTC';
COMMENT ON COLUMN runs.ended_at IS 'end of the run, UTC';
