-- flips: one row per metric × provider pair × contest pair whose order differs
-- needs: _sides, metrics
-- key: axis, metric, provider_a, provider_b, at_1, at_2, model_1, model_2, scenario_1, scenario_2, concurrency_1, concurrency_2, vantage
-- stored: no
--
-- Two contests of a pair differ in the axis alone. Not stored: sixty providers
-- and forty models make millions of pairs, and the sides that they are made of
-- are stored.
CREATE OR REPLACE VIEW flips AS
WITH sides AS (
    SELECT s.*, m.family, m.place
    FROM _sides s
    JOIN metrics m ON m.metric = s.metric
    WHERE s.leader IS NOT NULL
),
whole AS (
    SELECT * FROM sides WHERE period IS NULL
),
-- Metrics of one family tell the same; the first that the data have speaks for it.
speakers AS (
    SELECT * FROM whole WHERE metric IN (SELECT arg_min(metric, place) FROM whole GROUP BY family)
),
pairs AS (
    SELECT 'model' AS axis, x.model AS at_1, y.model AS at_2, x, y
    FROM whole x
    JOIN whole y ON y.metric = x.metric AND y.provider_a = x.provider_a AND y.provider_b = x.provider_b AND y.scenario = x.scenario
        AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage IS NOT DISTINCT FROM x.vantage
        AND y.model > x.model AND y.leader <> x.leader
    UNION ALL
    SELECT 'scenario', x.scenario, y.scenario, x, y
    FROM whole x
    JOIN whole y ON y.metric = x.metric AND y.provider_a = x.provider_a AND y.provider_b = x.provider_b AND y.model = x.model
        AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage IS NOT DISTINCT FROM x.vantage
        AND y.scenario > x.scenario AND y.leader <> x.leader
    UNION ALL
    SELECT 'concurrency', x.concurrency::VARCHAR, y.concurrency::VARCHAR, x, y
    FROM whole x
    JOIN whole y ON y.metric = x.metric AND y.provider_a = x.provider_a AND y.provider_b = x.provider_b AND y.model = x.model
        AND y.scenario = x.scenario AND y.vantage IS NOT DISTINCT FROM x.vantage
        AND y.concurrency > x.concurrency AND y.leader <> x.leader
    UNION ALL
    SELECT 'metric', x.metric, y.metric, x, y
    FROM speakers x
    JOIN speakers y ON y.provider_a = x.provider_a AND y.provider_b = x.provider_b AND y.model = x.model AND y.scenario = x.scenario
        AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage IS NOT DISTINCT FROM x.vantage
        AND y.place > x.place AND y.family <> x.family AND y.leader <> x.leader
    UNION ALL
    SELECT 'period', x.period, y.period, x, y
    FROM sides x
    JOIN sides y ON y.metric = x.metric AND y.provider_a = x.provider_a AND y.provider_b = x.provider_b AND y.model = x.model
        AND y.scenario = x.scenario AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage IS NOT DISTINCT FROM x.vantage
        AND y.period > x.period AND y.leader <> x.leader
)
SELECT
    axis, x.metric, x.provider_a, x.provider_b, at_1, at_2,
    x.leader AS leader_1,
    y.leader AS leader_2,
    CASE WHEN x.ratio < 1 THEN 1 / x.ratio ELSE x.ratio END AS ratio_1,
    CASE WHEN x.ratio < 1 THEN 1 / x.hi ELSE x.lo END AS ratio_1_lo,
    CASE WHEN x.ratio < 1 THEN 1 / x.lo ELSE x.hi END AS ratio_1_hi,
    CASE WHEN y.ratio < 1 THEN 1 / y.ratio ELSE y.ratio END AS ratio_2,
    CASE WHEN y.ratio < 1 THEN 1 / y.hi ELSE y.lo END AS ratio_2_lo,
    CASE WHEN y.ratio < 1 THEN 1 / y.lo ELSE y.hi END AS ratio_2_hi,
    least(x.n_a, x.n_b) AS n_1,
    least(y.n_a, y.n_b) AS n_2,
    x.p AS p_1,
    y.p AS p_2,
    x.q AS q_1,
    y.q AS q_2,
    CASE
        WHEN x.evidence = 'none' OR y.evidence = 'none' THEN 'none'
        WHEN x.evidence = 'within' OR y.evidence = 'within' THEN 'within'
        ELSE 'windows'
    END AS evidence,
    CASE WHEN x.decided AND y.decided THEN 'supported' ELSE 'tendency' END AS verdict,
    x.n_windows AS n_windows_1,
    y.n_windows AS n_windows_2,
    x.level_a AS level_a_1, x.level_b AS level_b_1,
    y.level_a AS level_a_2, y.level_b AS level_b_2,
    x.model AS model_1, y.model AS model_2,
    x.scenario AS scenario_1, y.scenario AS scenario_2,
    x.concurrency AS concurrency_1, y.concurrency AS concurrency_2,
    x.vantage AS vantage
