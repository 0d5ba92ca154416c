-- cost_pairs: one row per provider × scenario × pair of models
-- tells: what a useful result of one model costs, as a multiple of another's
-- example: SELECT provider, scenario, model_a, model_b, ratio, ratio_lo, ratio_hi, decided FROM cost_pairs ORDER BY ratio DESC LIMIT 10
-- needs: _cost_pairs
-- key: provider, scenario, concurrency, vantage, model_a, model_b
--
-- The choice of the model moves what a useful result costs more than the choice of
-- the provider. This names the two models, with an interval.
CREATE OR REPLACE VIEW cost_pairs AS
SELECT
    provider, scenario, concurrency, vantage, model_a, model_b,
    level_a AS cost_a_usd, level_b AS cost_b_usd,
    ratio, lo AS ratio_lo, hi AS ratio_hi,
    n_a, n_b, n_windows, p, q, evidence, decided, why_not
FROM _cost_pairs;

COMMENT ON VIEW cost_pairs IS 'one row per provider × scenario × concurrency × vantage × pair of models: cost per useful result of one ÷ that of the other, windows paired, over the windows that both have';
COMMENT ON COLUMN cost_pairs.provider IS 'who serves both';
COMMENT ON COLUMN cost_pairs.scenario IS 'scenario of the plan, or the slice of an import';
COMMENT ON COLUMN cost_pairs.concurrency IS 'streams kept open';
COMMENT ON COLUMN cost_pairs.vantage IS 'where the client stood';
COMMENT ON COLUMN cost_pairs.model_a IS 'the model whose name sorts first';
COMMENT ON COLUMN cost_pairs.model_b IS 'the other';
COMMENT ON COLUMN cost_pairs.cost_a_usd IS 'cost per useful result of model_a in US dollars: ratio of sums over the common windows';
COMMENT ON COLUMN cost_pairs.cost_b_usd IS 'the same of model_b';
COMMENT ON COLUMN cost_pairs.ratio IS 'cost_a_usd ÷ cost_b_usd';
COMMENT ON COLUMN cost_pairs.ratio_lo IS 'lower end of its interval at 95 %: of conditions like those recorded; NULL under eight common windows';
COMMENT ON COLUMN cost_pairs.ratio_hi IS 'upper end of its interval';
COMMENT ON COLUMN cost_pairs.n_a IS 'useful results of model_a in the common windows';
COMMENT ON COLUMN cost_pairs.n_b IS 'useful results of model_b in the common windows';
COMMENT ON COLUMN cost_pairs.n_windows IS 'windows that both have';
COMMENT ON COLUMN cost_pairs.p IS 'p-value, two-sided, of a difference of a quarter of the margin at most; NULL where there is no test';
COMMENT ON COLUMN cost_pairs.q IS 'p adjusted over all pairs (Benjamini–Hochberg)';
COMMENT ON COLUMN cost_pairs.evidence IS 'windows (eight common windows or more), else none';
COMMENT ON COLUMN cost_pairs.decided IS 'q up to 0.05 and beyond the margin';
COMMENT ON COLUMN cost_pairs.why_not IS 'why it is not decided: see pairs.why_not';
