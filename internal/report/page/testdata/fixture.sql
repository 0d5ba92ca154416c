-- A small dataset as the public views would show it: five providers, three
-- models, twelve windows of eight requests, every value from a formula. Kestrel
-- is fastest on qilin-235b and slow on tern-r1; Delta-9 is down in window 7.
CREATE TABLE results AS
WITH grid AS (
  SELECT *, (hash(provider || model || w::VARCHAR || t::VARCHAR) % 1000 + 0.5) / 1000 AS u,
            (hash('y' || provider || model || w::VARCHAR || t::VARCHAR) % 1000) / 1000 AS v
  FROM (VALUES ('Kestrel', 90, 420, 150), ('Halcyon', 160, 210, 140), ('Granite', 230, 150, 260), ('Delta-9', 400, 380, 330), ('江流', 640, 520, 900)) p(provider, a, b, c),
       (VALUES ('qilin-235b'), ('tern-r1'), ('osprey-v3')) m(model),
       range(12) r(w), range(8) s(t)
)
SELECT 'run-1' AS run_id, row_number() OVER (ORDER BY w, t, model, provider) AS request_id,
       TIMESTAMP '2026-03-02 00:00:00' + INTERVAL 2 HOUR * w + INTERVAL 7 SECOND * t AS started_at,
       w::VARCHAR AS window_name, 'run-1/' || w AS window_key, t AS trial, CASE WHEN t = 0 THEN 'warmup' ELSE 'measure' END AS phase,
       provider, model, 'short-chat' AS scenario, 1 AS concurrency, 'fra1' AS vantage, NULL::VARCHAR AS params,
       t > 0 AS measured, NULL::VARCHAR AS excluded,
       CASE WHEN provider = 'Delta-9' AND w = 7 AND t < 7 THEN 'server_error' WHEN v < 0.01 THEN 'cut' WHEN v < 0.02 THEN 'rate_limited' WHEN v < 0.04 THEN 'truncated' ELSE 'ok' END AS outcome,
       outcome IN ('ok', 'truncated') AS complete, outcome = 'ok' AS useful,
       outcome IN ('ok', 'truncated', 'empty', 'starved', 'filtered') AS answered, true AS attempted,
       CASE WHEN outcome IN ('ok', 'truncated') THEN CASE model WHEN 'qilin-235b' THEN a WHEN 'tern-r1' THEN b ELSE c END
         * exp(0.7 * -ln(1 - u) + 0.1 * sin(w)) END AS ttft_net_ms,
       ttft_net_ms + 20 AS ttft_ms, ttft_net_ms + 900 AS e2e_ms,
       CASE WHEN answered THEN 0.0004 * (1 + a / 500.0) ELSE 0 END AS cost_usd,
       CASE WHEN model = 'tern-r1' AND complete THEN 300 + 400 * v END AS reasoning_tokens
FROM grid;

CREATE TABLE runs AS SELECT 'run-1' AS run_id, 'chat-providers' AS name, 'recorded' AS origin, false AS interrupted, min(started_at) AS started_at, max(started_at) AS ended_at, count(*) AS requests FROM results;

CREATE TABLE latency AS
WITH long AS (
  SELECT provider, model, scenario, concurrency, vantage, params, window_key, complete,
         unnest([{metric: 'ttft_net_ms', v: ttft_net_ms}, {metric: 'ttft_ms', v: ttft_ms}, {metric: 'e2e_ms', v: e2e_ms}], recursive := true)
  FROM results WHERE measured
)
SELECT provider, model, scenario, concurrency, vantage, params, metric, 'ms' AS unit, 'lower' AS better,
       count(v) AS n, count(DISTINCT window_key) AS n_windows, count(*) FILTER (NOT complete) AS n_failed,
       quantile_cont(v, 0.5) AS p50, quantile_cont(v, 0.4) AS p50_lo, quantile_cont(v, 0.6) AS p50_hi, quantile_cont(v, 0.9) AS p90,
       quantile_cont(v, 0.95) AS p95, quantile_cont(v, 0.88) AS p95_lo, CASE WHEN count(v) >= 72 THEN quantile_cont(v, 0.99) END AS p95_hi,
       CASE WHEN count(v) >= 100 THEN quantile_cont(v, 0.99) END AS p99, max(v) AS max,
       CASE WHEN count(*) FILTER (NOT complete) < 4 THEN quantile_cont(v, 0.97) END AS p95_all,
       quantile_cont(v, 0.95) - quantile_cont(v, 0.5) AS spread, quantile_cont(v, 0.95) / quantile_cont(v, 0.5) AS spread_ratio,
       CASE WHEN count(v) < 25 THEN 'fewer than 25 requests' END AS warning
