-- results: one row per request: everything derived from it
-- tells: one request, everything derived from it
-- example: SELECT provider, model, outcome, ttft_net_ms, e2e_ms, output_tokens, cost_usd FROM results WHERE measured ORDER BY request_id LIMIT 5
-- needs: _measures, _cells, _rejected, _billing, _costs, _checked, _scores, _excluded
-- key: request_id
-- stored: slices
CREATE OR REPLACE VIEW results AS
SELECT
    m.run_id, m.request_id, m.started_at, m.window_name, m.window_key, m.trial, m.phase,
    n.cell_id, n.contest_id, m.provider, m.model, m.scenario, m.concurrency, m.vantage, m.params,
    x.request_id IS NULL AND (m.phase = 'measure' OR m.phase = 'live' AND NOT n.planned) AS measured,
    x.reason AS excluded,
    m.outcome, m.complete,
    CASE
        WHEN NOT m.as_planned OR k.failed > 0 OR s.score < s.threshold THEN false
        WHEN k.unjudged > 0 THEN NULL -- a check that cannot be read, or a text that was not kept
        ELSE true
    END AS useful,
    m.as_planned, m.answered,
    m.outcome NOT IN ('client_error', 'cancelled', 'account', 'unavailable') AND NOT (m.outcome = 'rejected' AND r.model IS NOT NULL) AS attempted,
    m.overloaded, m.failure,
    k.failed AS check_failures, k.failures AS failed_checks, k.passed AS checks_passed, k.unjudged AS checks_unjudged,
    s.score, s.threshold AS score_threshold,
    m.evidence,
    m.setup_ms, m.sent_ms, m.first_byte_ms, m.first_event_ms, m.ttft_ms, m.ttft_net_ms, m.engine_ttft_ms, m.ttfat_ms, m.thinking_ms,
    m.last_token_ms, m.e2e_ms, m.lag_ms,
    m.input_tokens, m.cached_tokens, m.cache_write_tokens, m.output_tokens, m.reasoning_tokens, m.visible_tokens, m.token_source,
    m.tokens_per_s, m.visible_tokens_per_s, m.speed_note, m.tpot_ms, m.chars_per_s,
    m.window_ns, m.window_tokens, m.window_chars, m.visible_window_ns, m.visible_window_tokens,
    m.output_per_e2e,
    m.max_stall_ms, m.stall_after_ms, m.gap_p50_ms, m.gap_p99_ms,
    m.frames, m.content_frames, m.reads, m.answer_chars, m.reasoning_chars, m.tool_chars,
    m.finish_reason, m.finish, m.served_model, m.served_provider, m.system_fingerprint, m.served_tier, m.terminator,
    m.undecoded_frames, m.clock, m.recorder_lag_us_max, m.coalesced_share,
    c.cost_nanousd / 1e9 AS cost_usd,
    c.input_nanousd / 1e9 AS input_cost_usd,
    c.cached_nanousd / 1e9 AS cached_cost_usd,
    c.cache_write_nanousd / 1e9 AS cache_write_cost_usd,
    c.output_nanousd / 1e9 AS output_cost_usd,
    c.reasoning_nanousd / 1e9 AS reasoning_cost_usd,
    c.request_nanousd / 1e9 AS request_cost_usd,
    c.cost_nanousd,
    _billing(m.answered, m.outcome, m.token_source, m.http_status, m.end_reason, m.sent_ms) AS billing,
    m.reported_cost_usd,
    c.price_source,
    c.undated AS price_undated,
    c.note AS price_note,
    c.table_of AS price_table_of, c.other_nanousd,
    m.region, m.workload, m.architecture, m."precision", m."precision" IS NOT NULL AS disclosed,
    -- Where nothing is declared: what the answer shows, and the usage counts.
    coalesce(m.reasoning, CASE
        WHEN m.reasoning_tokens > 0 OR m.reasoning_chars > 0 THEN true
        WHEN m.answered AND m.reasoning_tokens = 0 AND coalesce(m.reasoning_chars, 0) = 0 THEN false END) AS reasoning,
     m.service_tier, m.campaign, m.session_id, m.caller_request_id, m.attempt,
    m.burst_index, m.in_flight, m.idle_before_ms, m.conn_reused, m.http_status, m.end_reason,
    m.prompt_hash, m.prompt_index, m.prompt_tokens_planned, m.api, m.model_id, m.host, m.probe, m.probe_arm, m.origin, m.streamed,
    m.input_o200k, m.answer_o200k, m.reasoning_o200k
