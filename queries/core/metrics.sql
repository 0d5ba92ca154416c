-- metrics: one row per metric: the registry that views, Go and documentation read
-- key: metric
CREATE OR REPLACE VIEW metrics AS
SELECT *
FROM (VALUES
    -- place, metric, title, source, unit, better, family, statistic, test, margin_ratio, margin_abs, population
    ( 1, 'ttft_net_ms',         'time to first token, without connection set-up',   'ttft_net_ms',    'ms',       'lower',  'start',       'p50',   'windows',   0.10, 50.0, 'first_token'),
    ( 2, 'ttft_ms',             'time to first token',                              'ttft_ms',        'ms',       'lower',  'start',       'p50',   'windows',   0.10, 50.0, 'first_token'),
    ( 3, 'ttfat_ms',            'time to first token of the answer',                'ttfat_ms',       'ms',       'lower',  'start',       'p50',   'windows',   0.10, 50.0, 'first_token'),
    ( 4, 'first_byte_ms',       'time to first byte',                               'first_byte_ms',  'ms',       'lower',  'start',       'p50',   'windows',   0.10, 50.0, 'first_token'),
    ( 5, 'ttft_net_p95_ms',     'slow first tokens (p95), without set-up',          'ttft_net_ms',    'ms',       'lower',  'tail',        'p95',   'bootstrap', 0.10, 50.0, 'first_token'),
    ( 6, 'e2e_ms',              'time to the whole answer',                         'e2e_ms',         'ms',       'lower',  'whole',       'p50',   'windows',   0.10, 50.0, 'complete'),
    ( 7, 'e2e_p95_ms',          'slow answers (p95)',                               'e2e_ms',         'ms',       'lower',  'tail',        'p95',   'bootstrap', 0.10, 50.0, 'complete'),
    ( 8, 'tokens_per_s',        'output speed in tokens',                           'tokens_per_s',   'tokens/s', 'higher', 'speed',       'p50',   'windows',   0.10, NULL, 'complete'),
    ( 9, 'chars_per_s',         'output speed in characters',                       'chars_per_s',    'chars/s',  'higher', 'speed',       'p50',   'windows',   0.10, NULL, 'complete'),
    (10, 'tpot_ms',             'time per output token',                            'tpot_ms',        'ms',       'lower',  'speed',       'p50',   'windows',   0.10, NULL, 'complete'),
    (11, 'output_per_e2e',      'output tokens per second of the whole request',    'output_per_e2e', 'tokens/s', 'higher', 'speed',       'p50',   'windows',   0.10, NULL, 'complete'),
    (12, 'max_stall_ms',        'longest pause within an answer',                   'max_stall_ms',   'ms',       'lower',  'smoothness',  'p50',   'windows',   0.10, 50.0, 'complete'),
    (13, 'gap_p99_ms',          'long pauses within an answer (p99 of its gaps)',   'gap_p99_ms',     'ms',       'lower',  'smoothness',  'p50',   'windows',   0.10, 50.0, 'complete'),
    (14, 'answered_share',      'share of attempts that are answered',              NULL,             'share',    'higher', 'reliability', 'ratio', 'sums',      NULL, 0.01, 'attempts'),
    (15, 'useful_share',        'share of attempts with a useful result',           NULL,             'share',    'higher', 'usefulness',  'ratio', 'sums',      NULL, 0.01, 'attempts'),
    (16, 'cost_per_useful_usd', 'cost per useful result',                           NULL,             'USD',      'lower',  'cost',        'ratio', 'sums',      0.10, NULL, 'measured'),
    (17, 'thinking_ms',         'time spent thinking where it can be seen',         'thinking_ms',    'ms',       'lower',  'thinking',    'p50',   'windows',   0.10, 50.0, 'first_token'),
    (18, 'setup_ms',            'connection set-up: the network''s and the client''s', 'setup_ms',    'ms',       'lower',  'setup',       'p50',   'windows',   0.10, 50.0, 'first_token')
) AS t(place, metric, title, source, unit, better, family, statistic, test, margin_ratio, margin_abs, population);

COMMENT ON VIEW metrics IS 'one row per metric that latency, ranks, flips, champions and drift are stated in: the only place that names unit, direction, statistic, test and margin';
COMMENT ON COLUMN metrics.place IS 'order of listing, 1 first';
COMMENT ON COLUMN metrics.metric IS 'name';
COMMENT ON COLUMN metrics.title IS 'what it is, in words';
COMMENT ON COLUMN metrics.source IS 'column of results that its values are from; NULL for a ratio of sums over several columns';
COMMENT ON COLUMN metrics.unit IS 'unit of its values';
COMMENT ON COLUMN metrics.better IS 'lower or higher';
COMMENT ON COLUMN metrics.family IS 'the question that it answers. Metrics of one family say the same in other words; flips set the first of each family against those of the others';
COMMENT ON COLUMN metrics.statistic IS 'what providers are compared by: the median (p50), a tail (p95), or a ratio of sums over a window';
COMMENT ON COLUMN metrics.test IS 'windows: signed rank of the window medians from six common windows on, Mann–Whitney within windows below; bootstrap: windows resampled, from 72 values a side on; sums: signed rank of the windows'' ratios, Mann–Whitney of shares within windows below';
COMMENT ON COLUMN metrics.margin_ratio IS 'share by which two providers must differ to be told apart; NULL where margin_abs alone decides';
COMMENT ON COLUMN metrics.margin_abs IS 'and by how much, in the unit; NULL where the share alone decides';
COMMENT ON COLUMN metrics.population IS 'complete: complete results; first_token: all that got a token; attempts: all that tell of the provider, for useful_share those of them that can be judged; measured: all measured requests';
