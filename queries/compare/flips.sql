-- flips: one row per metric × provider pair × contest pair whose order differs
-- tells: where the order of two providers turns round
-- example: SELECT metric, axis, leader_1, at_1, ratio_1, leader_2, at_2, ratio_2, verdict FROM flips ORDER BY verdict, least(ratio_1, ratio_2) DESC LIMIT 10
-- needs: _comparisons, metrics
-- key: axis, metric, provider_a, provider_b, at_1, at_2, model_1, model_2, scenario_1, scenario_2, concurrency_1, concurrency_2, vantage
-- stored: no
--
-- The two contests of a row differ in the axis alone. Sixty providers and forty
-- models make millions of rows, so the view is not stored: the sides are, and a
-- condition on axis, metric or verdict reads only what it needs. For the same
-- reason joins go by numbers for names, and carry of the second side (side_2)
-- no more than what it adds.
CREATE OR REPLACE VIEW flips AS
WITH led AS NOT MATERIALIZED (
    SELECT
        metric_id, model_id, scenario_id, concurrency, vantage_id, period_id, pair_id,
        metric, model, scenario, vantage, period, provider_a, provider_b,
        leader = provider_a AS a_leads,
        {
            'n': least(n_a, n_b), 'n_windows': n_windows, 'level_a': level_a, 'level_b': level_b,
            'ratio': CASE WHEN ratio < 1 THEN 1 / ratio ELSE ratio END,
            'lo': CASE WHEN ratio < 1 THEN 1 / hi ELSE lo END,
            'hi': CASE WHEN ratio < 1 THEN 1 / lo ELSE hi END,
            'p': p, 'q': q, 'decided': decided, 'lasting': lasting, 'why_not': why_not,
            'strength': CASE evidence WHEN 'windows' THEN 2::TINYINT WHEN 'within' THEN 1::TINYINT ELSE 0::TINYINT END
        } AS side
    FROM _comparisons
    WHERE leader IS NOT NULL
),
whole AS NOT MATERIALIZED (
    FROM led WHERE period_id = 0
),
-- Metrics of one family tell the same; the first that the data have speaks for it.
speakers AS NOT MATERIALIZED (
    SELECT w.*, m.family
    FROM whole w
    JOIN metrics m ON m.metric = w.metric
    WHERE w.metric IN (SELECT arg_min(metric, place) FROM metrics WHERE metric IN (SELECT metric FROM whole) GROUP BY family)
),
pairs AS (
    SELECT 'model' AS axis, x.model AS at_1, y.model AS at_2, y.side AS side_2, x.*
    FROM whole x
    JOIN whole y ON y.pair_id = x.pair_id AND y.metric_id = x.metric_id AND y.scenario_id = x.scenario_id
        AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage_id = x.vantage_id
        AND y.model_id > x.model_id AND y.a_leads <> x.a_leads
    UNION ALL
    SELECT 'scenario', x.scenario, y.scenario, y.side, x.*
    FROM whole x
    JOIN whole y ON y.pair_id = x.pair_id AND y.metric_id = x.metric_id AND y.model_id = x.model_id
        AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage_id = x.vantage_id
        AND y.scenario_id > x.scenario_id AND y.a_leads <> x.a_leads
    UNION ALL
    SELECT 'concurrency', x.concurrency::VARCHAR, y.concurrency::VARCHAR, y.side, x.*
    FROM whole x
    JOIN whole y ON y.pair_id = x.pair_id AND y.metric_id = x.metric_id AND y.model_id = x.model_id AND y.scenario_id = x.scenario_id
        AND y.vantage_id = x.vantage_id
        AND y.concurrency > x.concurrency AND y.a_leads <> x.a_leads
    UNION ALL
    SELECT 'metric', x.metric, y.metric, y.side, x.* EXCLUDE (family)
    FROM speakers x
    JOIN speakers y ON y.pair_id = x.pair_id AND y.model_id = x.model_id AND y.scenario_id = x.scenario_id
        AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage_id = x.vantage_id
        AND y.metric_id > x.metric_id AND y.family <> x.family AND y.a_leads <> x.a_leads
    UNION ALL
    SELECT 'period', x.period, y.period, y.side, x.*
    FROM led x
    JOIN led y ON y.pair_id = x.pair_id AND y.metric_id = x.metric_id AND y.model_id = x.model_id AND y.scenario_id = x.scenario_id
        AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage_id = x.vantage_id
        AND x.period_id > 0 AND y.period_id > x.period_id AND y.a_leads <> x.a_leads
)
SELECT
    axis, metric, provider_a, provider_b, at_1, at_2,
    CASE WHEN a_leads THEN provider_a ELSE provider_b END AS leader_1,
    CASE WHEN a_leads THEN provider_b ELSE provider_a END AS leader_2,
    side.ratio AS ratio_1, side.lo AS ratio_1_lo, side.hi AS ratio_1_hi,
    side_2.ratio AS ratio_2, side_2.lo AS ratio_2_lo, side_2.hi AS ratio_2_hi,
    side.n AS n_1, side_2.n AS n_2,
    side.p AS p_1, side_2.p AS p_2,
    side.q AS q_1, side_2.q AS q_2,
    CASE least(side.strength, side_2.strength) WHEN 2 THEN 'windows' WHEN 1 THEN 'within' ELSE 'none' END AS evidence,
    CASE WHEN side.decided AND side_2.decided THEN 'supported' ELSE 'tendency' END AS verdict,
    side.lasting AND side_2.lasting AS lasting,
    coalesce(side.why_not, side_2.why_not) AS why_not,
    side.decided AS decided_1, side_2.decided AS decided_2,
    side.n_windows AS n_windows_1, side_2.n_windows AS n_windows_2,
    side.level_a AS level_a_1, side.level_b AS level_b_1,
    side_2.level_a AS level_a_2, side_2.level_b AS level_b_2,
    model AS model_1, CASE axis WHEN 'model' THEN at_2 ELSE model END AS model_2,
    scenario AS scenario_1, CASE axis WHEN 'scenario' THEN at_2 ELSE scenario END AS scenario_2,
    concurrency AS concurrency_1, CASE axis WHEN 'concurrency' THEN at_2::INTEGER ELSE concurrency END AS concurrency_2,
    vantage
