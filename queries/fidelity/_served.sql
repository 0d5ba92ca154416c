-- _served: one row per run of equal values of something that a provider may change without a word
-- needs: results
-- key: provider, model, model_id, scenario, concurrency, params, what, place
--
-- In order of place these are the sequences whose breaks the view changes tells.
-- A price is by the table. What follows from a scenario or a tier is kept apart,
-- since a plan that alternates between them is no change; sequences of one value
-- are left out.
CREATE OR REPLACE VIEW _served AS
WITH rows AS NOT MATERIALIZED (
    SELECT *
    FROM results
    WHERE started_at IS NOT NULL AND phase <> 'probe'
),
said AS (
    SELECT request_id, started_at, {'provider': provider, 'model': model, 'model_id': model_id, 'scenario': NULL, 'concurrency': NULL, 'params': NULL} AS "of",
        unnest([
            {what: 'served_model', value: served_model},
            {what: 'served_provider', value: served_provider},
            {what: 'system_fingerprint', value: system_fingerprint}
        ], recursive := true)
    FROM rows
    WHERE answered AND evidence = 'chunks'
    UNION ALL
    SELECT request_id, started_at, {'provider': provider, 'model': model, 'model_id': model_id, 'scenario': scenario, 'concurrency': concurrency, 'params': params},
        'finish', finish
    FROM rows
    WHERE answered AND phase IN ('measure', 'live')
    UNION ALL
    SELECT request_id, started_at, {'provider': provider, 'model': model, 'model_id': model_id, 'scenario': NULL, 'concurrency': NULL, 'params': coalesce(service_tier, served_tier)},
        'price', price_source
    FROM rows
    WHERE price_source IS NOT NULL
),
mixed AS ( -- what is never stated is not changed
    SELECT of, what
    FROM said
    GROUP BY of, what
    HAVING min(value) <> max(value) OR count(value) BETWEEN 1 AND count(*) - 1
),
marked AS (
    SELECT s.*, coalesce(lag(value) OVER sequence IS DISTINCT FROM value, true) OR row_number() OVER sequence = 1 AS begins
    FROM said s
    JOIN mixed m ON m.of = s.of AND m.what = s.what
    WINDOW sequence AS (PARTITION BY s.of, s.what ORDER BY s.started_at, s.request_id)
),
numbered AS (
    SELECT *, sum(begins::INTEGER) OVER (PARTITION BY of, what ORDER BY started_at, request_id ROWS UNBOUNDED PRECEDING)::BIGINT AS place -- count with FILTER takes quadratic time here
    FROM marked
)
SELECT
    of.provider, of.model, of.model_id, of.scenario::VARCHAR AS scenario, of.concurrency::INTEGER AS concurrency, of.params::VARCHAR AS params,
    what, place,
    any_value(value) AS value,
    count(*) AS n,
    min(started_at) AS first_at,
    max(started_at) AS last_at
FROM numbered
GROUP BY of, what, place;
