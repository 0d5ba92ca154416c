-- _audited: one row per cell × audit rule: its value
-- needs: results, runs, _requests, _reduced, _measures, _cell_costs, _temperature, pairs
-- key: provider, model, scenario, concurrency, vantage, params, rule
--
-- audit_rules says what each value is and from where on it counts. A value is
-- NULL where the cell cannot be asked: without a schedule no send is late.
CREATE OR REPLACE VIEW _audited AS
-- Rows know what they belong to by number; the least cell_id stands for a target and
-- for a course, which is what targets take turns in.
WITH cells AS (
    SELECT
        cell_id, contest_id,
        {'provider': provider, 'model': model, 'scenario': scenario, 'concurrency': concurrency, 'vantage': vantage, 'params': params} AS cell,
        min(cell_id) OVER (PARTITION BY provider, model) AS target,
        min(cell_id) OVER (PARTITION BY scenario, concurrency, vantage) AS course
    FROM (
        SELECT cell_id, any_value(contest_id) AS contest_id, any_value(provider) AS provider, any_value(model) AS model, any_value(scenario) AS scenario,
            any_value(concurrency) AS concurrency, any_value(vantage) AS vantage, any_value(params) AS params
        FROM results
        GROUP BY cell_id
    )
),
measured AS NOT MATERIALIZED (
    SELECT r.*, c.target, c.course, r.phase <> 'live' AND NOT starts_with(r.origin, 'imported:') AS planned
    FROM results r
    JOIN cells c ON c.cell_id = r.cell_id
    WHERE r.measured
),

-- What was sent. Declared parameters stand for every request of their cell;
-- without them the cell's first body does.
sent AS (
    SELECT
        m.cell_id,
        _temperature(m.params, q.request_body) AS temperature,
        m.params IS NOT NULL OR q.request_body IS NOT NULL AS known,
        try_cast(coalesce(
            try(json_extract_string(m.params, '$.max_tokens')),
            try(json_extract_string(m.params, '$.max_completion_tokens')),
            try(json_extract_string(m.params, '$.max_output_tokens'))
        ) AS BIGINT) AS cap
    FROM (SELECT cell_id, any_value(params) AS params, min(request_id) AS request_id FROM measured GROUP BY cell_id) m
    JOIN _requests q ON q.request_id = m.request_id
),
contests AS (
    SELECT contest_id, count(DISTINCT provider) AS providers
    FROM measured
    GROUP BY contest_id
),
shared AS ( -- how many providers of the contest were asked a prompt
    SELECT p.contest_id, p.prompt_hash, p.providers, c.providers AS of_contest
    FROM (SELECT contest_id, prompt_hash, count(DISTINCT provider) AS providers FROM measured WHERE prompt_hash IS NOT NULL GROUP BY contest_id, prompt_hash) p
    JOIN contests c ON c.contest_id = p.contest_id
),

-- In which order.
turns AS (
    SELECT request_id, lag(target) OVER turn IS NOT DISTINCT FROM target AS again, lag(target) OVER turn IS NOT NULL AS follows
    FROM (
        SELECT m.request_id, m.run_id, m.window_key, m.course, q.order_index, m.target
        FROM measured m
        JOIN _requests q ON q.request_id = m.request_id
        WHERE m.planned AND coalesce(m.concurrency, 1) = 1
    )
    WINDOW turn AS (PARTITION BY run_id, window_key, course ORDER BY order_index, request_id)
),
orders AS (
    SELECT run_id, window_key, course, count(*) AS targets, list(target ORDER BY first) AS sequence
    FROM (
        SELECT m.run_id, m.window_key, m.course, m.target, min(q.order_index) AS first
        FROM measured m
        JOIN _requests q ON q.request_id = m.request_id
        WHERE m.planned
        GROUP BY ALL
    )
    GROUP BY run_id, window_key, course
),
courses AS (
    SELECT course, max(targets) AS targets,
        CASE WHEN count(DISTINCT sequence) = 1 AND max(targets) > 1 THEN (1 / factorial(least(max(targets), 20)::INTEGER)::DOUBLE) ** (count(*) - 1) ELSE 1 END AS chance
    FROM orders
    GROUP BY course
),
warm AS (
    SELECT cell_id, count(*) AS windows, count(*) FILTER (warmups = 0) AS cold
    FROM (
        SELECT cell_id, window_key, count(*) FILTER (phase = 'warmup') AS warmups
        FROM results
        WHERE phase IN ('warmup', 'measure') AND NOT starts_with(origin, 'imported:')
        GROUP BY ALL
        HAVING bool_or(measured)
    )
    GROUP BY cell_id
),

