-- exclusions: one row per stated exclusion
-- tells: what was taken out, why and when
-- example: SELECT predicate, reason, date, matches, excluded FROM exclusions ORDER BY place
-- needs: _exclusions, _excluded
-- key: place
CREATE OR REPLACE VIEW exclusions AS
SELECT
    x.place, x.predicate, x.reason, x."date", x.matches,
    count(e.request_id) AS excluded
FROM _exclusions x
LEFT JOIN _excluded e ON e.place = x.place
GROUP BY ALL;

COMMENT ON VIEW exclusions IS 'one row per exclusion that was stated for this build (--exclusions): rows that no statistic counts, and that stay in results';
COMMENT ON COLUMN exclusions.place IS 'place in the file, from 1';
COMMENT ON COLUMN exclusions.predicate IS 'SQL condition on a request; where it is true the request is excluded';
COMMENT ON COLUMN exclusions.reason IS 'why';
COMMENT ON COLUMN exclusions."date" IS 'when that was decided, as stated';
COMMENT ON COLUMN exclusions.matches IS 'requests of any phase that it is true of';
COMMENT ON COLUMN exclusions.excluded IS 'of these, requests that no exclusion before it had taken';
