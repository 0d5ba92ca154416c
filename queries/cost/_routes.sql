-- _routes: one row per workload × pair of targets × request that both were given
-- needs: results, _spend
-- key: workload, default_provider, default_model, default_params, escalate_provider, escalate_model, escalate_params, scenario, concurrency, vantage, prompt_hash, window_key, nth
-- stored: no
--
-- What a router would have met: the default's answer to a prompt, and the
-- answer of the other target to the same prompt in the same window. Answers to
-- a prompt that came several times are taken in the order of their trials or
-- times; without these by what they hold, since the order of rows says nothing.
-- Times are those of complete results: an error after 3 ms is no quick answer,
-- but the wait for it comes before what is asked next.
CREATE OR REPLACE VIEW _routes AS
WITH tries AS (
    SELECT
        coalesce(workload, scenario) AS workload, provider, model, params, scenario, concurrency, vantage, prompt_hash, window_key,
        row_number() OVER (PARTITION BY workload, provider, model, params, scenario, concurrency, vantage, prompt_hash, window_key
            ORDER BY trial NULLS LAST, started_at NULLS LAST, e2e_ms, useful, cost, complete) AS nth,
        useful, complete, e2e_ms, cost,
        -- Only where checks or scores decide is there anything to escalate on.
        bool_or(check_failures IS NOT NULL OR score IS NOT NULL) OVER (PARTITION BY scenario, prompt_hash) AS judged
    FROM (SELECT *, _spend(billing, cost_nanousd) AS cost FROM results)
    WHERE measured AND attempted AND prompt_hash IS NOT NULL
),
ready AS (
    FROM tries WHERE judged AND useful IS NOT NULL
)
SELECT
    d.workload,
    d.provider AS default_provider, d.model AS default_model, d.params AS default_params,
    e.provider AS escalate_provider, e.model AS escalate_model, e.params AS escalate_params,
    d.scenario, d.concurrency, d.vantage, d.prompt_hash, d.window_key, d.nth,
    d.useful AS default_useful, e.useful AS always_useful,
    d.useful OR e.useful AS routed_useful,
    d.cost AS default_cost, e.cost AS always_cost,
    CASE WHEN d.useful THEN d.cost ELSE d.cost + e.cost END AS routed_cost,
    CASE WHEN d.complete THEN d.e2e_ms END AS default_ms,
    CASE WHEN e.complete THEN e.e2e_ms END AS always_ms,
    CASE WHEN d.useful THEN d.e2e_ms WHEN e.complete THEN d.e2e_ms + e.e2e_ms END AS routed_ms
FROM ready d
JOIN ready e ON e.workload = d.workload AND e.scenario = d.scenario AND e.prompt_hash = d.prompt_hash AND e.window_key = d.window_key AND e.nth = d.nth
    AND e.concurrency IS NOT DISTINCT FROM d.concurrency AND e.vantage IS NOT DISTINCT FROM d.vantage
    AND e.model <> d.model;