FROM long GROUP BY ALL;

CREATE TABLE tails AS
WITH shares AS (SELECT unnest([1, 0.9, 0.7, 0.5, 0.3, 0.2, 0.14, 0.1, 0.07, 0.05]) AS share)
SELECT provider, model, scenario, concurrency, vantage, params, 'ttft_net_ms' AS metric, share::DOUBLE AS share, n,
       list_sort(sorted)[1 + floor((n - 1) * (1 - share))::BIGINT] AS x
FROM (SELECT provider, model, scenario, concurrency, vantage, params, count(ttft_net_ms) AS n, list(ttft_net_ms) FILTER (ttft_net_ms IS NOT NULL) AS sorted
      FROM results WHERE measured GROUP BY ALL), shares
WHERE n * share >= 5;

CREATE TABLE ranks AS
SELECT provider, model, scenario, concurrency, vantage, metric, p50 AS estimate,
       1 + (SELECT count(*) FROM latency b WHERE b.model = a.model AND b.metric = a.metric AND b.p50 < a.p50 / 1.25) AS rank_lo,
       5 - (SELECT count(*) FROM latency b WHERE b.model = a.model AND b.metric = a.metric AND b.p50 > a.p50 * 1.25) AS rank_hi
FROM latency a
UNION ALL
SELECT provider, model, 'short-chat', 1, 'fra1', 'cost_per_useful_usd', NULL,
       CASE provider WHEN 'Kestrel' THEN 1 ELSE 2 END, CASE provider WHEN 'Kestrel' THEN 1 ELSE 4 END
FROM (SELECT DISTINCT provider, model FROM latency) WHERE provider <> '江流';

CREATE TABLE pairs AS
SELECT a.model, a.scenario, a.concurrency, a.vantage, a.metric, a.provider AS provider_a, b.provider AS provider_b,
       CASE WHEN a.p50 < b.p50 THEN a.provider ELSE b.provider END AS leader, a.p50 AS level_a, b.p50 AS level_b, a.p50 / b.p50 AS ratio,
       greatest(a.p50, b.p50) > 1.25 * least(a.p50, b.p50) AS decided, 12 AS n_windows
FROM latency a JOIN latency b ON a.model = b.model AND a.metric = b.metric AND a.provider < b.provider;

CREATE TABLE costs AS
SELECT provider, model, scenario, concurrency, vantage, params,
       CASE WHEN any_value(provider) <> '江流' THEN sum(cost_usd) / count(*) FILTER (useful) END AS cost_per_useful_usd, count(*) FILTER (useful) AS useful, 'useful' AS basis,
       0.9 * cost_per_useful_usd AS cost_per_useful_lo_usd, 1.1 * cost_per_useful_usd AS cost_per_useful_hi_usd,
       CASE WHEN cost_per_useful_usd IS NOT NULL THEN 0.001 END AS wasted_high_usd, CASE WHEN cost_per_useful_usd IS NOT NULL THEN 0.02 END AS wasted_share, NULL::VARCHAR AS warning
FROM results WHERE measured GROUP BY ALL;

CREATE TABLE availability AS
SELECT provider, model, scenario, concurrency, vantage, params, count(*) AS requests, count(*) FILTER (attempted) AS attempts,
       count(*) FILTER (attempted AND answered) AS answered,
       count(*) FILTER (attempted AND answered) / count(*) FILTER (attempted) AS share, 'servable' AS servable
FROM results WHERE measured GROUP BY ALL;

CREATE TABLE errors AS
SELECT provider, model, scenario, concurrency, vantage, params, outcome, count(*) AS n FROM results WHERE measured GROUP BY ALL;

CREATE TABLE fidelity AS
SELECT provider, model, scenario, concurrency, vantage, params, count(*) FILTER (complete) AS checked, count(*) FILTER (useful) AS passed,
       CASE WHEN any_value(provider) = 'Halcyon' AND any_value(model) = 'tern-r1' THEN 3 ELSE 0 END AS cut_short
