-- metrics: one row per metric: the registry that views, Go and documentation read
-- key: metric
CREATE OR REPLACE VIEW metrics AS
SELECT *
FROM (VALUES
    -- metric, unit, better, statistic, test, margin_ratio, margin_abs, population
    ('ttft_net_ms',     'ms',       'lower',  'p50', 'windows', 0.10, 50.0, 'first_token'),
    ('ttft_ms',         'ms',       'lower',  'p50', 'windows', 0.10, 50.0, 'first_token'),
    ('ttfat_ms',        'ms',       'lower',  'p50', 'windows', 0.10, 50.0, 'first_token'),
    ('e2e_ms',          'ms',       'lower',  'p50', 'windows', 0.10, 50.0, 'complete'),
    ('tokens_per_s',    'tokens/s', 'higher', 'p50', 'windows', 0.10, NULL, 'complete'),
    ('chars_per_s',     'chars/s',  'higher', 'p50', 'windows', 0.10, NULL, 'complete'),
    ('tpot_ms',         'ms',       'lower',  'p50', 'windows', 0.10, NULL, 'complete'),
    ('output_per_e2e',  'tokens/s', 'higher', 'p50', 'windows', 0.10, NULL, 'complete'),
    ('max_stall_ms',    'ms',       'lower',  'p50', 'windows', 0.10, 50.0, 'complete'),
    ('gap_p99_ms',      'ms',       'lower',  'p50', 'windows', 0.10, 50.0, 'complete'),
    ('setup_ms',        'ms',       'lower',  'p50', 'windows', 0.10, 50.0, 'first_token'),
    ('first_byte_ms',   'ms',       'lower',  'p50', 'windows', 0.10, 50.0, 'first_token'),
    ('thinking_ms',     'ms',       'lower',  'p50', 'windows', 0.10, 50.0, 'first_token')
) AS t(metric, unit, better, statistic, test, margin_ratio, margin_abs, population);

COMMENT ON VIEW metrics IS 'one row per metric that latency, ranks and flips are stated in';
COMMENT ON COLUMN metrics.metric IS 'name: a column of results';
COMMENT ON COLUMN metrics.unit IS 'unit of its values';
COMMENT ON COLUMN metrics.better IS 'lower or higher';
COMMENT ON COLUMN metrics.statistic IS 'what providers are compared by: the median (p50) or a tail (p95)';
COMMENT ON COLUMN metrics.test IS 'windows: paired by window from six common windows on, rank sums within windows below';
COMMENT ON COLUMN metrics.margin_ratio IS 'share by which two providers must differ to be told apart';
COMMENT ON COLUMN metrics.margin_abs IS 'and by how much, in the unit; NULL where the share alone decides';
COMMENT ON COLUMN metrics.population IS 'complete: complete results; first_token: all that got a token';
