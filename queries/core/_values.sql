-- _values: one row per measured request × metric that it has a value of
-- needs: results, metrics
-- key: request_id, metric
-- stored: no
--
-- The values that everything said of a metric is made of: latency, comparisons
-- and limits read them here. Which columns of results they are is for the
-- registry to say, so that this view names none: query() takes the list of its
-- sources into one scan of results. counted tells whether the request is of the
-- metric's population.
CREATE OR REPLACE VIEW _values AS
WITH wide AS (
    SELECT *
    FROM query('SELECT *, [' || array_to_string(_registered('source'), ', ') || ']::DOUBLE[] AS in_order FROM results WHERE measured')
),
long AS (
    SELECT
        request_id, cell_id, contest_id, provider, model, scenario, concurrency, vantage, params, window_key, started_at,
        attempted, complete, ttft_ms IS NOT NULL AS got_token,
        unnest(_registered('metric')) AS metric,
        unnest(_registered('population')) AS population,
        unnest(in_order) AS value
    FROM wide
)
SELECT
    * EXCLUDE (got_token, population),
    complete OR population = 'first_token' AND got_token AS counted
FROM long
WHERE value IS NOT NULL;