FROM pairs;

COMMENT ON VIEW flips IS 'one row per metric × provider pair × contest pair in which the order of the two differs';
COMMENT ON COLUMN flips.axis IS 'what differs between the two contests, all else being equal: model, scenario, concurrency, metric (of another family), or period (that of the build''s --period; by default the halves of the recording, from 24 windows on)';
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
COMMENT ON COLUMN flips.evidence IS 'of the weaker side: windows (eight common windows or more), within (fewer, which agree), none';
COMMENT ON COLUMN flips.verdict IS 'supported where both sides are decided (q up to 0.05, beyond the margin, evidence windows), else tendency';
COMMENT ON COLUMN flips.lasting IS 'whether a supported flip lasts: on both sides each quarter of the day (UTC) was seen on two days or more; NULL where it is a tendency';
COMMENT ON COLUMN flips.why_not IS 'why a side is not decided, the first one''s if neither is: see pairs';
COMMENT ON COLUMN flips.decided_1 IS 'whether the first side is decided';
COMMENT ON COLUMN flips.decided_2 IS 'whether the second side is decided';
COMMENT ON COLUMN flips.n_windows_1 IS 'windows that both providers have in the first contest';
COMMENT ON COLUMN flips.n_windows_2 IS 'windows that both providers have in the second contest';
COMMENT ON COLUMN flips.level_a_1 IS 'what provider_a has in these windows, first contest, in the unit of the metric: see pairs.level_a';
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
