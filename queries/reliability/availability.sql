-- availability: one row per cell
-- tells: which share of attempts was answered
-- example: SELECT provider, model, scenario, attempts, answered, share, share_lo, share_hi, outages FROM availability ORDER BY share, provider, model
-- needs: results, outages, _suspects, _statistics
-- key: provider, model, scenario, concurrency, vantage, params
--
-- Two axes. Servable: can the model be called at all? Reliable: do calls get an
-- answer? What says nothing of the provider is left out of attempts, and counted.
CREATE OR REPLACE VIEW availability AS
WITH counts AS (
    SELECT
        r.cell_id, r.contest_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params,
        count(*) AS requests,
        count(*) FILTER (r.attempted) AS attempts,
        count(*) FILTER (r.attempted AND r.answered) AS answered,
        count(*) FILTER (r.attempted AND r.outcome = 'rate_limited') AS rate_limited,
        count(*) FILTER (r.outcome = 'client_error') AS client_errors,
        count(*) FILTER (r.outcome = 'cancelled') AS cancelled,
        count(*) FILTER (r.outcome = 'account') AS account,
        count(*) FILTER (r.outcome = 'unavailable') AS unavailable,
        count(*) FILTER (r.outcome = 'rejected' AND NOT r.attempted) AS rejected_by_all,
        count(*) FILTER (r.outcome = 'unavailable' AND regexp_matches(r.failure, 'dedicated|serverless')) AS dedicated,
        -- A stream that began proves that the model was called, whatever came of it.
        count(*) FILTER (r.answered OR r.outcome IN ('cut', 'stalled', 'stream_error') OR r.content_frames > 0 OR r.ttft_ms IS NOT NULL) AS called,
        -- A source that states neither an ending nor a failure of any row says
        -- nothing of how requests end.
        count(*) FILTER (r.evidence IS DISTINCT FROM 'reported' OR r.finish_reason IS NOT NULL OR r.http_status IS NOT NULL OR NOT r.answered) > 0 AS stated,
        count(s.request_id) AS suspect_local,
        count(DISTINCT r.window_key) AS n_windows
    FROM results r
    LEFT JOIN _suspects s ON s.request_id = r.request_id
    WHERE r.measured
    GROUP BY ALL
),
longest AS (
    SELECT
        cell_id,
        count(*) AS outages,
        max(min_ms) AS least,
        CASE WHEN count(*) = count(max_ms) THEN max(max_ms) END AS most
    FROM outages
    GROUP BY ALL
)
SELECT
    c.cell_id, c.contest_id, c.provider, c.model, c.scenario, c.concurrency, c.vantage, c.params,
    c.requests, c.attempts, CASE WHEN c.stated THEN c.answered END AS answered,
    CASE WHEN c.stated THEN c.answered / nullif(c.attempts, 0) END AS share,
    CASE WHEN c.stated THEN _wilson_lo(c.answered, c.attempts) END AS share_lo,
    CASE WHEN c.stated THEN _wilson_hi(c.answered, c.attempts) END AS share_hi,
    c.rate_limited,
    CASE WHEN c.stated THEN c.answered / nullif(c.attempts - c.rate_limited, 0) END AS share_unlimited,
    CASE WHEN c.stated THEN _wilson_lo(c.answered, c.attempts - c.rate_limited) END AS share_unlimited_lo,
    CASE WHEN c.stated THEN _wilson_hi(c.answered, c.attempts - c.rate_limited) END AS share_unlimited_hi,
    CASE
        WHEN c.called > 0 THEN 'servable'
        WHEN c.dedicated > 0 THEN 'dedicated-only'
        WHEN c.unavailable > 0 THEN 'unavailable'
        ELSE 'unverified'
    END AS servable,
    c.client_errors, c.cancelled, c.account, c.unavailable, c.rejected_by_all,
    c.suspect_local,
    coalesce(o.outages, 0) AS outages,
    o.least AS longest_outage_min_ms,
    o.most AS longest_outage_max_ms,
    c.n_windows,
    nullif(concat_ws('; ',
        CASE WHEN NOT c.stated THEN 'no row states an ending or a failure: how many were answered is not known' END,
        CASE WHEN c.attempts = 0 THEN 'no attempt that tells of the provider'
            WHEN c.attempts < 25 THEN 'fewer than 25 attempts' END,
        CASE WHEN c.attempts > 0 AND c.n_windows = 1 THEN 'one window' END,
        CASE WHEN c.called > 0 AND c.unavailable > 0 THEN 'served at times, and unavailable at others' END,
        CASE WHEN c.suspect_local > 0 THEN c.suspect_local || ' of ' || (c.attempts - c.answered) || ' failures are shared by half of the providers: the line may be to blame' END,
        CASE WHEN 10 * (c.requests - c.attempts) > c.requests THEN 'more than a tenth of the requests left out' END), '') AS warning
FROM counts c
LEFT JOIN longest o ON o.cell_id = c.cell_id;

COMMENT ON VIEW availability IS 'one row per cell: can the model be called at all (servable), and do calls get an answer (share)';
COMMENT ON COLUMN availability.requests IS 'measured requests';
COMMENT ON COLUMN availability.attempts IS 'those that tell of the provider: client errors, cancellations, account trouble, unavailable models, and what every provider rejects are left out';
COMMENT ON COLUMN availability.answered IS 'attempts that ended properly, whatever they ended with';
COMMENT ON COLUMN availability.share IS 'answered ÷ attempts, 0 to 1, higher is better; NULL where no row of an import states an ending or a failure';
COMMENT ON COLUMN availability.share_lo IS 'lower end of its Wilson interval at 95 %: of these requests';
COMMENT ON COLUMN availability.share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN availability.rate_limited IS 'attempts that were refused by a rate limit';
COMMENT ON COLUMN availability.share_unlimited IS 'answered ÷ attempts without those that were rate limited, 0 to 1';
COMMENT ON COLUMN availability.share_unlimited_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN availability.share_unlimited_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN availability.servable IS 'servable: a stream or an answer began at least once; dedicated-only: the provider asks for an endpoint of one''s own; unavailable: it says that it does not serve the model; unverified: nothing was learnt';
COMMENT ON COLUMN availability.client_errors IS 'left out: our own side failed';
COMMENT ON COLUMN availability.cancelled IS 'left out: cancelled by us';
COMMENT ON COLUMN availability.account IS 'left out: key, credit or quota';
COMMENT ON COLUMN availability.unavailable IS 'left out: the model is not served';
COMMENT ON COLUMN availability.rejected_by_all IS 'left out: every provider rejects the request';
COMMENT ON COLUMN availability.suspect_local IS 'failures that half of the providers share within a minute: the client''s own line may explain them. They stay in share';
COMMENT ON COLUMN availability.outages IS 'times that three attempts or more in a row failed, rate limits left aside; see outages';
COMMENT ON COLUMN availability.longest_outage_min_ms IS 'ms that the longest outage lasted at least; NULL without failures';
COMMENT ON COLUMN availability.longest_outage_max_ms IS 'ms that an outage lasted at most; NULL where one is open at an end of the recording';
COMMENT ON COLUMN availability.n_windows IS 'windows that the requests come from: failures of one window are not independent, and Wilson''s interval takes them for it';
COMMENT ON COLUMN availability.warning IS 'what to mind; NULL where nothing';
