-- _probed: one row per target × probe: its rows counted
-- needs: probes, requests
-- key: provider, model, model_id, api, region, probe
CREATE OR REPLACE VIEW _probed AS
SELECT
    p.provider, p.model, p.model_id, p.api, p.region, p.probe,
    count(*) FILTER (p.arm = 'treatment') AS treatments,
    count(*) FILTER (p.arm = 'treatment' AND p.refused) AS rejected,
    count(*) FILTER (p.arm = 'treatment' AND p.effect IS NOT NULL) AS n,
    count(*) FILTER (p.arm = 'treatment' AND p.effect) AS k,
    count(*) FILTER (p.arm = 'treatment' AND p.effect IS NULL AND p.outcome IN ('ok', 'truncated', 'filtered', 'starved', 'empty')) AS unclear,
    count(*) FILTER (p.arm = 'control') AS controls,
    count(*) FILTER (p.arm = 'control' AND p.refused) AS control_rejected,
    count(*) FILTER (p.arm = 'control' AND p.effect IS NOT NULL) AS control_n,
    count(*) FILTER (p.arm = 'control' AND p.effect) AS control_k,
    -- What the two arms sent differs, or the API has no way to say it.
    coalesce(min(q.request_body) FILTER (p.arm = 'treatment') = max(q.request_body) FILTER (p.arm = 'control'), false) AS alike,
    list(p.request_id ORDER BY p.request_id) FILTER (p.arm = 'treatment' AND p.effect) AS honouring,
    list(p.request_id ORDER BY p.request_id) FILTER (p.arm = 'treatment' AND NOT p.effect) AS ignoring,
    list(p.request_id ORDER BY p.request_id) FILTER (p.arm = 'treatment' AND p.refused) AS rejecting,
    list(p.request_id ORDER BY p.request_id) FILTER (p.arm = 'treatment') AS treated,
    mode(p.finding ORDER BY p.finding) FILTER (p.arm = 'treatment' AND p.effect) AS honouring_finding,
    mode(p.finding ORDER BY p.finding) FILTER (p.arm = 'treatment' AND NOT p.effect) AS ignoring_finding,
    mode(p.finding ORDER BY p.finding) FILTER (p.arm = 'treatment' AND p.refused) AS rejecting_finding,
    mode(p.finding ORDER BY p.finding) FILTER (p.arm = 'treatment' AND p.effect IS NULL AND NOT p.refused) AS unclear_finding,
    mode(p.finding ORDER BY p.finding) FILTER (p.arm = 'control') AS control_finding
FROM probes p
JOIN requests q ON q.request_id = p.request_id
GROUP BY ALL;