FROM results WHERE measured GROUP BY ALL;

CREATE TABLE audit AS
SELECT provider, model, scenario, concurrency, vantage, params, rule, severity, finding
FROM availability, (VALUES ('few_trials', 'fault', 'fewer than 25 measured requests'), ('few_prompts', 'note', 'fewer than 5 prompts')) r(rule, severity, finding)
WHERE severity = 'note' OR provider = 'Kestrel';

CREATE TABLE champions AS
SELECT *, 'supported' AS verdict, NULL::VARCHAR AS why_not
FROM (VALUES
  ('ttft_net_ms', 'short-chat', 'none', NULL, 3, NULL, 5, NULL), ('cost_per_useful_usd', 'short-chat', 'one', 'Kestrel', 3, 3, 4, 'Kestrel')
) c(metric, scenario, claim, provider, models, champion_models, candidates, unbeaten_providers);

CREATE TABLE metrics AS
FROM (VALUES
  (1, 'ttft_net_ms', 'ms', 'lower', 0.10, 50.0, 'Time to first token', 'starts', 'start', 'first tokens arrive', 'first', 'faster', 'slower'),
  (2, 'ttft_ms', 'ms', 'lower', 0.10, 50.0, 'Time to first token', 'starts', 'start', 'first tokens arrive', 'first', 'faster', 'slower'),
  (6, 'e2e_ms', 'ms', 'lower', 0.10, 50.0, 'Time to the whole answer', 'finishes', 'finish', 'answers are complete', 'first', 'faster', 'slower'),
  (16, 'cost_per_useful_usd', 'USD', 'lower', 0.10, NULL, 'Cost per useful result', 'costs', 'cost', NULL, 'least', 'less', 'more')
) m(place, metric, unit, better, margin_ratio, margin_abs, heading, verb, verb_plural, event, superlative, comparative, opposite);

CREATE TABLE thinking AS
SELECT provider, model, scenario, concurrency, vantage, params, count(*) AS thought, count(reasoning_tokens) AS counted,
       sum(reasoning_tokens)::BIGINT AS reasoning_tokens, 0.62 AS output_share,
       CASE WHEN provider <> '江流' THEN 0.55 END AS cost_share, 0.7 AS time_share, 0 AS starved
FROM results WHERE measured AND model = 'tern-r1' GROUP BY ALL;

CREATE TABLE flips AS
SELECT 'model' AS axis, verdict = 'supported' AS decided_1, verdict = 'supported' AS decided_2, 12 AS n_windows_1, CASE WHEN evidence = 'windows' THEN 12 ELSE 4 END AS n_windows_2, 'ttft_net_ms' AS metric, *, 'short-chat' AS scenario_1, 1 AS concurrency_1, 'fra1' AS vantage
FROM (VALUES
  ('qilin-235b', 'tern-r1', 'Kestrel', 'Halcyon', 1.8, 1.5, 2.1, 2.0, 1.7, 2.4, 83, 84, 'windows', 'supported'),
  ('qilin-235b', 'tern-r1', 'Kestrel', 'Granite', 2.6, 2.2, 3.0, 2.8, 2.4, 3.3, 83, 84, 'windows', 'supported'),
  ('qilin-235b', 'osprey-v3', 'Granite', 'Delta-9', 1.8, NULL, NULL, 1.05, NULL, NULL, 83, 20, 'within', 'tendency')
) f(model_1, model_2, leader_1, leader_2, ratio_1, ratio_1_lo, ratio_1_hi, ratio_2, ratio_2_lo, ratio_2_hi, n_1, n_2, evidence, verdict);

-- Any numbers do that tell cells and contests apart.
ALTER TABLE latency ADD COLUMN cell_id BIGINT;
ALTER TABLE costs ADD COLUMN cell_id BIGINT;
ALTER TABLE availability ADD COLUMN cell_id BIGINT;
ALTER TABLE availability ADD COLUMN contest_id BIGINT;
ALTER TABLE ranks ADD COLUMN contest_id BIGINT;
UPDATE latency SET cell_id = hash(provider || model) >> 1;
UPDATE costs SET cell_id = hash(provider || model) >> 1;
UPDATE availability SET cell_id = hash(provider || model) >> 1, contest_id = hash(model) >> 1;
UPDATE ranks SET contest_id = hash(model) >> 1;
