-- _targets: one row per target: what is declared of it, and what its responses state
-- needs: results, requests
-- key: provider, model, model_id, api, region
CREATE OR REPLACE VIEW _targets AS
SELECT
    r.provider, r.model, r.model_id, r.api, r.region,
    string_agg(DISTINCT r."precision", ' and ' ORDER BY r."precision") AS "precision",
    string_agg(DISTINCT q.residency, ' and ' ORDER BY q.residency) AS residency,
    string_agg(DISTINCT r.service_tier, ' and ' ORDER BY r.service_tier) AS service_tier,
    string_agg(DISTINCT r.served_tier, ' and ' ORDER BY r.served_tier) AS served_tier,
    count(*) AS requests,
    count(r.served_tier) FILTER (r.service_tier IS NOT NULL) AS tier_n,
    count(*) FILTER (replace(lower(r.served_tier), 'standard', 'default') = replace(lower(r.service_tier), 'standard', 'default')) AS tier_k,
    list(r.request_id ORDER BY r.request_id) FILTER (replace(lower(r.served_tier), 'standard', 'default') <> replace(lower(r.service_tier), 'standard', 'default'))[:10] AS tier_others
FROM results r
JOIN requests q ON q.request_id = r.request_id
WHERE (r.measured OR r.phase = 'probe') AND r.excluded IS NULL
GROUP BY ALL;
