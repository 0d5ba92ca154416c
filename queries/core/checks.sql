-- checks: one row per request × check
-- tells: which check each answer passed
-- example: SELECT kind, count(*) AS answers, count(*) FILTER (pass) AS passed FROM checks GROUP BY kind ORDER BY kind
-- needs: _checks
-- key: request_id, check_index
-- stored: no
CREATE OR REPLACE VIEW checks AS FROM _checks;

COMMENT ON VIEW checks IS 'one row per request × check: whether the answer passed, and why. Complete answers only; checks are those of the plan, or of the rules file that re-judges a recording';
COMMENT ON COLUMN checks.request_id IS 'the request';
COMMENT ON COLUMN checks.check_index IS 'number of the check in its list, from 0';
COMMENT ON COLUMN checks.kind IS 'contains, not_contains, equals, regex, json, json_schema, number, min_chars or tool_call; NULL where the recorded list cannot be read';
COMMENT ON COLUMN checks.definition IS 'the check as JSON';
COMMENT ON COLUMN checks.pass IS 'whether the answer passed; NULL where that cannot be judged, since the check cannot be read or the text was not kept';
COMMENT ON COLUMN checks.evidence IS 'why, in a few words';
