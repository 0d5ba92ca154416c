-- availability: one row per cell
-- needs: results, _statistics
-- key: provider, model, scenario, concurrency, vantage, params
CREATE OR REPLACE VIEW availability AS
WITH rows AS (
    SELECT *, attempted AND NOT answered AS failed, date_trunc('minute', started_at) AS minute
    FROM results
    WHERE measured
),
-- A minute in which half of several providers fail says more of the client's
-- own line than of them.
minutes AS (
    SELECT minute
    FROM rows
    WHERE attempted AND minute IS NOT NULL
    GROUP BY minute
    HAVING count(DISTINCT provider) >= 2 AND 2 * count(DISTINCT provider) FILTER (failed) >= count(DISTINCT provider)
        AND count(DISTINCT provider) FILTER (failed) >= 2
),
marked AS (
    SELECT r.*, r.failed AND m.minute IS NOT NULL AS local
    FROM rows r LEFT JOIN minutes m ON m.minute = r.minute
),
counts AS (
    SELECT
        provider, model, scenario, concurrency, vantage, params,
        count(*) AS requests,
        count(*) FILTER (attempted) AS attempts,
        count(*) FILTER (attempted AND answered) AS answered,
        count(*) FILTER (attempted AND outcome = 'rate_limited') AS rate_limited,
        count(*) FILTER (outcome = 'client_error') AS client_errors,
        count(*) FILTER (outcome = 'cancelled') AS cancelled,
        count(*) FILTER (outcome = 'account') AS account,
        count(*) FILTER (outcome = 'unavailable') AS unavailable,
        count(*) FILTER (outcome = 'rejected' AND NOT attempted) AS rejected_by_all,
        count(*) FILTER (outcome = 'unavailable' AND regexp_matches(failure, 'dedicated|serverless')) AS dedicated,
        count(*) FILTER (local) AS suspect_local,
        count(DISTINCT window_key) AS n_windows
    FROM marked
    GROUP BY ALL
),
-- Failures in a row, between two answers: an outage lasted at least from the
-- first to the last of them, and at most from answer to answer.
sequence AS (
    SELECT
        provider, model, scenario, concurrency, vantage, params, started_at, failed,
        count(*) FILTER (NOT failed) OVER before AS block,
        max(started_at) FILTER (NOT failed) OVER before AS answered_before,
        min(started_at) FILTER (NOT failed) OVER after AS answered_after
    FROM rows
    WHERE attempted AND started_at IS NOT NULL
    WINDOW
        before AS (PARTITION BY provider, model, scenario, concurrency, vantage, params ORDER BY started_at, request_id ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW),
        after AS (PARTITION BY provider, model, scenario, concurrency, vantage, params ORDER BY started_at, request_id ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING)
),
outages AS (
    SELECT
        provider, model, scenario, concurrency, vantage, params,
        epoch_ms(max(started_at)) - epoch_ms(min(started_at)) AS least,
        epoch_ms(min(answered_after)) - epoch_ms(max(answered_before)) AS most
    FROM sequence
    WHERE failed
    GROUP BY provider, model, scenario, concurrency, vantage, params, block
),
longest AS (
    SELECT provider, model, scenario, concurrency, vantage, params, count(*) AS outages, max(least) AS least,
        CASE WHEN count(*) = count(most) THEN max(most) END AS most
    FROM outages
    GROUP BY ALL
)
SELECT
    c.provider, c.model, c.scenario, c.concurrency, c.vantage, c.params,
    c.requests, c.attempts, c.answered,
    c.answered / nullif(c.attempts, 0) AS share,
    _wilson_lo(c.answered, c.attempts) AS share_lo,
    _wilson_hi(c.answered, c.attempts) AS share_hi,
    c.rate_limited,
    c.answered / nullif(c.attempts - c.rate_limited, 0) AS share_unlimited,
    _wilson_lo(c.answered, c.attempts - c.rate_limited) AS share_unlimited_lo,
    _wilson_hi(c.answered, c.attempts - c.rate_limited) AS share_unlimited_hi,
    CASE
        WHEN c.attempts > 0 AND (c.answered > 0 OR c.unavailable = 0 AND c.attempts > c.suspect_local) THEN 'servable'
        WHEN c.dedicated > 0 THEN 'dedicated-only'
        WHEN c.unavailable > 0 THEN 'unavailable'
        ELSE 'unverified'
    END AS servable,
    c.client_errors, c.cancelled, c.account, c.unavailable, c.rejected_by_all,
    c.suspect_local,
    coalesce(o.outages, 0) AS outages,
    o.least / 60000 AS longest_outage_min,
    o.most / 60000 AS longest_outage_max,
    c.n_windows
FROM counts c
LEFT JOIN longest o ON o.provider = c.provider AND o.model = c.model AND o.scenario = c.scenario
    AND o.concurrency IS NOT DISTINCT FROM c.concurrency AND o.vantage IS NOT DISTINCT FROM c.vantage AND o.params IS NOT DISTINCT FROM c.params;

COMMENT ON VIEW availability IS 'one row per cell: can the model be called at all (servable), and do calls get an answer (share)';
COMMENT ON COLUMN availability.requests IS 'measured requests';
COMMENT ON COLUMN availability.attempts IS 'those that tell of the provider: client errors, cancellations, account trouble, unavailable models, and what every provider rejects are left out';
COMMENT ON COLUMN availability.answered IS 'attempts that ended properly, whatever they ended with';
COMMENT ON COLUMN availability.share IS 'answered ÷ attempts, 0 to 1, higher is better';
COMMENT ON COLUMN availability.share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN availability.share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN availability.rate_limited IS 'attempts that were refused by a rate limit';
COMMENT ON COLUMN availability.share_unlimited IS 'answered ÷ attempts without those that were rate limited';
COMMENT ON COLUMN availability.share_unlimited_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN availability.share_unlimited_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN availability.servable IS 'servable; dedicated-only (the provider asks for an endpoint of one''s own); unavailable; unverified (nothing was learnt)';
COMMENT ON COLUMN availability.client_errors IS 'left out: our own side failed';
COMMENT ON COLUMN availability.cancelled IS 'left out: cancelled by us';
COMMENT ON COLUMN availability.account IS 'left out: key, credit or quota';
COMMENT ON COLUMN availability.unavailable IS 'left out: the model is not served';
COMMENT ON COLUMN availability.rejected_by_all IS 'left out: every provider rejects the request';
COMMENT ON COLUMN availability.suspect_local IS 'failures in minutes in which at least half of the providers failed';
COMMENT ON COLUMN availability.outages IS 'times that one or more attempts in a row failed';
COMMENT ON COLUMN availability.longest_outage_min IS 'minutes that the longest outage lasted at least: first to last failure';
COMMENT ON COLUMN availability.longest_outage_max IS 'minutes that an outage lasted at most: answer to answer; NULL where one is open at an end of the recording';
COMMENT ON COLUMN availability.n_windows IS 'windows that the requests come from';
