-- precisions: one row per model × scenario × declared precision
-- tells: whether lower precision costs answers: which share passes the checks
-- example: SELECT model, precision, disclosed, providers, judged, pass_share, pass_share_lo, pass_share_hi FROM precisions ORDER BY model, pass_share
-- needs: results, _statistics
-- key: model, scenario, precision
--
-- Providers that declare one precision are taken together; those that declare none
-- are a row of their own, disclosed false.
CREATE OR REPLACE VIEW precisions AS
SELECT
    model, scenario, "precision", disclosed,
    count(DISTINCT provider) AS providers,
    string_agg(DISTINCT provider, ', ' ORDER BY provider) AS provider_names,
    count(*) AS judged,
    count(*) FILTER (useful) AS passed,
    count(DISTINCT window_key) AS n_windows,
    count(*) FILTER (useful) / count(*) AS pass_share,
    _wilson_lo(count(*) FILTER (useful), count(*)) AS pass_share_lo,
    _wilson_hi(count(*) FILTER (useful), count(*)) AS pass_share_hi
FROM results
WHERE measured AND answered AND useful IS NOT NULL AND (check_failures IS NOT NULL OR score IS NOT NULL)
GROUP BY model, scenario, "precision", disclosed;

COMMENT ON VIEW precisions IS 'one row per model × scenario × declared precision: the share of judged answers that pass checks and scores. Requests of one window are not independent, and providers differ in more than precision: it names where to look, and decides nothing';
COMMENT ON COLUMN precisions.model IS 'canonical model';
COMMENT ON COLUMN precisions.scenario IS 'scenario of the plan, or the slice of an import';
COMMENT ON COLUMN precisions."precision" IS 'as declared, such as fp8; NULL where none is';
COMMENT ON COLUMN precisions.disclosed IS 'whether one is declared';
COMMENT ON COLUMN precisions.providers IS 'providers that declare it';
COMMENT ON COLUMN precisions.provider_names IS 'who they are';
COMMENT ON COLUMN precisions.judged IS 'answers that checks or scores judge';
COMMENT ON COLUMN precisions.passed IS 'those that are useful';
COMMENT ON COLUMN precisions.n_windows IS 'windows that they come from';
COMMENT ON COLUMN precisions.pass_share IS 'passed ÷ judged';
COMMENT ON COLUMN precisions.pass_share_lo IS 'lower end of its interval at 95 % (Wilson): of these requests';
COMMENT ON COLUMN precisions.pass_share_hi IS 'upper end of its interval';
