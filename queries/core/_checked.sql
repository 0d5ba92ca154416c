-- _checked: one row per request whose answer has checks: what came of them
-- needs: _checks
-- key: request_id
-- stored: no
CREATE OR REPLACE VIEW _checked AS
SELECT
    request_id,
    count(*) FILTER (pass) AS passed,
    count(*) FILTER (NOT pass) AS failed,
    count(*) FILTER (pass IS NULL) AS unjudged,
    nullif(string_agg(CASE WHEN pass THEN NULL ELSE coalesce(kind, 'checks') || ': ' || evidence END, '; ' ORDER BY check_index), '') AS failures
FROM _checks
GROUP BY request_id;
