-- metrics: one row per metric: the registry that views, Go and documentation read
-- tells: the registry: each metric with its unit, direction and margin
-- example: SELECT metric, title, unit, better, margin_ratio, margin_abs FROM metrics ORDER BY place
-- key: metric
--
-- To add a metric, add a row. source is a column of results, or an expression
-- over its columns: _values reads it from here.
CREATE OR REPLACE MACRO _registry() AS [
    {metric: 'ttft_net_ms', title: 'time to first token, without connection set-up', source: 'ttft_net_ms',
     unit: 'ms', better: 'lower', family: 'start', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 50.0, population: 'first_token',
     heading: 'Time to first token', verb: 'starts', verb_plural: 'start', event: 'first tokens arrive', superlative: 'first', comparative: 'faster', opposite: 'slower'},
    {metric: 'ttft_ms', title: 'time to first token', source: 'ttft_ms',
     unit: 'ms', better: 'lower', family: 'start', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 50.0, population: 'first_token',
     heading: 'Time to first token', verb: 'starts', verb_plural: 'start', event: 'first tokens arrive', superlative: 'first', comparative: 'faster', opposite: 'slower'},
    {metric: 'ttfat_ms', title: 'time to first token of the answer', source: 'ttfat_ms',
     unit: 'ms', better: 'lower', family: 'start', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 50.0, population: 'first_token',
     heading: 'Time to first token of the answer', verb: 'answers', verb_plural: 'answer', event: 'answers begin', superlative: 'first', comparative: 'faster', opposite: 'slower'},
    {metric: 'first_byte_ms', title: 'time to first byte', source: 'first_byte_ms',
     unit: 'ms', better: 'lower', family: 'start', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 50.0, population: 'first_token',
     heading: 'Time to first byte', verb: 'responds', verb_plural: 'respond', event: 'responses begin', superlative: 'first', comparative: 'faster', opposite: 'slower'},
    {metric: 'ttft_net_p95_ms', title: 'slow first tokens (p95), without set-up', source: 'ttft_net_ms',
     unit: 'ms', better: 'lower', family: 'tail', statistic: 'p95', test: 'bootstrap', margin_ratio: 0.10, margin_abs: 50.0, population: 'first_token',
     heading: 'Slow first tokens (p95)', verb: 'starts its slowest answers', verb_plural: 'start their slowest answers', event: NULL, superlative: 'fastest', comparative: 'faster', opposite: 'slower'},
    {metric: 'ttft_spread_ms', title: 'steadiness of the first token: how far slow ones (p95) lie above the median, without set-up', source: 'ttft_net_ms',
     unit: 'ms', better: 'lower', family: 'steadiness', statistic: 'spread', test: 'bootstrap', margin_ratio: 0.10, margin_abs: 50.0, population: 'first_token',
     heading: 'Spread of first tokens', verb: 'starts', verb_plural: 'start', event: NULL, superlative: 'most steadily', comparative: 'more steadily', opposite: 'less steadily'},
    {metric: 'ttft_within_share', title: 'share of attempts whose first token comes within the workload''s limit', source: NULL,
     unit: 'share', better: 'higher', family: 'punctuality', statistic: 'ratio', test: 'sums', margin_ratio: NULL, margin_abs: 0.01, population: 'attempts',
     heading: 'Share of first tokens in time', verb: 'starts in time', verb_plural: 'start in time', event: NULL, superlative: 'most often', comparative: 'more often', opposite: 'less often'},
    {metric: 'e2e_ms', title: 'time to the whole answer', source: 'e2e_ms',
     unit: 'ms', better: 'lower', family: 'whole', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 50.0, population: 'complete',
     heading: 'Time to the whole answer', verb: 'finishes', verb_plural: 'finish', event: 'answers are complete', superlative: 'first', comparative: 'faster', opposite: 'slower'},
    {metric: 'e2e_p95_ms', title: 'slow answers (p95)', source: 'e2e_ms',
     unit: 'ms', better: 'lower', family: 'tail', statistic: 'p95', test: 'bootstrap', margin_ratio: 0.10, margin_abs: 50.0, population: 'complete',
     heading: 'Slow answers (p95)', verb: 'finishes its slowest answers', verb_plural: 'finish their slowest answers', event: NULL, superlative: 'fastest', comparative: 'faster', opposite: 'slower'},
    {metric: 'tokens_per_s', title: 'output speed in tokens', source: 'tokens_per_s',
     unit: 'tokens/s', better: 'higher', family: 'speed', statistic: 'flow', test: 'windows', margin_ratio: 0.10, margin_abs: NULL, population: 'complete',
     heading: 'Output speed', verb: 'streams', verb_plural: 'stream', event: NULL, superlative: 'fastest', comparative: 'faster', opposite: 'slower'},
    {metric: 'visible_tokens_per_s', title: 'output speed of the answer shown, in o200k tokens', source: 'visible_tokens_per_s',
     unit: 'o200k tokens/s', better: 'higher', family: 'speed', statistic: 'flow', test: 'windows', margin_ratio: 0.10, margin_abs: NULL, population: 'complete',
     heading: 'Output speed of the answer', verb: 'streams', verb_plural: 'stream', event: NULL, superlative: 'fastest', comparative: 'faster', opposite: 'slower'},
    {metric: 'chars_per_s', title: 'output speed in characters', source: 'chars_per_s',
     unit: 'chars/s', better: 'higher', family: 'speed', statistic: 'flow', test: 'windows', margin_ratio: 0.10, margin_abs: NULL, population: 'complete',
     heading: 'Output speed in characters', verb: 'streams', verb_plural: 'stream', event: NULL, superlative: 'fastest', comparative: 'faster', opposite: 'slower'},
    {metric: 'tpot_ms', title: 'time per output token', source: 'tpot_ms',
     unit: 'ms', better: 'lower', family: 'speed', statistic: 'flow', test: 'windows', margin_ratio: 0.10, margin_abs: NULL, population: 'complete',
     heading: 'Time per output token', verb: 'streams', verb_plural: 'stream', event: NULL, superlative: 'fastest', comparative: 'faster', opposite: 'slower'},
    {metric: 'output_per_e2e', title: 'output tokens per second of the whole request', source: 'output_per_e2e',
     unit: 'tokens/s', better: 'higher', family: 'speed', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: NULL, population: 'complete',
     heading: 'Output over the whole request', verb: 'delivers', verb_plural: 'deliver', event: NULL, superlative: 'fastest', comparative: 'faster', opposite: 'slower'},
    {metric: 'max_stall_ms', title: 'longest pause within an answer', source: 'max_stall_ms',
     unit: 'ms', better: 'lower', family: 'smoothness', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 50.0, population: 'complete',
     heading: 'Longest pause', verb: 'pauses', verb_plural: 'pause', event: NULL, superlative: 'shortest', comparative: 'shorter', opposite: 'longer'},
    {metric: 'gap_p99_ms', title: 'long pauses within an answer (p99 of its gaps)', source: 'gap_p99_ms',
     unit: 'ms', better: 'lower', family: 'smoothness', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 50.0, population: 'complete',
     heading: 'Long pauses', verb: 'pauses', verb_plural: 'pause', event: NULL, superlative: 'shortest', comparative: 'shorter', opposite: 'longer'},
    {metric: 'answered_share', title: 'share of attempts that are answered', source: NULL,
     unit: 'share', better: 'higher', family: 'reliability', statistic: 'ratio', test: 'sums', margin_ratio: NULL, margin_abs: 0.01, population: 'attempts',
     heading: 'Share answered', verb: 'answers', verb_plural: 'answer', event: NULL, superlative: 'most often', comparative: 'more often', opposite: 'less often'},
    {metric: 'useful_share', title: 'share of attempts with a useful result', source: NULL,
     unit: 'share', better: 'higher', family: 'usefulness', statistic: 'ratio', test: 'sums', margin_ratio: NULL, margin_abs: 0.01, population: 'attempts',
     heading: 'Share with a useful result', verb: 'is useful', verb_plural: 'are useful', event: NULL, superlative: 'most often', comparative: 'more often', opposite: 'less often'},
    {metric: 'cost_per_useful_usd', title: 'cost per useful result', source: NULL,
     unit: 'USD', better: 'lower', family: 'cost', statistic: 'ratio', test: 'sums', margin_ratio: 0.10, margin_abs: NULL, population: 'measured',
     heading: 'Cost per useful result', verb: 'costs', verb_plural: 'cost', event: NULL, superlative: 'least', comparative: 'less', opposite: 'more'},
    {metric: 'thinking_ms', title: 'time spent thinking where it can be seen', source: 'thinking_ms',
     unit: 'ms', better: 'lower', family: 'thinking', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 50.0, population: 'first_token',
     heading: 'Time spent thinking', verb: 'thinks', verb_plural: 'think', event: NULL, superlative: 'shortest', comparative: 'shorter', opposite: 'longer'},
    {metric: 'setup_ms', title: 'connection set-up: the network''s and the client''s', source: 'setup_ms',
     unit: 'ms', better: 'lower', family: 'setup', statistic: 'p50', test: 'windows', margin_ratio: 0.10, margin_abs: 50.0, population: 'first_token',
     heading: 'Connection set-up', verb: 'connects', verb_plural: 'connect', event: NULL, superlative: 'fastest', comparative: 'faster', opposite: 'slower'}
];