FROM _measures m
JOIN _cells n ON n.provider = m.provider AND n.model = m.model AND n.scenario = m.scenario
    AND n.concurrency IS NOT DISTINCT FROM m.concurrency AND n.vantage IS NOT DISTINCT FROM m.vantage AND n.params IS NOT DISTINCT FROM m.params
LEFT JOIN _rejected r ON r.model = m.model AND r.scenario = m.scenario
    AND r.params IS NOT DISTINCT FROM m.params AND r.prompt_hash IS NOT DISTINCT FROM m.prompt_hash
LEFT JOIN _excluded x ON x.request_id = m.request_id
LEFT JOIN _checked k ON k.request_id = m.request_id
LEFT JOIN _scores s ON s.request_id = m.request_id
LEFT JOIN _costs c ON c.request_id = m.request_id;

COMMENT ON VIEW results IS 'one row per request: everything derived from it. Durations are milliseconds, money US dollars, rates per second, shares 0 to 1; NULL where there is no value';
COMMENT ON COLUMN results.run_id IS 'the run';
COMMENT ON COLUMN results.request_id IS 'the request';
COMMENT ON COLUMN results.started_at IS 'start of the request, UTC; NULL only where a source has no time';
COMMENT ON COLUMN results.window_name IS 'round of the plan, calendar hour of live rows and of imported ones without a run of their own, or run of the source';
COMMENT ON COLUMN results.window_key IS 'the unit of independence: run and window, or the calendar hour';
COMMENT ON COLUMN results.trial IS 'number of the request within cell, window and phase, from 0';
COMMENT ON COLUMN results.phase IS 'warmup, measure, cold, burst, probe or live';
COMMENT ON COLUMN results.cell_id IS 'number of the cell (provider, model, scenario, concurrency, vantage, params), the same in every data set: join views by it';
COMMENT ON COLUMN results.contest_id IS 'number of the contest (model, scenario, concurrency, vantage) that the cell takes part in, the same in every data set';
COMMENT ON COLUMN results.provider IS 'cell: who serves the model';
COMMENT ON COLUMN results.model IS 'cell: canonical model';
COMMENT ON COLUMN results.scenario IS 'cell: scenario of the plan, the declared slice of an import, else all';
COMMENT ON COLUMN results.concurrency IS 'cell: streams that the plan keeps open';
COMMENT ON COLUMN results.vantage IS 'cell: where the client stood';
COMMENT ON COLUMN results.params IS 'cell: parameters that the plan declares (JSON)';
COMMENT ON COLUMN results.measured IS 'whether the row counts in statistics: phase measure (live where its cell has none of those), and not excluded';
COMMENT ON COLUMN results.excluded IS 'reason of the exclusion that takes the row out of measured';
COMMENT ON COLUMN results.outcome IS 'how it ended: ok, truncated, empty, starved, filtered, cut, stalled, stream_error, server_error, rejected, rate_limited, account, unavailable, timeout, connect_error, cancelled, client_error or reported_error';
COMMENT ON COLUMN results.complete IS 'ok or truncated';
COMMENT ON COLUMN results.useful IS 'complete as planned, every check passes, and the score, where there is one, reaches its threshold; NULL where nothing fails but a check cannot be judged';
COMMENT ON COLUMN results.as_planned IS 'ok, or truncated where the plan ends answers by length';
COMMENT ON COLUMN results.answered IS 'HTTP answered and the stream ended properly, whatever it ended with';
COMMENT ON COLUMN results.attempted IS 'whether the row tells of the provider''s reliability: not our own failure, account trouble, an unavailable model, or a request that every provider rejects';
COMMENT ON COLUMN results.overloaded IS 'for server_error, rate_limited and stream_error: whether the error says that the provider was overloaded';
COMMENT ON COLUMN results.failure IS 'the failure''s own words, in lower case';
COMMENT ON COLUMN results.check_failures IS 'checks that the answer fails; NULL where it was not checked';
COMMENT ON COLUMN results.failed_checks IS 'which ones, and why, separated by semicolons; those that cannot be judged among them';
COMMENT ON COLUMN results.checks_passed IS 'checks that the answer passed; NULL where there are none, or no complete answer';
COMMENT ON COLUMN results.checks_unjudged IS 'checks that cannot be judged: they cannot be read, or the text was not kept';
COMMENT ON COLUMN results.score IS 'score given from outside';
COMMENT ON COLUMN results.score_threshold IS 'least score that is useful';
COMMENT ON COLUMN results.evidence IS 'chunks: raw frames back the row; reported: a source''s own figures';
COMMENT ON COLUMN results.setup_ms IS 'ms: name look-up, TCP and TLS; 0 on an open connection';
COMMENT ON COLUMN results.sent_ms IS 'ms from the start until the last request byte was handed to the kernel';
COMMENT ON COLUMN results.first_byte_ms IS 'ms from the start to the response''s head, or its first frame where that is not known';
COMMENT ON COLUMN results.first_event_ms IS 'ms from the start to the first frame that is neither comment nor ping: it need not hold a token';
COMMENT ON COLUMN results.ttft_ms IS 'ms from the start to the first generated content of any kind: thinking, answer or tool call; NULL for a response that was not streamed, and for one whose content all came in one read';
COMMENT ON COLUMN results.engine_ttft_ms IS 'ms: time to first token as the provider''s own engine states it; it knows nothing of network and queue';
COMMENT ON COLUMN results.ttft_net_ms IS 'ms: ttft_ms − setup_ms; NULL where set-up is not known';
COMMENT ON COLUMN results.ttfat_ms IS 'ms from the start to the first answer content: visible text or tool call';
COMMENT ON COLUMN results.thinking_ms IS 'ms from the first visible thinking to the first answer content, or to the last thinking where no answer came, or came before it';
COMMENT ON COLUMN results.last_token_ms IS 'ms from the start to the last content';
COMMENT ON COLUMN results.e2e_ms IS 'ms from the start to the last byte';
COMMENT ON COLUMN results.lag_ms IS 'ms that the request started late against an open-loop schedule';
COMMENT ON COLUMN results.input_tokens IS 'input tokens, cached ones and those of server-run tools included';
COMMENT ON COLUMN results.cached_tokens IS 'of these, read from a cache';
COMMENT ON COLUMN results.cache_write_tokens IS 'of these, written to a cache';
COMMENT ON COLUMN results.output_tokens IS 'output tokens as billed, thinking included';
COMMENT ON COLUMN results.reasoning_tokens IS 'of these, thinking; NULL where it is not said';
COMMENT ON COLUMN results.visible_tokens IS 'of these, not thinking; NULL where more is billed than was shown and no count explains it';
COMMENT ON COLUMN results.token_source IS 'usage: the provider''s report; tokenizer: counted with o200k, since none is reported, or none after the last text of a stream that was cut; reported: a source''s own figure';
COMMENT ON COLUMN results.tokens_per_s IS 'output tokens per second between first and last content, over the tokens of that window; NULL under two tokens, five content reads or 200 ms; of an imported row without a last token or a stated speed, to its end; higher is better';
COMMENT ON COLUMN results.visible_tokens_per_s IS 'o200k tokens of the answer shown (text, refusal, tool calls; no thinking) per second between its first and last content: one measure for every provider, whatever it bills or hides; NULL under five reads or 200 ms, and where texts were not kept; higher is better';
COMMENT ON COLUMN results.window_ns IS 'ns between first and last content, of the tokens that window_tokens counts: cells are compared by sums of both; NULL under two reads with content';
COMMENT ON COLUMN results.window_tokens IS 'tokens that came in that window: after the first read, and without thinking that was not shown; NULL where speed_note says why';
COMMENT ON COLUMN results.window_chars IS 'characters that came in that window after the first read';
COMMENT ON COLUMN results.visible_window_ns IS 'ns between first and last content of the answer; NULL under two reads';
COMMENT ON COLUMN results.visible_window_tokens IS 'o200k tokens of the answer that came in that window, after the first read by its share of the characters';
COMMENT ON COLUMN results.speed_note IS 'why tokens_per_s is NULL where there is a first and a last token';
COMMENT ON COLUMN results.tpot_ms IS 'ms per output token: 1000 ÷ tokens_per_s';
COMMENT ON COLUMN results.chars_per_s IS 'characters of content per second in the same window: comparable across models';
COMMENT ON COLUMN results.output_per_e2e IS 'output tokens ÷ seconds from start to last byte';
COMMENT ON COLUMN results.max_stall_ms IS 'ms of the longest gap between reads with content';
COMMENT ON COLUMN results.stall_after_ms IS 'ms from the start at which that gap began';
COMMENT ON COLUMN results.gap_p50_ms IS 'ms: median gap between reads with content';
COMMENT ON COLUMN results.gap_p99_ms IS 'ms: 99th percentile of the gaps between reads with content';
COMMENT ON COLUMN results.frames IS 'frames received';
COMMENT ON COLUMN results.content_frames IS 'frames with generated content';
COMMENT ON COLUMN results.reads IS 'reads that completed a frame';
COMMENT ON COLUMN results.answer_chars IS 'characters of visible text';
COMMENT ON COLUMN results.reasoning_chars IS 'characters of thinking, as far as shown';
COMMENT ON COLUMN results.tool_chars IS 'characters of tool calls';
COMMENT ON COLUMN results.finish_reason IS 'finish reason as the provider spells it';
COMMENT ON COLUMN results.finish IS 'the same in one spelling: stop, length, tool, filter, error, pause or other';
COMMENT ON COLUMN results.served_model IS 'model that the response says it comes from';
COMMENT ON COLUMN results.served_provider IS 'provider that a router says it used';
COMMENT ON COLUMN results.system_fingerprint IS 'fingerprint of the serving configuration';
COMMENT ON COLUMN results.served_tier IS 'service tier that the response states';
COMMENT ON COLUMN results.terminator IS 'done: the stream''s end marker; finish: a finish reason alone; eof: the body''s end alone; none';
COMMENT ON COLUMN results.undecoded_frames IS 'frames with a field that the decoder does not know';
COMMENT ON COLUMN results.clock IS 'what times the frames: kernel, its stamp of receiving; read, the return of the recorder''s read; NULL where no frame has a time';
COMMENT ON COLUMN results.recorder_lag_us_max IS 'µs: largest time between the kernel''s stamp and the recorder''s read; NULL where no stamp says';
COMMENT ON COLUMN results.coalesced_share IS 'share of frames that came with others in one read, 0 to 1';
COMMENT ON COLUMN results.cost_usd IS 'US dollars by the price table; NULL where the price or the tokens are not known, and where billing says that it is free';
COMMENT ON COLUMN results.input_cost_usd IS 'US dollars of it for input that no cache served';
COMMENT ON COLUMN results.cached_cost_usd IS 'US dollars of it for cached input';
COMMENT ON COLUMN results.cache_write_cost_usd IS 'US dollars of it for writing to a cache';
COMMENT ON COLUMN results.output_cost_usd IS 'US dollars of it for output other than thinking';
COMMENT ON COLUMN results.reasoning_cost_usd IS 'US dollars of it for thinking';
COMMENT ON COLUMN results.request_cost_usd IS 'US dollars of it for the request itself, its searches and runs of code';
COMMENT ON COLUMN results.billing IS 'billed: answered, or its tokens were counted by the provider; free: refused or never sent; unknown: failed while being answered, so that cost_usd is what it costs if it is charged';
COMMENT ON COLUMN results.cost_nanousd IS 'cost_usd in whole nano-dollars, for exact sums';
COMMENT ON COLUMN results.reported_cost_usd IS 'US dollars that the provider or source states itself';
COMMENT ON COLUMN results.price_source IS 'entry of the price table that was used';
COMMENT ON COLUMN results.price_undated IS 'whether that price may not have held at the request''s time';
COMMENT ON COLUMN results.price_note IS 'what stands in for what in the cost, what is billed and not in it (a lower bound), which model was asked for where another was served, or why there is no cost';
COMMENT ON COLUMN results.price_table_of IS 'day on which the price table was true, as it says itself';
COMMENT ON COLUMN results.other_nanousd IS 'nano-dollars by the project''s own price table, where a table of the user''s is in force';
COMMENT ON COLUMN results.region IS 'region of the endpoint, as declared';
COMMENT ON COLUMN results.input_o200k IS 'o200k tokens of the texts of the request';
COMMENT ON COLUMN results.answer_o200k IS 'o200k tokens of text, refusal and tool calls';
COMMENT ON COLUMN results.reasoning_o200k IS 'o200k tokens of the thinking shown';
COMMENT ON COLUMN results.reasoning IS 'whether the model thinks, as the plan declares; where nothing is declared: true of an answer that shows or counts thoughts, false of one whose usage counts none and which shows none; else NULL';
COMMENT ON COLUMN results.disclosed IS 'whether a precision is declared';