FROM pairs;

COMMENT ON VIEW flips IS 'one row per metric × provider pair × contest pair in which the order of the two differs';
COMMENT ON COLUMN flips.axis IS 'what differs between the two contests, all else being equal: model, scenario, concurrency, metric or period';
COMMENT ON COLUMN flips.metric IS 'see metrics; the first one''s where the axis is metric';
COMMENT ON COLUMN flips.provider_a IS 'the provider whose name sorts first';
COMMENT ON COLUMN flips.provider_b IS 'the other';
COMMENT ON COLUMN flips.at_1 IS 'value of the axis in the first contest';
COMMENT ON COLUMN flips.at_2 IS 'value of the axis in the second contest';
COMMENT ON COLUMN flips.leader_1 IS 'the better provider in the first contest';
COMMENT ON COLUMN flips.leader_2 IS 'the better provider in the second contest';
COMMENT ON COLUMN flips.ratio_1 IS 'larger ÷ smaller value in the first contest, 1 or more: how many times better the leader is; NULL where one of them is 0';
COMMENT ON COLUMN flips.ratio_1_lo IS 'lower end of its interval at 95 %; below 1 where the order is in doubt';
COMMENT ON COLUMN flips.ratio_1_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN flips.ratio_2 IS 'larger ÷ smaller value in the second contest, 1 or more: how many times better the leader is; NULL where one of them is 0';
COMMENT ON COLUMN flips.ratio_2_lo IS 'lower end of its interval at 95 %; below 1 where the order is in doubt';
COMMENT ON COLUMN flips.ratio_2_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN flips.n_1 IS 'values of the side with fewer, first contest, in the windows that both have';
COMMENT ON COLUMN flips.n_2 IS 'values of the side with fewer, second contest, in the windows that both have';
COMMENT ON COLUMN flips.p_1 IS 'p-value of the first side, two-sided; NULL where there is no test';
COMMENT ON COLUMN flips.p_2 IS 'p-value of the second side, two-sided; NULL where there is no test';
COMMENT ON COLUMN flips.q_1 IS 'p_1 adjusted over all sides of the metric (Benjamini–Hochberg)';
COMMENT ON COLUMN flips.q_2 IS 'p_2 adjusted over all sides of the metric (Benjamini–Hochberg)';
COMMENT ON COLUMN flips.evidence IS 'of the weaker side: windows (six common windows or more), within (fewer, which agree), none';
COMMENT ON COLUMN flips.verdict IS 'supported where both sides are decided (q up to 0.05, beyond the margin, evidence windows), else tendency';
COMMENT ON COLUMN flips.n_windows_1 IS 'windows that both providers have in the first contest';
COMMENT ON COLUMN flips.n_windows_2 IS 'windows that both providers have in the second contest';
COMMENT ON COLUMN flips.level_a_1 IS 'what provider_a has in these windows, first contest, in the unit of the metric: median of window medians, percentile, or ratio of sums';
COMMENT ON COLUMN flips.level_b_1 IS 'what provider_b has in these windows, first contest';
COMMENT ON COLUMN flips.level_a_2 IS 'what provider_a has in these windows, second contest';
COMMENT ON COLUMN flips.level_b_2 IS 'what provider_b has in these windows, second contest';
COMMENT ON COLUMN flips.model_1 IS 'model of the first contest';
COMMENT ON COLUMN flips.model_2 IS 'model of the second contest';
COMMENT ON COLUMN flips.scenario_1 IS 'scenario of the first contest';
COMMENT ON COLUMN flips.scenario_2 IS 'scenario of the second contest';
COMMENT ON COLUMN flips.concurrency_1 IS 'streams kept open in the first contest';
COMMENT ON COLUMN flips.concurrency_2 IS 'streams kept open in the second contest';
COMMENT ON COLUMN flips.vantage IS 'where the client stood, in both';
