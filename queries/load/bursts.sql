-- bursts: one row per target × scenario × place in the burst
-- tells: what each place in a burst waits
-- example: SELECT provider, model, burst_index, answered, ttft_p50_ms, behind_first_ms FROM bursts ORDER BY model, provider, burst_index LIMIT 12
-- needs: _burst, _median_ranks, _statistics, _waits
-- key: provider, model, scenario, concurrency, vantage, params, burst_index
CREATE OR REPLACE VIEW bursts AS
SELECT
    b.cell_id, b.provider, b.model, b.scenario, b.concurrency, b.vantage, b.params, b.burst_index,
    b.bursts, b.n_windows, b.attempts, b.answered,
    b.answered / nullif(b.attempts, 0) AS share,
    _wilson_lo(b.answered, b.attempts) AS share_lo,
    _wilson_hi(b.answered, b.attempts) AS share_hi,
    b.rate_limited,
    _quantile(b.ttft, 0.5) AS ttft_p50_ms, b.ttft[t.lo] AS ttft_p50_lo_ms, b.ttft[t.hi] AS ttft_p50_hi_ms, b.ttft[-1] AS ttft_max_ms,
    _quantile(b.behind, 0.5) AS behind_first_ms, b.behind[d.lo] AS behind_first_lo_ms, b.behind[d.hi] AS behind_first_hi_ms,
    -- Whoever got none waits for ever: the n-th first token of half of the bursts.
    _quantile_with_never(b.arrived, b.bursts - len(b.arrived), 0.5) AS nth_ttft_p50_ms,
    _quantile(b.e2e, 0.5) AS e2e_p50_ms,
    w.ratio AS behind_ratio, w.lo AS behind_ratio_lo, w.hi AS behind_ratio_hi, w.p, w.q,
    CASE WHEN b.burst_index > 0 THEN CASE WHEN w.slower THEN 'supported' WHEN w.p <= 0.05 AND w.ratio > 1.1 THEN 'tendency' ELSE 'undecided' END END AS verdict,
    w.why_not,
    nullif(concat_ws('; ',
        CASE WHEN b.bursts < 6 THEN 'fewer than six bursts: no interval' END,
        CASE WHEN b.n_windows < 6 THEN 'fewer than six windows: speaks of these alone' END), '') AS warning
FROM _burst b
LEFT JOIN _waits w ON w.kind = 'burst' AND w.place = b.burst_index AND w.cell_id = b.cell_id
LEFT JOIN _median_ranks t ON t.n = len(b.ttft)
LEFT JOIN _median_ranks d ON d.n = len(b.behind);

COMMENT ON VIEW bursts IS 'one row per target × scenario × place in the burst: requests that are sent at once, each on a connection of its own whose set-up is left out';
COMMENT ON COLUMN bursts.provider IS 'who serves the model';
COMMENT ON COLUMN bursts.model IS 'canonical model';
COMMENT ON COLUMN bursts.scenario IS 'scenario of the plan';
COMMENT ON COLUMN bursts.concurrency IS 'size of the burst';
COMMENT ON COLUMN bursts.vantage IS 'where the client stood';
COMMENT ON COLUMN bursts.params IS 'parameters that the plan declares (JSON)';
COMMENT ON COLUMN bursts.burst_index IS 'place in the burst in the order of sending, from 0';
COMMENT ON COLUMN bursts.bursts IS 'bursts';
COMMENT ON COLUMN bursts.n_windows IS 'windows that they come from';
COMMENT ON COLUMN bursts.attempts IS 'requests at this place that tell of the provider';
COMMENT ON COLUMN bursts.answered IS 'those that were answered';
COMMENT ON COLUMN bursts.share IS 'answered ÷ attempts, 0 to 1, higher is better';
COMMENT ON COLUMN bursts.share_lo IS 'lower end of its Wilson interval at 95 %';
COMMENT ON COLUMN bursts.share_hi IS 'upper end of its Wilson interval at 95 %';
COMMENT ON COLUMN bursts.rate_limited IS 'attempts refused by a rate limit';
COMMENT ON COLUMN bursts.ttft_p50_ms IS 'ms to the first token, without set-up, median over bursts';
COMMENT ON COLUMN bursts.ttft_p50_lo_ms IS 'lower end of its interval at 95 %; needs six';
COMMENT ON COLUMN bursts.ttft_p50_hi_ms IS 'upper end of its interval';
COMMENT ON COLUMN bursts.ttft_max_ms IS 'ms: the longest of them';
COMMENT ON COLUMN bursts.behind_first_ms IS 'ms that the place waits longer than place 0 of the same burst, median over bursts';
COMMENT ON COLUMN bursts.behind_first_lo_ms IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN bursts.behind_first_hi_ms IS 'upper end of its interval';
COMMENT ON COLUMN bursts.nth_ttft_p50_ms IS 'ms until one more than burst_index requests of the burst, whichever, have their first token: median over bursts, those in which it never comes included; NULL where it never comes in half of them';
COMMENT ON COLUMN bursts.e2e_p50_ms IS 'ms to the whole answer, median of complete results';
COMMENT ON COLUMN bursts.warning IS 'what to mind; NULL where nothing';
COMMENT ON COLUMN bursts.behind_ratio IS 'first token of this place ÷ that of the first, windows paired; NULL for the first';
COMMENT ON COLUMN bursts.behind_ratio_lo IS 'lower end of its interval at 95 %, from eight windows on';
COMMENT ON COLUMN bursts.behind_ratio_hi IS 'upper end of its interval';
COMMENT ON COLUMN bursts.p IS 'p-value, two-sided, of a difference of a quarter of the margin at most; NULL with fewer than eight windows';
COMMENT ON COLUMN bursts.q IS 'p adjusted over all places of all targets (Benjamini–Hochberg)';
COMMENT ON COLUMN bursts.verdict IS 'whether this place waits longer than the first by more than a tenth and 50 ms. supported: by the test of pairs; tendency: p up to 0.05 by itself; else undecided; NULL for the first';
COMMENT ON COLUMN bursts.why_not IS 'why nothing is decided: see pairs.why_not; NULL where it is';
