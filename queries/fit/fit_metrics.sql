-- fit_metrics: one row per metric that a workload can be judged by
-- tells: what a workload can be judged by
-- example: SELECT metric, title, unit, better FROM fit_metrics ORDER BY metric
-- needs: metrics
-- key: metric
CREATE OR REPLACE VIEW fit_metrics AS
SELECT metric, title, unit, better,
    CASE
        WHEN statistic IN ('p50', 'flow') THEN 'values'
        WHEN unit = 'share' THEN 'share'
        ELSE 'estimate'
    END AS kind,
    source
FROM metrics
WHERE statistic NOT IN ('p95', 'spread') -- a tail of a metric is asked for with statistic: p95
UNION ALL
SELECT metric, title, unit, better, kind, NULL
FROM (VALUES
    ('aggregate_tokens_per_s', 'output tokens per second of all streams together', 'tokens/s', 'higher', 'estimate'),
    ('requests_per_s',         'complete results per second',                      '1/s',      'higher', 'estimate'),
    ('goodput_per_s',          'results per second that keep each limit of the workload', '1/s', 'higher', 'estimate'),
    ('good_share',             'share of attempts that keep each limit of the workload', 'share', 'higher', 'share'),
    ('prefill_tokens_per_s',   'input tokens read per second',                     'tokens/s', 'higher', 'estimate'),
    ('rate_limited_share',     'share of attempts refused by a rate limit',        'share',    'lower',  'share'),
    ('truncated_share',        'share of answers cut by length',                   'share',    'lower',  'share'),
    ('starved_share',          'share of answers that ended in thinking',          'share',    'lower',  'share'),
    ('cold_penalty_ms',        'what the first request after silence takes longer', 'ms',      'lower',  'estimate'),
    ('burst_ttft_net_ms',      'time to first token within a burst',               'ms',       'lower',  'values'),
    ('burst_answered_share',   'share of a burst that is answered',                'share',    'higher', 'share')
) AS t(metric, title, unit, better, kind);

COMMENT ON VIEW fit_metrics IS 'one row per metric that workload_fit can judge: what a workloads file may name';
COMMENT ON COLUMN fit_metrics.metric IS 'name';
COMMENT ON COLUMN fit_metrics.title IS 'what it is, in words';
COMMENT ON COLUMN fit_metrics.unit IS 'unit of its values and of limits on it';
COMMENT ON COLUMN fit_metrics.better IS 'lower: a limit is at_most; higher: it is at_least';
COMMENT ON COLUMN fit_metrics.kind IS 'values: of single requests, of which a statistic is judged; share: cases over requests; estimate: stated by a view of its own';
COMMENT ON COLUMN fit_metrics.source IS 'column of results that values are from';