-- How far away.
round_trips AS (
    SELECT run_id, host, min(connect_ns) / 1e6 AS round_trip_ms
    FROM _requests
    WHERE connect_ns > 0
    GROUP BY run_id, host
),

flagged AS (
    SELECT
        m.*,
        t.again, t.follows,
        u.interrupted,
        s.cap,
        d.content_reads,
        e.usage_disputed,
        coalesce(d.content_reads = 1 AND (d.content_frames > 1 OR coalesce(q.content_encoding, 'identity') <> 'identity'), false) AS burst,
        h.providers < h.of_contest AS lonely_prompt,
        m.ttft_ms - coalesce(m.sent_ms, m.setup_ms) < w.round_trip_ms AS below_round_trip,
        m.ttft_ms IS NOT NULL AND w.round_trip_ms IS NOT NULL AS has_round_trip,
        coalesce(least(m.setup_ms, m.sent_ms, m.first_byte_ms, m.ttft_ms, m.ttfat_ms, m.thinking_ms, m.last_token_ms, m.e2e_ms, m.gap_p50_ms, m.max_stall_ms) < 0, false)
            OR coalesce(m.ttft_net_ms < 0, false)
            OR coalesce(m.last_token_ms < m.ttft_ms, false)
            OR coalesce(m.e2e_ms < m.last_token_ms, false)
            OR coalesce(list_min(q.reported_gaps_ns) < 0, false) AS backward,
        coalesce(m.reasoning_tokens > m.output_tokens, false)
            OR coalesce(coalesce(m.cached_tokens, 0) + coalesce(m.cache_write_tokens, 0) > m.input_tokens, false)
            OR coalesce(least(m.input_tokens, m.output_tokens, m.reasoning_tokens, m.cached_tokens) < 0, false)
            OR coalesce(least(m.output_tokens, d.output_tokens) = 0 AND m.answer_chars > 0, false)
            OR coalesce(greatest(d.input_tokens, d.output_tokens, d.reasoning_tokens) > 100000000, false)
            OR coalesce(NOT d.cached_disjoint AND d.cached_tokens > d.input_tokens AND m.cached_tokens IS NULL, false)
            OR coalesce(d.total_tokens < d.input_tokens + d.output_tokens, false) AS contradicts
    FROM measured m
    JOIN _requests q ON q.request_id = m.request_id
    LEFT JOIN _measures e ON e.request_id = m.request_id
    LEFT JOIN _reduced d ON d.request_id = m.request_id
    LEFT JOIN turns t ON t.request_id = m.request_id
    LEFT JOIN runs u ON u.run_id = m.run_id
    LEFT JOIN sent s ON s.cell_id = m.cell_id
    LEFT JOIN shared h ON h.contest_id = m.contest_id AND h.prompt_hash = m.prompt_hash
    LEFT JOIN round_trips w ON w.run_id = m.run_id AND w.host = m.host
),
counted AS (
    SELECT
        cell_id,
        bool_and(planned) AS planned,
        count(*) AS requests,
        count(*) FILTER (answered) AS answers,
        count(*) FILTER (complete AND evidence = 'chunks') AS recorded_answers,
        count(*) FILTER (complete AND evidence = 'reported') AS imported_answers,
        count(DISTINCT window_key) AS windows,
        count(*) FILTER (again) AS again,
        count(*) FILTER (follows) AS follows,
        count(lag_ms) AS scheduled,
        count(*) FILTER (lag_ms > 10) AS late,
        count(*) FILTER (interrupted) AS interrupted,
        count(*) FILTER (origin = 'simulated') AS simulated,
        count(*) FILTER (prompt_hash IS NULL) AS promptless,
        count(prompt_hash) AS prompted,
        count(DISTINCT prompt_hash) AS prompts,
        count(*) FILTER (lonely_prompt) AS lonely,
        count(conn_reused) AS connections,
        count(*) FILTER (NOT conn_reused) AS new_connections,
        count(*) FILTER (below_round_trip) AS below_round_trip,
        count(*) FILTER (has_round_trip) AS round_trips,
        count(*) FILTER (backward) AS backward,
        count(*) FILTER (complete AND evidence = 'chunks' AND ttft_ms IS NULL AND (frames = 1 OR streamed = false)) AS not_streamed,
        count(*) FILTER (complete AND evidence = 'chunks' AND first_byte_ms IS NOT NULL AND burst) AS bursts,
        count(*) FILTER (usage_disputed) AS disputed,
        count(*) FILTER (price_note LIKE 'asked for %' OR price_note LIKE 'served by %') AS substituted,
        count(*) FILTER (price_note LIKE '%found by a part of the name%') AS by_part,
        count(*) FILTER (price_note LIKE '%lower bound%') AS lower_bounds,
        count(*) FILTER (evidence = 'chunks' AND frames > 0) AS framed,
        count(*) FILTER (evidence = 'chunks' AND frames > 0 AND recorder_lag_us_max IS NULL) AS lag_unknown,
        quantile_cont(recorder_lag_us_max, 0.99) / 1000 AS lag_p99_ms,
        median(coalesce(ttft_net_ms, ttft_ms)) AS ttft_p50_ms,
        median(gap_p50_ms) AS gap_p50_ms,
        sum(content_frames)::BIGINT AS content_frames,
        sum(content_frames - content_reads)::BIGINT AS coalesced,
        count(*) FILTER (undecoded_frames > 0) AS undecoded,
        median(output_tokens) FILTER (complete) AS output_p50,
        median(input_tokens) AS input_p50,
        CASE WHEN count(ttft_ms) >= 20 THEN quantile_cont(coalesce(ttft_net_ms, ttft_ms), 0.95) END AS ttft_p95_ms,
        count(*) FILTER (answered AND finish = 'length' AND NOT as_planned) AS capped,
        count(*) FILTER (answered AND finish = 'stop' AND output_tokens >= cap) AS capped_unsaid,
        count(input_tokens) AS inputs,
        count(*) FILTER (cached_tokens > 0) AS cached,
        count(*) FILTER (complete AND evidence = 'chunks' AND finish IS NULL) AS unknown_endings,
        count(*) FILTER (complete AND evidence = 'reported' AND finish_reason IS NULL) AS unstated_endings,
        count(DISTINCT served_provider) AS served_providers,
        count(DISTINCT served_model) AS served_models,
        count(*) FILTER (contradicts) AS contradicts,
        count(token_source) AS token_counts,
        list(DISTINCT token_source) FILTER (token_source IS NOT NULL) AS token_sources
    FROM flagged
    GROUP BY cell_id
),
spent AS (
    SELECT
        {'provider': provider, 'model': model, 'scenario': scenario, 'concurrency': concurrency, 'vantage': vantage, 'params': params} AS cell,
        sum(charged)::BIGINT AS charged, sum(unpriced)::BIGINT AS unpriced, sum(undated)::BIGINT AS undated
    FROM _cell_costs
    GROUP BY ALL
),
compared AS ( -- with the other cells of the contest
    SELECT
        c.*, n.cell, p.charged, p.unpriced, p.undated, s.known, s.temperature, o.chance, o.targets, w.windows AS warm_windows, w.cold,
        count(DISTINCT s.temperature) OVER contest + max(CASE WHEN s.known AND s.temperature IS NULL THEN 1 ELSE 0 END) OVER contest AS temperatures,
        count(DISTINCT coalesce(n.cell.params, '')) OVER contest AS params,
        count(DISTINCT n.cell.provider) OVER contest AS providers,
        max(new_connections / nullif(connections, 0)) OVER contest - min(new_connections / nullif(connections, 0)) OVER contest AS connections_apart,
        max(cached / nullif(inputs, 0)) OVER contest - min(cached / nullif(inputs, 0)) OVER contest AS cached_apart,
        median(output_p50) OVER contest AS contest_output_p50,
        median(input_p50) OVER contest AS contest_input_p50,
        len(list_distinct(flatten(list(token_sources) OVER contest))) AS contest_token_sources
    FROM counted c
    JOIN cells n ON n.cell_id = c.cell_id
    JOIN sent s ON s.cell_id = c.cell_id
    JOIN spent p ON p.cell = n.cell
    LEFT JOIN courses o ON o.course = n.course
    LEFT JOIN warm w ON w.cell_id = c.cell_id
    WINDOW contest AS (PARTITION BY n.contest_id)
),
-- What decides nothing because of itself, whatever it is compared with.
worth AS (
    SELECT c.cell, min(p.n_effective) AS windows
    FROM compared c
    JOIN (
        SELECT model, scenario, concurrency, vantage, provider_a AS provider, n_effective FROM pairs
        UNION ALL
        SELECT model, scenario, concurrency, vantage, provider_b, n_effective FROM pairs
    ) p ON p.model = c.cell.model AND p.scenario = c.cell.scenario AND p.provider = c.cell.provider
        AND p.concurrency IS NOT DISTINCT FROM c.cell.concurrency AND p.vantage IS NOT DISTINCT FROM c.cell.vantage
    WHERE p.n_effective IS NOT NULL
    GROUP BY c.cell
),
hours AS ( -- of live traffic: share of each hour of the day
    SELECT cell_id, contest_id, hour, n / sum(n) OVER (PARTITION BY cell_id) AS share
    FROM (
        SELECT cell_id, contest_id, hour(started_at) AS hour, count(*) AS n
        FROM measured
        WHERE phase = 'live' AND started_at IS NOT NULL
        GROUP BY ALL
    )
),
apart AS ( -- how much of a cell's traffic lies in other hours than the mean of its contest
    SELECT c.cell_id, sum(abs(coalesce(h.share, 0) - m.share)) / 2 AS hours_apart
    FROM (SELECT DISTINCT cell_id, contest_id FROM hours) c
    JOIN (
        SELECT h.contest_id, h.hour, sum(h.share) / any_value(n.cells) AS share
        FROM hours h
        JOIN (SELECT contest_id, count(DISTINCT cell_id) AS cells FROM hours GROUP BY contest_id) n ON n.contest_id = h.contest_id
        GROUP BY h.contest_id, h.hour
    ) m ON m.contest_id = c.contest_id
    LEFT JOIN hours h ON h.cell_id = c.cell_id AND h.hour = m.hour
    GROUP BY c.cell_id
),
excluded AS (
    SELECT cell_id, count(*) FILTER (excluded IS NOT NULL) AS n, count(*) AS "of"
    FROM results
    WHERE measured OR excluded IS NOT NULL
    GROUP BY cell_id
),
skipped AS ( -- a target that was dead in one scenario may have no request in another
    SELECT
        coalesce(c.cell, {'provider': s.provider, 'model': s.model, 'scenario': s.scenario, 'concurrency': NULL::INTEGER, 'vantage': NULL::VARCHAR, 'params': NULL::VARCHAR}) AS cell,
        s.n,
        s.n + coalesce(sum(c.requests) OVER (PARTITION BY s.provider, s.model, s.scenario), 0)::BIGINT AS "of"
    FROM (
        SELECT k.provider, k.model, k.scenario, sum(k.requests)::BIGINT AS n
        FROM (
            SELECT unnest(from_json(skipped, '[{"provider": "VARCHAR", "model": "VARCHAR", "scenario": "VARCHAR", "requests": "BIGINT"}]')) AS k
            FROM runs
            WHERE skipped IS NOT NULL
        )
        GROUP BY ALL
    ) s
    LEFT JOIN compared c ON c.cell.provider = s.provider AND c.cell.model = s.model AND c.cell.scenario = s.scenario
),
counts AS ( -- rules that count: n of so many
    SELECT cell, unnest([
        {rule: 'no_warmup',        n: cold,             "of": warm_windows},
        {rule: 'one_after_another', n: CASE WHEN targets > 1 AND follows >= 2 THEN again END, "of": follows},
        {rule: 'late_sends',       n: late,             "of": scheduled},
        {rule: 'interrupted',      n: interrupted,      "of": requests},
        {rule: 'simulated',        n: simulated,        "of": requests},
        {rule: 'temperature_unset', n: CASE WHEN known THEN CASE WHEN temperature IS NULL THEN requests ELSE 0 END END, "of": requests},
        {rule: 'prompts_unknown',  n: promptless,       "of": requests},
        {rule: 'prompts_differ',   n: CASE WHEN providers > 1 THEN lonely END, "of": prompted},
        {rule: 'mixed_connections', n: least(new_connections, connections - new_connections), "of": connections},
        {rule: 'ttft_below_rtt',   n: below_round_trip, "of": round_trips},
        {rule: 'backward_time',    n: backward,         "of": requests},
        {rule: 'not_streamed',     n: not_streamed,     "of": recorded_answers},
        {rule: 'one_burst',        n: bursts,           "of": recorded_answers},
        {rule: 'lag_unknown',      n: lag_unknown,      "of": framed},
        {rule: 'mixed_clocks',     n: least(lag_unknown, framed - lag_unknown), "of": framed},
        {rule: 'coalesced',        n: coalesced,        "of": content_frames},
        {rule: 'undecoded',        n: undecoded,        "of": framed},
        {rule: 'length_capped',    n: capped,           "of": answers},
        {rule: 'capped_unsaid',    n: capped_unsaid,    "of": answers},
        {rule: 'cached_input',     n: cached,           "of": inputs},
        {rule: 'unknown_endings',  n: unknown_endings,  "of": recorded_answers},
        {rule: 'unstated_endings', n: unstated_endings, "of": imported_answers},
        {rule: 'usage_contradicts', n: contradicts,     "of": token_counts},
        {rule: 'usage_disputed',   n: disputed,         "of": token_counts},
        {rule: 'unknown_prices',   n: unpriced,         "of": charged},
        {rule: 'substituted_models', n: substituted,    "of": answers},
        {rule: 'prices_by_part',   n: by_part,          "of": requests},
        {rule: 'lower_bounds',     n: lower_bounds,     "of": requests},
        {rule: 'undated_prices',   n: undated,          "of": charged - unpriced}
    ], recursive := true)
    FROM compared
    UNION ALL
    SELECT cell, 'excluded', n, "of" FROM excluded JOIN cells USING (cell_id)
    UNION ALL
    SELECT cell, 'skipped', n, "of" FROM skipped
),
quantities AS ( -- rules that measure
    SELECT cell, unnest([
        {rule: 'few_trials',          value: requests::DOUBLE},
        {rule: 'few_windows',         value: windows},
        {rule: 'fixed_order',         value: chance},
        {rule: 'temperature_above_0', value: temperature},
        {rule: 'temperatures_differ', value: CASE WHEN known THEN temperatures END},
        {rule: 'params_differ',       value: params},
        {rule: 'few_prompts',         value: nullif(prompts, 0)},
        {rule: 'connections_differ',  value: connections_apart},
        {rule: 'recorder_lag',        value: lag_p99_ms / nullif(ttft_p50_ms, 0)},
        {rule: 'recorder_lag_gaps',   value: lag_p99_ms / nullif(gap_p50_ms, 0)},
        {rule: 'unequal_inputs',      value: CASE WHEN providers > 1 THEN greatest(input_p50 / nullif(contest_input_p50, 0), contest_input_p50 / nullif(input_p50, 0)) END},
        {rule: 'far_tail',            value: ttft_p95_ms / nullif(ttft_p50_ms, 0)},
        {rule: 'unequal_outputs',     value: CASE WHEN providers > 1 THEN greatest(output_p50 / nullif(contest_output_p50, 0), contest_output_p50 / nullif(output_p50, 0)) END},
        {rule: 'cached_inputs_differ', value: cached_apart},
        {rule: 'unpinned_routing',    value: served_providers},
        {rule: 'mixed_models',        value: served_models},
        {rule: 'token_sources_differ', value: contest_token_sources}
    ], recursive := true)
    FROM compared
    UNION ALL
    SELECT cell, 'dependent_windows', windows FROM worth
    UNION ALL
    SELECT cell, 'unequal_hours', hours_apart FROM apart JOIN cells USING (cell_id)
)
SELECT cell.provider, cell.model, cell.scenario, cell.concurrency, cell.vantage, cell.params, rule, n / nullif("of", 0) AS value, n, "of" FROM counts
UNION ALL
SELECT cell.provider, cell.model, cell.scenario, cell.concurrency, cell.vantage, cell.params, rule, value, NULL, NULL FROM quantities;
