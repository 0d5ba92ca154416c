-- runs: one row per run of the dataset
-- needs: _runs
-- key: run_id
CREATE OR REPLACE VIEW runs AS
SELECT
    * EXCLUDE (started_at_ns, ended_at_ns),
    make_timestamp(started_at_ns // 1000) AS started_at,
    make_timestamp(ended_at_ns // 1000) AS ended_at
FROM _runs;

COMMENT ON VIEW runs IS 'one row per run, as its run record states it';
