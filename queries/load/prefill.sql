-- prefill: one row per sweep of input lengths: target × scenario × concurrency
-- tells: what a longer prompt costs in waiting
-- example: SELECT provider, model, scenario, lengths, ms_per_1k_tokens, ms_per_1k_tokens_lo, ms_per_1k_tokens_hi FROM prefill ORDER BY model, provider
-- needs: _prefill
-- key: provider, model, scenario, concurrency, vantage, params
--
-- Time to first token is what grows with the input (reading it) and what does
-- not (queue, network, the first step of decoding). The slope over the lengths
-- is the first alone; input ÷ time to first token would mix them.
CREATE OR REPLACE VIEW prefill AS
SELECT
    cell_id, provider, model, scenario, concurrency, vantage, params,
    n, n_windows, lengths, shortest AS shortest_tokens, longest AS longest_tokens, counted AS counted_by,
    1000 * slope AS ms_per_1k_tokens,
    1000 * slope_lo AS ms_per_1k_tokens_lo,
    1000 * slope_hi AS ms_per_1k_tokens_hi,
    CASE WHEN slope > 0 THEN 1000 / slope END AS tokens_per_s,
    CASE WHEN slope_hi > 0 THEN 1000 / slope_hi END AS tokens_per_s_lo,
    CASE WHEN slope_lo > 0 THEN 1000 / slope_lo END AS tokens_per_s_hi,
    overhead AS overhead_ms, overhead_lo AS overhead_lo_ms, overhead_hi AS overhead_hi_ms,
    cached, evidence,
    nullif(concat_ws('; ',
        CASE WHEN n < 25 THEN 'fewer than 25 requests' END,
        CASE WHEN lengths < 3 THEN 'two lengths: whether time grows in a straight line cannot be seen' END,
        CASE WHEN cached > 0 THEN 'a cache served input of ' || cached || ' requests' END,
        CASE WHEN counted = 'planned' THEN 'lengths are o200k tokens as planned, since not every answer reports its own count' END,
        CASE WHEN evidence = 'within' THEN 'fewer than six windows: speaks of these alone' END,
        CASE WHEN slope_lo <= 0 OR slope_lo IS NULL THEN 'growth with the input not told from none' END), '') AS warning
FROM _prefill
WHERE lengths > 1;

COMMENT ON VIEW prefill IS 'one row per sweep of input lengths: how fast a target reads its input, told apart from what it waits before. Slopes are Theil–Sen''s, intervals at 95 %';
COMMENT ON COLUMN prefill.cell_id IS 'number of the cell, as in results, of the scenario that the lengths of the sweep share';
COMMENT ON COLUMN prefill.provider IS 'who serves the model';
COMMENT ON COLUMN prefill.model IS 'canonical model';
COMMENT ON COLUMN prefill.scenario IS 'scenario of the plan; its cells are named SCENARIO@LENGTH';
COMMENT ON COLUMN prefill.concurrency IS 'streams that the plan keeps open';
COMMENT ON COLUMN prefill.vantage IS 'where the client stood';
COMMENT ON COLUMN prefill.params IS 'parameters that the plan declares (JSON)';
COMMENT ON COLUMN prefill.n IS 'requests with a first token';
COMMENT ON COLUMN prefill.n_windows IS 'windows that they come from';
COMMENT ON COLUMN prefill.lengths IS 'input lengths of the plan';
COMMENT ON COLUMN prefill.shortest_tokens IS 'fewest input tokens of a request, cached ones left out';
COMMENT ON COLUMN prefill.longest_tokens IS 'most input tokens of a request, cached ones left out';
COMMENT ON COLUMN prefill.counted_by IS 'usage: the provider''s count; planned: o200k tokens of the plan';
COMMENT ON COLUMN prefill.ms_per_1k_tokens IS 'ms that a thousand input tokens more add to the time to first token; lower is better';
COMMENT ON COLUMN prefill.ms_per_1k_tokens_lo IS 'lower end of its interval';
COMMENT ON COLUMN prefill.ms_per_1k_tokens_hi IS 'upper end of its interval';
COMMENT ON COLUMN prefill.tokens_per_s IS 'input tokens read per second: 10⁶ ÷ ms_per_1k_tokens; higher is better; NULL where time does not grow with the input';
COMMENT ON COLUMN prefill.tokens_per_s_lo IS 'lower end of its interval';
COMMENT ON COLUMN prefill.tokens_per_s_hi IS 'upper end; NULL where no growth cannot be excluded';
COMMENT ON COLUMN prefill.overhead_ms IS 'ms to first token that do not depend on the input: queue, network, the first step of decoding';
COMMENT ON COLUMN prefill.overhead_lo_ms IS 'lower end of its interval';
COMMENT ON COLUMN prefill.overhead_hi_ms IS 'upper end of its interval';
COMMENT ON COLUMN prefill.cached IS 'requests of whose input a cache served a part';
COMMENT ON COLUMN prefill.evidence IS 'windows: six windows or more, each with a slope of its own; within: fewer, taken together; none: no slope';
COMMENT ON COLUMN prefill.warning IS 'what to mind; NULL where nothing';
