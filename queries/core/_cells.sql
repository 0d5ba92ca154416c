-- _cells: one row per request: the cell that it belongs to, under canonical names
-- needs: _requests, _aliases
-- key: request_id
-- stored: no
--
-- A cell is (provider, model, scenario, concurrency, vantage, params); windows
-- and runs are its replicates. Requests of one window share its weather:
-- window_key is the unit of independence.
CREATE OR REPLACE VIEW _cells AS
SELECT
    r.run_id,
    r.request_id,
    coalesce(p.provider, i.provider, r.provider) AS provider,
    coalesce(m.model, i.model, r.model) AS model,
    coalesce(i.region, r.region) AS region,
    coalesce(i."precision", r."precision") AS "precision",
    coalesce(r.scenario, 'all') AS scenario,
    r.concurrency,
    r.vantage,
    r.params,
    CASE
        WHEN r.phase = 'live' AND r.started_at_ns IS NOT NULL
            THEN strftime(make_timestamp(r.started_at_ns // 1000), '%Y-%m-%dT%H')
        ELSE coalesce(r."window", r.run_id)
    END AS "window",
    CASE
        WHEN r.phase = 'live' AND r.started_at_ns IS NOT NULL
            THEN strftime(make_timestamp(r.started_at_ns // 1000), '%Y-%m-%dT%H')
        ELSE r.run_id || '/' || coalesce(r."window", '')
    END AS window_key
FROM _requests r
LEFT JOIN _aliases i ON i.kind = 'id' AND i.spelling = lower(r.model_id)
LEFT JOIN _aliases p ON p.kind = 'provider' AND p.spelling = lower(coalesce(i.provider, r.provider))
LEFT JOIN _aliases m ON m.kind = 'model' AND m.spelling = lower(coalesce(i.model, r.model));