-- A field of those rows whose values are of single requests.
CREATE OR REPLACE MACRO _registered(field) AS
    list_transform(list_filter(_registry(), lambda m: m['source'] IS NOT NULL), lambda m: m[field]);

-- What speeds are ratios of sums of, over the answers of a window: columns of
-- results, and how many of num ÷ den are one of the metric's unit.
CREATE OR REPLACE MACRO _flows(field) AS list_transform([
    {metric: 'tokens_per_s', num: 'window_tokens', den: 'window_ns', per: '1e-9'},
    {metric: 'visible_tokens_per_s', num: 'visible_window_tokens', den: 'visible_window_ns', per: '1e-9'},
    {metric: 'chars_per_s', num: 'window_chars', den: 'window_ns', per: '1e-9'},
    {metric: 'tpot_ms', num: 'window_ns', den: 'window_tokens', per: '1e6'}
], lambda f: f[field]);

CREATE OR REPLACE VIEW metrics AS
SELECT generate_subscripts(_registry(), 1)::INTEGER AS place, unnest(_registry(), recursive := true);

COMMENT ON VIEW metrics IS 'one row per metric that latency, ranks, flips, champions and drift are stated in: the only place that names unit, direction, statistic, test and margin';
COMMENT ON COLUMN metrics.place IS 'order of listing, 1 first';
COMMENT ON COLUMN metrics.metric IS 'name';
COMMENT ON COLUMN metrics.title IS 'what it is, in words';
COMMENT ON COLUMN metrics.source IS 'column of results that its values are from, or an expression over its columns; NULL for a ratio of sums';
COMMENT ON COLUMN metrics.unit IS 'unit of its values';
COMMENT ON COLUMN metrics.better IS 'lower or higher';
COMMENT ON COLUMN metrics.family IS 'the question that it answers. Metrics of one family say the same in other words; flips set the first of each family against those of the others';
COMMENT ON COLUMN metrics.statistic IS 'what providers are compared by: the median (p50), a tail (p95), how far a tail lies above the median (spread: p95 − p50), a speed over all answers of a window with two reads, which is a ratio of sums of them (flow), or a ratio of counts or costs over a window (ratio)';
COMMENT ON COLUMN metrics.test IS 'windows: the window medians, paired, from eight common windows on, with the dependence between windows estimated over all providers; Mann–Whitney within windows below; bootstrap: the windows'' tails or spreads in the same way, from 72 values a side on; sums: each window''s part in the ratio in the same way, Mann–Whitney of shares within windows below';
COMMENT ON COLUMN metrics.margin_ratio IS 'share by which two providers must differ to be told apart; NULL where margin_abs alone decides';
COMMENT ON COLUMN metrics.margin_abs IS 'and by how much, in the unit; NULL where the share alone decides';
COMMENT ON COLUMN metrics.population IS 'complete: complete results; first_token: all that got a token; attempts: all that tell of the provider, for useful_share those of them that can be judged; measured: all measured requests';
COMMENT ON COLUMN metrics.heading IS 'name of the quantity, as pages head it';
COMMENT ON COLUMN metrics.verb IS 'what one provider does: "starts", to be followed by superlative, comparative or opposite';
COMMENT ON COLUMN metrics.verb_plural IS 'what several do: "start"';
COMMENT ON COLUMN metrics.event IS 'what happens within the time that a value is; NULL where it is no time to an event';
COMMENT ON COLUMN metrics.superlative IS 'how the best provider does it: "first"';
COMMENT ON COLUMN metrics.comparative IS 'how the better of two does it: "faster"';
COMMENT ON COLUMN metrics.opposite IS 'how the other does it: "slower"';
