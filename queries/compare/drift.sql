-- drift: one row per cell × metric × pair of times
-- tells: what changed over time
-- example: SELECT provider, model, metric, before, after, ratio, ratio_lo, ratio_hi, verdict FROM drift ORDER BY q NULLS LAST, provider, model LIMIT 10
-- needs: _drift
-- key: metric, model, scenario, concurrency, vantage, provider, params, span, before, after
CREATE OR REPLACE VIEW drift AS
SELECT
    cell_id, provider, model, scenario, concurrency, vantage, params, metric,
    span, before, after,
    windows_before, windows_after, n_before, n_after,
    level_before, level_after, ratio, lo AS ratio_lo, hi AS ratio_hi,
    direction, p, q, evidence,
    CASE WHEN decided THEN 'supported' WHEN p <= 0.05 THEN 'tendency' ELSE 'undecided' END AS verdict,
    why_not, n_effective
FROM _drift;

COMMENT ON VIEW drift IS 'one row per cell × metric × pair of times: what changed. The windows of the two times are different ones, so that nothing pairs them: the dependence between windows is estimated over all cells, and whole means are compared, from six windows on either side on';
COMMENT ON COLUMN drift.cell_id IS 'number of the cell, see results';
COMMENT ON COLUMN drift.provider IS 'cell: who serves the model';
COMMENT ON COLUMN drift.model IS 'cell: canonical model';
COMMENT ON COLUMN drift.scenario IS 'cell: scenario of the plan, or the slice of an import';
COMMENT ON COLUMN drift.concurrency IS 'cell: streams kept open';
COMMENT ON COLUMN drift.vantage IS 'cell: where the client stood';
COMMENT ON COLUMN drift.params IS 'cell: parameters that the plan declares (JSON)';
COMMENT ON COLUMN drift.metric IS 'see metrics';
COMMENT ON COLUMN drift.span IS 'what is compared: period, day or window, each with the one before it; or hour, an hour of the day (UTC) with all other hours';
COMMENT ON COLUMN drift.before IS 'the earlier time, or "other hours"';
COMMENT ON COLUMN drift.after IS 'the later time, or the hour of the day';
COMMENT ON COLUMN drift.windows_before IS 'windows of the earlier time';
COMMENT ON COLUMN drift.windows_after IS 'windows of the later time';
COMMENT ON COLUMN drift.n_before IS 'values of the earlier time; attempts for shares, useful results for costs';
COMMENT ON COLUMN drift.n_after IS 'values of the later time';
COMMENT ON COLUMN drift.level_before IS 'geometric mean of the medians of the windows (of their 95th percentiles, for a tail), failed attempts being slower than any answer and outlying windows drawn in; ratio of sums for shares and costs; with fewer than six windows on a side the metric''s statistic over all values';
COMMENT ON COLUMN drift.level_after IS 'the same, later';
COMMENT ON COLUMN drift.ratio IS 'level_after ÷ level_before; NULL where one of them is 0';
COMMENT ON COLUMN drift.ratio_lo IS 'lower end of its interval at 95 %: of conditions like those of both times; NULL without a test';
COMMENT ON COLUMN drift.ratio_hi IS 'upper end of its interval at 95 %; NULL without a test';
COMMENT ON COLUMN drift.direction IS 'better or worse, by the estimate; NULL where nothing changed';
COMMENT ON COLUMN drift.p IS 'p-value, two-sided, of a change of a quarter of the margin at most (of hours of the day: of the whole margin, since all hours differ a little and thousands are looked at); NULL with fewer than six windows on a side';
COMMENT ON COLUMN drift.q IS 'p adjusted over all changes of the metric over this kind of span (Benjamini–Hochberg)';
COMMENT ON COLUMN drift.evidence IS 'windows where there is a test, else none';
COMMENT ON COLUMN drift.verdict IS 'supported: q up to 0.05, beyond the margin, eight windows or more on either side; tendency: p up to 0.05; else undecided';
COMMENT ON COLUMN drift.n_effective IS 'how many independent windows the shorter time is worth; NULL without a test';
COMMENT ON COLUMN drift.why_not IS 'why it is not supported. too few windows: fewer than eight on a side; dependent windows: worth fewer than four independent ones; failures differ: nothing came in a tenth of the windows of one time; two clocks: one time has stamps of the kernel and the other returns of reads, which come late by as much; within the margin: told apart, but too small to matter, or shown to be; too little power: no test of so many changes tells it from chance';
