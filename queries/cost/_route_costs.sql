-- _route_costs: one row per workload × policy × window: its sums
-- needs: _routes
-- key: of, window_key
--
-- A policy asks the default first, so only a default that costs less makes one;
-- where prices are unknown, either may.
CREATE OR REPLACE VIEW _route_costs AS
WITH sums AS (
    SELECT
        workload, default_provider, default_model, default_params, escalate_provider, escalate_model, escalate_params, window_key,
        count(*) AS n,
        count(*) FILTER (default_cost IS NULL OR always_cost IS NULL) AS unpriced,
        count(*) FILTER (routed_useful) AS useful,
        count(*) FILTER (default_useful) AS default_useful,
        count(*) FILTER (always_useful) AS always_useful,
        coalesce(sum(routed_cost), 0)::BIGINT AS routed,
        coalesce(sum(default_cost), 0)::BIGINT AS default_only,
        coalesce(sum(always_cost), 0)::BIGINT AS always
    FROM _routes
    GROUP BY ALL
)
SELECT
    to_json([workload, default_provider, default_model, default_params, escalate_provider, escalate_model, escalate_params])::VARCHAR AS of,
    *
FROM sums
WINDOW policy AS (PARTITION BY workload, default_provider, default_model, default_params, escalate_provider, escalate_model, escalate_params)
QUALIFY sum(unpriced) OVER policy > 0 OR sum(default_only) OVER policy < sum(always) OVER policy;
