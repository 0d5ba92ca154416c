-- reliability_by_age: one row per provider × age of model
-- tells: whether new models fail more often, pooled over all models of that age
-- example: SELECT provider, age, models, callable, attempts, share, share_lo, share_hi FROM reliability_by_age ORDER BY provider, age
-- needs: results, _releases, _statistics
-- key: provider, age
--
-- A model's age is that on the day of the request. Release dates are those of a
-- table that comes with the program, by the model's name without its maker's; most
-- names are not in it.
CREATE OR REPLACE VIEW reliability_by_age AS
WITH aged AS (
    SELECT r.provider, r.model, r.window_key, r.attempted, r.answered, r.outcome,
        date_diff('day', l.released::DATE, r.started_at::DATE) AS days
    FROM results r
    LEFT JOIN _releases l ON l.model = regexp_replace(lower(r.model), '^.*/', '')
    WHERE r.measured
),
banded AS (
    SELECT *, CASE
        WHEN days IS NULL THEN 'unknown'
        WHEN days < 90 THEN 'under 90 days'
        WHEN days < 365 THEN '90 days to a year'
        ELSE 'over a year' END AS age
    FROM aged
),
asked AS (
    SELECT provider, age, model, bool_or(outcome <> 'unavailable') AS callable,
        count(*) FILTER (attempted) AS attempts, count(*) FILTER (attempted AND answered) AS answered
    FROM banded
    GROUP BY ALL
)
SELECT
    provider, age,
    count(*) AS models,
    count(*) FILTER (callable) AS callable,
    sum(attempts)::BIGINT AS attempts,
    sum(answered)::BIGINT AS answered,
    sum(answered) / nullif(sum(attempts), 0) AS share,
    _wilson_lo(sum(answered)::BIGINT, sum(attempts)::BIGINT) AS share_lo,
    _wilson_hi(sum(answered)::BIGINT, sum(attempts)::BIGINT) AS share_hi
FROM asked
GROUP BY provider, age;

COMMENT ON VIEW reliability_by_age IS 'one row per provider × age of model: how many of its models of that age can be called, and which share of attempts on them together is answered';
COMMENT ON COLUMN reliability_by_age.provider IS 'who serves the models';
COMMENT ON COLUMN reliability_by_age.age IS 'under 90 days, 90 days to a year, over a year, or unknown: on the day of the request';
COMMENT ON COLUMN reliability_by_age.models IS 'models of that age that were asked for';
COMMENT ON COLUMN reliability_by_age.callable IS 'those that could be called at all';
COMMENT ON COLUMN reliability_by_age.attempts IS 'attempts that tell of the provider';
COMMENT ON COLUMN reliability_by_age.answered IS 'those that were answered';
COMMENT ON COLUMN reliability_by_age.share IS 'answered ÷ attempts';
COMMENT ON COLUMN reliability_by_age.share_lo IS 'lower end of its interval at 95 % (Wilson): of these requests';
COMMENT ON COLUMN reliability_by_age.share_hi IS 'upper end of its interval';
