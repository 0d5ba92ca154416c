-- cold_starts: one row per target × scenario with cold starts
-- tells: what the first request after silence pays
-- example: SELECT provider, model, starts, cold_p50_ms, warm_p50_ms, penalty_ms, claim, verdict FROM cold_starts ORDER BY model, provider
-- needs: _cold, _median_ranks, _statistics, _waits
-- key: provider, model, scenario, concurrency, vantage, params
CREATE OR REPLACE VIEW cold_starts AS
WITH stated AS (
    SELECT
        c.*, v.slower, v.p, v.q, v.why_not AS compared_why_not,
        _quantile(c.penalties, 0.5) AS penalty_ms, c.penalties[p.lo] AS penalty_lo_ms, c.penalties[p.hi] AS penalty_hi_ms,
        _quantile(c.ratios, 0.5) AS penalty_ratio, c.ratios[p.lo] AS penalty_ratio_lo, c.ratios[p.hi] AS penalty_ratio_hi,
        _quantile(c.cold, 0.5) AS cold_p50_ms, c.cold[k.lo] AS cold_p50_lo_ms, c.cold[k.hi] AS cold_p50_hi_ms,
        _quantile(c.warm, 0.5) AS warm_p50_ms, c.warm[w.lo] AS warm_p50_lo_ms, c.warm[w.hi] AS warm_p50_hi_ms
    FROM _cold c
    LEFT JOIN _waits v ON v.kind = 'cold' AND v.place = 1 AND v.cell_id = c.cell_id
    LEFT JOIN _median_ranks p ON p.n = len(c.penalties)
    LEFT JOIN _median_ranks k ON k.n = len(c.cold)
    LEFT JOIN _median_ranks w ON w.n = len(c.warm)
)
SELECT
    cell_id, provider, model, scenario, concurrency, vantage, params,
    starts, n_windows, failed, warm_failed,
    _quantile(idle, 0.5) AS idle_p50_ms,
    cold_p50_ms, cold_p50_lo_ms, cold_p50_hi_ms, cold[-1] AS cold_max_ms,
    warm_p50_ms, warm_p50_lo_ms, warm_p50_hi_ms,
    penalty_ms, penalty_lo_ms, penalty_hi_ms,
    penalty_ratio, penalty_ratio_lo, penalty_ratio_hi,
    slow AS slow_starts,
    _quantile(second, 0.5) AS second_p50_ms,
    _quantile(third, 0.5) AS third_p50_ms,
    _quantile(fourth, 0.5) AS fourth_p50_ms,
    CASE
        WHEN _quantile(fourth, 0.5) IS NULL THEN NULL
        WHEN _quantile(second, 0.5) <= greatest(1.1 * _quantile(fourth, 0.5), _quantile(fourth, 0.5) + 50) THEN 1
        WHEN _quantile(third, 0.5) <= greatest(1.1 * _quantile(fourth, 0.5), _quantile(fourth, 0.5) + 50) THEN 2
        ELSE 3
    END AS warm_after,
    evidence,
    CASE
        WHEN slower OR penalty_ms > 50 AND penalty_ratio > 1.1 AND penalty_lo_ms > 0 THEN 'penalty'
        WHEN penalty_hi_ms <= 50 OR penalty_ratio_hi <= 1.1 THEN 'no penalty'
    END AS claim,
    CASE
        WHEN claim IS NULL THEN 'undecided'
        WHEN claim = 'penalty' AND slower OR claim = 'no penalty' AND evidence = 'windows' THEN 'supported'
        ELSE 'tendency'
    END AS verdict,
    CASE
        WHEN claim IS NULL AND penalty_ms IS NULL THEN 'no start has both sides'
        WHEN claim IS NULL AND penalty_lo_ms IS NULL THEN 'too few starts'
        WHEN claim IS NULL THEN 'too little power'
        WHEN claim = 'penalty' AND NOT coalesce(slower, false) THEN coalesce(compared_why_not, 'too few windows')
        WHEN claim = 'no penalty' AND evidence <> 'windows' THEN 'too few windows'
    END AS why_not,
    p, q,
    nullif(concat_ws('; ',
        CASE WHEN starts < 6 THEN 'fewer than six starts: no interval' END,
        CASE WHEN evidence = 'within' THEN 'fewer than six windows: speaks of these alone' END,
        CASE WHEN failed > 0 THEN failed || ' of the first requests failed, and have no time' END,
        CASE WHEN len(idle) < starts THEN 'silence before ' || (starts - len(coalesce(idle, []))) || ' starts unknown: nothing was asked before' END), '') AS warning
FROM stated;

