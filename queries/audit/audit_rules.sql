-- audit_rules: one row per rule that audit applies
-- tells: the rules that audit applies
-- example: SELECT rule, value_is, note_at, fault_at FROM audit_rules ORDER BY rule
-- key: rule
--
-- A rule reduces a cell to one value. Beyond note_at it is worth knowing, beyond
-- fault_at the cell's figures must not be taken at their face.
CREATE OR REPLACE VIEW audit_rules AS
SELECT *
FROM (VALUES
    -- rule, value_is, worse, note_at, fault_at, finding
    ('few_trials',          'measured requests',             'lower',  NULL, 25,   'fewer than 25 measured requests'),
    ('few_windows',         'windows',                       'lower',  12,   8,    'too few windows to tell a provider from the conditions of the hour: under 8 nothing can be decided, under 12 little'),
    ('dependent_windows',   'independent windows',           'lower',  6,    4,    'windows of a provider resemble each other, so that they are worth no more than this: under 4 nothing is decided; pairs.settled_by says how many, or how far apart, would do'),
    ('no_warmup',           'share of windows',              'higher', NULL, 0,    'windows that begin without a warm-up'),
    ('fixed_order',         'chance',                        'lower',  NULL, 0.01, 'targets come in the same order in every window, which shuffling would not bring about'),
    ('one_after_another',   'share of requests',             'higher', NULL, 0.5,  'requests that follow one to the same target: targets do not alternate, so each has its own time of day'),
    ('late_sends',          'share of sends',                'higher', 0.01, 0.05, 'sends more than 10 ms behind the open-loop schedule'),
    ('interrupted',         'share of requests',             'higher', 0,    NULL, 'requests of a run that ended before its plan did'),
    ('skipped',             'share of planned requests',     'higher', 0,    NULL, 'requests that were planned and not sent, because the target refused all before them; see runs.skipped'),
    ('excluded',            'share of requests',             'higher', 0,    NULL, 'requests taken out of measured by an exclusion'),
    ('simulated',           'share of requests',             'higher', 0,    NULL, 'requests that a simulated provider answered'),

    ('temperature_unset',   'share of requests',             'higher', 0,    NULL, 'no temperature is sent: each provider uses a default of its own'),
    ('temperature_above_0', 'temperature',                   'higher', 0,    NULL, 'answers are drawn by chance, and so are their lengths'),
    ('temperatures_differ', 'temperatures in the contest',   'higher', NULL, 1,    'providers of the contest are sent different temperatures'),
    ('params_differ',       'parameter sets in the contest', 'higher', 1,    NULL, 'cells of the contest are sent different parameters'),
    ('prompts_unknown',     'share of requests',             'higher', 0,    NULL, 'requests whose prompt is not recorded'),
    ('prompts_differ',      'share of requests',             'higher', 0,    0.1,  'requests with a prompt that not every provider of the contest was asked'),
    ('few_prompts',         'prompts',                       'lower',  5,    NULL, 'fewer than 5 prompts: findings are about these'),

    ('mixed_connections',   'share of requests',             'higher', 0.05, NULL, 'requests of the rarer kind, where some had an open connection and some a new one'),
    ('connections_differ',  'share of requests',             'higher', NULL, 0.5,  'shares of new connections lie this far apart in the contest'),
    ('ttft_below_rtt',      'share of requests',             'higher', NULL, 0,    'first tokens sooner after the request than the network''s shortest round trip'),
    ('backward_time',       'share of requests',             'higher', NULL, 0,    'requests with a negative duration, or an event before one that must precede it'),
    ('not_streamed',        'share of answers',              'higher', 0,    NULL, 'answers that were not streamed, and so have no first token'),
    ('one_burst',           'share of answers',              'higher', 0,    0.5,  'answers whose content all came in one read, held back or compressed: their first token is their end, and no first-token time'),
    ('lag_unknown',         'share of requests',             'higher', 0,    NULL, 'requests timed by the return of the read alone: the recorder''s own lag is in the times, and not known'),
    ('mixed_clocks',        'share of requests',             'higher', 0.01, 0.05, 'requests of the rarer clock, where some were timed by the kernel and some by the return of the read: these come late by the recorder''s lag'),
    ('recorder_lag',        'ratio',                         'higher', 0.01, 0.05, 'the recorder''s lag (p99) against the median time to first token'),
    ('recorder_lag_gaps',   'ratio',                         'higher', 0.05, NULL, 'the recorder''s lag (p99) against the median gap between reads'),
    ('coalesced',           'share of content frames',       'higher', 0.1,  0.5,  'content that came with other content in one read: gaps within a read are not known'),
    ('undecoded',           'share of requests',             'higher', 0,    NULL, 'requests with a field that the decoder does not know'),

    ('unequal_inputs',      'ratio',                         'higher', 1.25, 2,    'median input tokens against the contest''s: times and costs are of unequal requests'),
    ('unequal_hours',       'share of requests',             'higher', 0.1,  0.5,  'live requests that would have to move to other hours of the day to be spread as the contest''s'),
    ('far_tail',            'ratio',                         'higher', 3,    10,   'slow first tokens (p95) against the median: most are served soon, and some are not'),
    ('unequal_outputs',     'ratio',                         'higher', 1.25, 2,    'median output tokens against the contest''s: whole-answer times and costs are of unequal answers'),
    ('length_capped',       'share of answers',              'higher', 0,    0.5,  'answers that ended at the length limit although that was not the plan'),
    ('capped_unsaid',       'share of answers',              'higher', 0,    NULL, 'answers that used up the length limit, and whose finish reason does not say so'),
    ('cached_input',        'share of requests',             'higher', 0,    NULL, 'requests whose input was partly read from a cache'),
    ('cached_inputs_differ','share of requests',             'higher', NULL, 0.2,  'shares of requests with cached input lie this far apart in the contest'),
    ('unknown_endings',     'share of answers',              'higher', 0,    NULL, 'recorded answers without a finish reason'),
    ('unstated_endings',    'share of answers',              'higher', 0,    NULL, 'imported answers without a word on their ending, taken for complete; where no row of a cell states an ending or a failure, its availability is unknown'),

    ('unpinned_routing',    'providers that served',         'higher', 0,    1,    'a router chose who serves: with more than one, the figures are a mixture'),
    ('mixed_models',        'models that served',            'higher', NULL, 1,    'responses name more than one model; see changes'),
    ('usage_contradicts',   'share of requests',             'higher', 0,    0.05, 'usage that contradicts itself: a part above its whole, a total below its parts, text without tokens, counts that no model can have'),
    ('usage_disputed',      'share of requests',             'higher', 0,    NULL, 'responses that state two counts that differ, the model''s own and its host''s: the model''s is taken'),
    ('token_sources_differ','sources in the contest',        'higher', 1,    NULL, 'tokens are counted by usage in some cells of the contest, by tokenizer or source in others'),
    ('unknown_prices',      'share of requests',             'higher', 0,    NULL, 'requests that may cost something and have no known price'),
    ('substituted_models',  'share of answers',              'higher', 0,    0.05, 'answers of another model than the one that was asked for: it is the one that is priced'),
    ('prices_by_part',      'share of requests',             'higher', 0,    NULL, 'requests priced by a part of their model''s name, which may be a sibling''s price'),
    ('lower_bounds',        'share of requests',             'higher', 0,    NULL, 'requests with a charge that has no price here: what they cost is a lower bound'),
    ('undated_prices',      'share of requests',             'higher', 0,    NULL, 'requests priced by an entry that may not have held at their time')
) AS t(rule, value_is, worse, note_at, fault_at, finding);

COMMENT ON VIEW audit_rules IS 'one row per rule that audit applies to every cell; a rule that a dataset cannot be asked gives no row there';
COMMENT ON COLUMN audit_rules.rule IS 'name';
COMMENT ON COLUMN audit_rules.value_is IS 'what the rule''s value is';
COMMENT ON COLUMN audit_rules.worse IS 'whether higher or lower values are worse';
COMMENT ON COLUMN audit_rules.note_at IS 'beyond this value the cell gets a note; NULL where there is none';
COMMENT ON COLUMN audit_rules.fault_at IS 'beyond this value the cell has a fault; NULL where there is none';
COMMENT ON COLUMN audit_rules.finding IS 'what was found';
