-- audit: one row per cell × rule that it breaks
-- tells: what is wrong with each measurement
-- example: SELECT provider, model, rule, severity, finding FROM audit ORDER BY severity, rule, provider, model LIMIT 15
-- needs: _audited, audit_rules
-- key: provider, model, scenario, concurrency, vantage, params, rule
CREATE OR REPLACE VIEW audit AS
WITH judged AS (
    SELECT
        a.*, r.value_is, r.finding, r.note_at, r.fault_at,
        CASE r.worse WHEN 'higher' THEN a.value > r.fault_at ELSE a.value < r.fault_at END AS fault,
        CASE r.worse WHEN 'higher' THEN a.value > r.note_at ELSE a.value < r.note_at END AS note
    FROM _audited a
    JOIN audit_rules r ON r.rule = a.rule
)
SELECT
    provider, model, scenario, concurrency, vantage, params,
    rule,
    CASE WHEN fault THEN 'fault' ELSE 'note' END AS severity,
    value,
    value_is,
    CASE WHEN fault THEN fault_at ELSE note_at END AS threshold,
    n, "of",
    finding
FROM judged
WHERE fault OR note;

COMMENT ON VIEW audit IS 'one row per cell × rule that it breaks: faults of method, and notes that a reader of the figures should know. See audit_rules';
COMMENT ON COLUMN audit.rule IS 'name; see audit_rules';
COMMENT ON COLUMN audit.severity IS 'fault: the figures must not be taken at their face; note: worth knowing';
COMMENT ON COLUMN audit.value IS 'what was measured of the cell';
COMMENT ON COLUMN audit.value_is IS 'what that is';
COMMENT ON COLUMN audit.threshold IS 'the value that it is beyond';
COMMENT ON COLUMN audit.n IS 'requests, answers, frames or windows concerned, where the rule counts some';
COMMENT ON COLUMN audit."of" IS 'of how many';
COMMENT ON COLUMN audit.finding IS 'what was found, in words';
