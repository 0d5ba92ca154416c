-- catalogue: one row per provider × metric
-- tells: how a provider does over its whole catalogue
-- example: SELECT provider, metric, models, least, middle, most, most_on FROM catalogue WHERE metric = 'ttft_net_ms' ORDER BY middle
-- needs: latency, results, metrics, _statistics
-- key: provider, metric
--
-- A provider's band: what its models range over, each taken by the median over its
-- cells' medians. Shares are pooled over models: one failure in fifty on each of ten
-- models is nothing on any, and ten in five hundred together.
CREATE OR REPLACE VIEW catalogue AS
WITH by_model AS (
    SELECT provider, metric, model, sum(n)::BIGINT AS n, median(p50) AS level
    FROM latency
    WHERE p50 IS NOT NULL
    GROUP BY ALL
),
timed AS (
    SELECT provider, metric, count(*) AS models, sum(n)::BIGINT AS n,
        min(level) AS least, arg_min(model, (level, model)) AS least_on, median(level) AS middle,
        max(level) AS most, arg_max(model, (level, model)) AS most_on,
        NULL::BIGINT AS k, NULL::DOUBLE AS share, NULL::DOUBLE AS share_lo, NULL::DOUBLE AS share_hi
    FROM by_model
    GROUP BY provider, metric
),
asked AS (
    SELECT provider, model, count(*) FILTER (attempted) AS attempts, count(*) FILTER (attempted AND answered) AS answered,
        bool_or(outcome <> 'unavailable') AS callable
    FROM results
    WHERE measured
    GROUP BY ALL
),
answered AS (
    SELECT provider, 'answered_share' AS metric, count(*) AS models, sum(attempts)::BIGINT AS n,
        min(answered / attempts) AS least, arg_min(model, (answered / attempts, model)) AS least_on, median(answered / attempts) AS middle,
        max(answered / attempts) AS most, arg_max(model, (answered / attempts, model)) AS most_on,
        sum(answered)::BIGINT AS k
    FROM asked
    WHERE attempts > 0
    GROUP BY provider
),
callable AS (
    SELECT provider, 'callable_share' AS metric, count(*) AS models, count(*) AS n,
        NULL::DOUBLE AS least, min(model) FILTER (NOT callable) AS least_on, NULL::DOUBLE AS middle, NULL::DOUBLE AS most, NULL::VARCHAR AS most_on,
        count(*) FILTER (callable) AS k
    FROM asked
    GROUP BY provider
)
SELECT provider, metric, models, n, least, least_on, middle, most, most_on, k, share, share_lo, share_hi FROM timed
UNION ALL
SELECT provider, metric, models, n, least, least_on, middle, most, most_on, k, k / n, _wilson_lo(k, n), _wilson_hi(k, n)
FROM (FROM answered UNION ALL FROM callable);

COMMENT ON VIEW catalogue IS 'one row per provider × metric: what its models range over, and shares pooled over them';
COMMENT ON COLUMN catalogue.provider IS 'who serves the models';
COMMENT ON COLUMN catalogue.metric IS 'see metrics; or callable_share: the share of the models asked for that could be called at all';
COMMENT ON COLUMN catalogue.models IS 'models that tell of it';
COMMENT ON COLUMN catalogue.n IS 'values; attempts for answered_share, models for callable_share';
COMMENT ON COLUMN catalogue.least IS 'smallest level of a model, in the unit of the metric: the median of its cells'' medians, or the share of its attempts answered';
COMMENT ON COLUMN catalogue.least_on IS 'the model that has it; for callable_share one that cannot be called';
COMMENT ON COLUMN catalogue.middle IS 'median level of the models';
COMMENT ON COLUMN catalogue.most IS 'largest level of a model';
COMMENT ON COLUMN catalogue.most_on IS 'the model that has it';
COMMENT ON COLUMN catalogue.k IS 'attempts answered, or models callable; NULL for other metrics';
COMMENT ON COLUMN catalogue.share IS 'k ÷ n, 0 to 1, higher is better; NULL for other metrics';
COMMENT ON COLUMN catalogue.share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN catalogue.share_hi IS 'upper end of its Wilson interval at 95 %';