COMMENT ON VIEW cold_starts IS 'one row per target × scenario with cold starts: what the first request after silence waits longer than those right after it. All open a connection of their own, and its set-up is left out';
COMMENT ON COLUMN cold_starts.provider IS 'who serves the model';
COMMENT ON COLUMN cold_starts.model IS 'canonical model';
COMMENT ON COLUMN cold_starts.scenario IS 'scenario of the plan';
COMMENT ON COLUMN cold_starts.concurrency IS 'streams that the plan keeps open: 1';
COMMENT ON COLUMN cold_starts.vantage IS 'where the client stood';
COMMENT ON COLUMN cold_starts.params IS 'parameters that the plan declares (JSON)';
COMMENT ON COLUMN cold_starts.starts IS 'cold starts';
COMMENT ON COLUMN cold_starts.n_windows IS 'windows that they come from';
COMMENT ON COLUMN cold_starts.failed IS 'first requests after silence that failed';
COMMENT ON COLUMN cold_starts.warm_failed IS 'requests after them that failed';
COMMENT ON COLUMN cold_starts.idle_p50_ms IS 'ms of silence before a start, median';
COMMENT ON COLUMN cold_starts.cold_p50_ms IS 'ms to the first token after silence, without set-up, median';
COMMENT ON COLUMN cold_starts.cold_p50_lo_ms IS 'lower end of its interval at 95 %; needs six starts';
COMMENT ON COLUMN cold_starts.cold_p50_hi_ms IS 'upper end of its interval';
COMMENT ON COLUMN cold_starts.cold_max_ms IS 'ms: the longest of them';
COMMENT ON COLUMN cold_starts.warm_p50_ms IS 'ms to the first token of a warm request, median over starts of the median of the three that follow each';
COMMENT ON COLUMN cold_starts.warm_p50_lo_ms IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN cold_starts.warm_p50_hi_ms IS 'upper end of its interval';
COMMENT ON COLUMN cold_starts.penalty_ms IS 'ms that the first request waits longer than the warm ones of the same start, median; from six windows on over the windows'' medians; lower is better';
COMMENT ON COLUMN cold_starts.penalty_lo_ms IS 'lower end of its interval at 95 % (order statistics)';
COMMENT ON COLUMN cold_starts.penalty_hi_ms IS 'upper end of its interval';
COMMENT ON COLUMN cold_starts.penalty_ratio IS 'the same as a ratio: cold ÷ warm, median';
COMMENT ON COLUMN cold_starts.penalty_ratio_lo IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN cold_starts.penalty_ratio_hi IS 'upper end of its interval';
COMMENT ON COLUMN cold_starts.slow_starts IS 'starts that wait longer by more than 50 ms and a tenth: some targets are cold only at times';
COMMENT ON COLUMN cold_starts.second_p50_ms IS 'ms to the first token of the request right after the cold one, median';
COMMENT ON COLUMN cold_starts.third_p50_ms IS 'ms to the first token of the next, median';
COMMENT ON COLUMN cold_starts.fourth_p50_ms IS 'ms to the first token of the last of the four, median';
COMMENT ON COLUMN cold_starts.warm_after IS 'recovery: requests until the median is within 50 ms or a tenth of the fourth''s: 1 if the second is, 3 if none before the fourth is';
COMMENT ON COLUMN cold_starts.evidence IS 'windows: six or more; within: fewer; none: no start has both sides';
COMMENT ON COLUMN cold_starts.claim IS 'penalty: beyond 50 ms and a tenth, and its interval excludes none; no penalty: the interval excludes one beyond 50 ms, or a tenth; NULL where it shows neither';
COMMENT ON COLUMN cold_starts.verdict IS 'supported: a penalty that the test of pairs decides, over eight windows or more, their dependence and the number of targets counted; or no penalty over six windows or more; tendency: less; undecided: there is no claim';
COMMENT ON COLUMN cold_starts.p IS 'p-value, two-sided, of a difference of a quarter of the margin at most, windows paired; NULL with fewer than eight';
COMMENT ON COLUMN cold_starts.q IS 'p adjusted over all targets (Benjamini–Hochberg)';
COMMENT ON COLUMN cold_starts.why_not IS 'why it is not supported; NULL where it is';
COMMENT ON COLUMN cold_starts.warning IS 'what to mind; NULL where nothing';
COMMENT ON COLUMN cold_starts.p IS 'p-value, two-sided, of a difference of a quarter of the margin at most, windows paired; NULL with fewer than eight';
COMMENT ON COLUMN cold_starts.q IS 'p adjusted over all targets (Benjamini–Hochberg)';
COMMENT ON COLUMN cold_starts.why_not IS 'why nothing is decided: see pairs.why_not; NULL where it is';
