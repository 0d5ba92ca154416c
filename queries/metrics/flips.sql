-- flips: one row per metric × provider pair × contest pair whose order differs
-- needs: _contests
-- key: axis, metric, provider_a, provider_b, at_1, at_2, model_1, model_2, scenario_1, scenario_2, concurrency_1, concurrency_2, vantage
CREATE OR REPLACE VIEW flips AS
WITH sides AS (
    SELECT
        a.model, a.scenario, a.concurrency, a.vantage, a.metric,
        a.provider AS provider_a, b.provider AS provider_b,
        -- How many times better a is: over 1 where a leads.
        CASE WHEN a.better = 'lower' THEN b.estimate / nullif(a.estimate, 0) ELSE a.estimate / nullif(b.estimate, 0) END AS ratio,
        least(a.n, b.n) AS n
    FROM _contests a
    JOIN _contests b ON b.model = a.model AND b.scenario = a.scenario AND b.concurrency IS NOT DISTINCT FROM a.concurrency
        AND b.vantage IS NOT DISTINCT FROM a.vantage AND b.metric = a.metric AND b.provider > a.provider
),
pairs AS (
    SELECT 'model' AS axis, x.metric, x.provider_a, x.provider_b, x.model AS at_1, y.model AS at_2, x AS side_1, y AS side_2
    FROM sides x
    JOIN sides y ON y.metric = x.metric AND y.provider_a = x.provider_a AND y.provider_b = x.provider_b AND y.model > x.model
        AND y.scenario = x.scenario AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage IS NOT DISTINCT FROM x.vantage
    UNION ALL
    SELECT 'scenario', x.metric, x.provider_a, x.provider_b, x.scenario, y.scenario, x, y
    FROM sides x
    JOIN sides y ON y.metric = x.metric AND y.provider_a = x.provider_a AND y.provider_b = x.provider_b AND y.scenario > x.scenario
        AND y.model = x.model AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage IS NOT DISTINCT FROM x.vantage
    UNION ALL
    SELECT 'concurrency', x.metric, x.provider_a, x.provider_b, x.concurrency::VARCHAR, y.concurrency::VARCHAR, x, y
    FROM sides x
    JOIN sides y ON y.metric = x.metric AND y.provider_a = x.provider_a AND y.provider_b = x.provider_b AND y.concurrency > x.concurrency
        AND y.model = x.model AND y.scenario = x.scenario AND y.vantage IS NOT DISTINCT FROM x.vantage
    UNION ALL
    SELECT 'metric', x.metric, x.provider_a, x.provider_b, x.metric, y.metric, x, y
    FROM sides x
    JOIN sides y ON y.metric > x.metric AND y.provider_a = x.provider_a AND y.provider_b = x.provider_b AND y.model = x.model
        AND y.scenario = x.scenario AND y.concurrency IS NOT DISTINCT FROM x.concurrency AND y.vantage IS NOT DISTINCT FROM x.vantage
)
SELECT
    axis, metric, provider_a, provider_b, at_1, at_2,
    CASE WHEN side_1.ratio > 1 THEN provider_a ELSE provider_b END AS leader_1,
    CASE WHEN side_2.ratio > 1 THEN provider_a ELSE provider_b END AS leader_2,
    greatest(side_1.ratio, 1 / side_1.ratio) AS ratio_1,
    NULL::DOUBLE AS ratio_1_lo,
    NULL::DOUBLE AS ratio_1_hi,
    greatest(side_2.ratio, 1 / side_2.ratio) AS ratio_2,
    NULL::DOUBLE AS ratio_2_lo,
    NULL::DOUBLE AS ratio_2_hi,
    side_1.n AS n_1,
    side_2.n AS n_2,
    NULL::DOUBLE AS p_1,
    NULL::DOUBLE AS p_2,
    NULL::DOUBLE AS q_1,
    NULL::DOUBLE AS q_2,
    NULL::VARCHAR AS evidence,
    'tendency' AS verdict,
    side_1.model AS model_1, side_2.model AS model_2,
    side_1.scenario AS scenario_1, side_2.scenario AS scenario_2,
    side_1.concurrency AS concurrency_1, side_2.concurrency AS concurrency_2,
    side_1.vantage AS vantage
FROM pairs
WHERE side_1.ratio > 1 AND side_2.ratio < 1 OR side_1.ratio < 1 AND side_2.ratio > 1;

COMMENT ON VIEW flips IS 'one row per metric × provider pair × contest pair in which the order of the two differs';
COMMENT ON COLUMN flips.axis IS 'what differs between the two contests: model, scenario, concurrency or metric';
COMMENT ON COLUMN flips.metric IS 'column of results; the first one''s where the axis is metric';
COMMENT ON COLUMN flips.provider_a IS 'the provider whose name sorts first';
COMMENT ON COLUMN flips.provider_b IS 'the other';
COMMENT ON COLUMN flips.at_1 IS 'value of the axis in the first contest';
COMMENT ON COLUMN flips.at_2 IS 'value of the axis in the second contest';
COMMENT ON COLUMN flips.leader_1 IS 'the better provider in the first contest';
COMMENT ON COLUMN flips.leader_2 IS 'the better provider in the second contest';
COMMENT ON COLUMN flips.ratio_1 IS 'how many times better the leader is in the first contest, over 1';
COMMENT ON COLUMN flips.ratio_1_lo IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN flips.ratio_1_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN flips.ratio_2 IS 'how many times better the leader is in the second contest, over 1';
COMMENT ON COLUMN flips.ratio_2_lo IS 'lower end of its interval at 95 %';
COMMENT ON COLUMN flips.ratio_2_hi IS 'upper end of its interval at 95 %';
COMMENT ON COLUMN flips.n_1 IS 'values of the side with fewer, first contest';
COMMENT ON COLUMN flips.n_2 IS 'values of the side with fewer, second contest';
COMMENT ON COLUMN flips.p_1 IS 'p-value of the first side; NULL where it was not tested';
COMMENT ON COLUMN flips.p_2 IS 'p-value of the second side; NULL where it was not tested';
COMMENT ON COLUMN flips.q_1 IS 'adjusted p-value of the first side';
COMMENT ON COLUMN flips.q_2 IS 'adjusted p-value of the second side';
COMMENT ON COLUMN flips.evidence IS 'windows or within; NULL where it was not tested';
COMMENT ON COLUMN flips.verdict IS 'supported where both sides are decided, else tendency';
COMMENT ON COLUMN flips.model_1 IS 'model of the first contest';
COMMENT ON COLUMN flips.model_2 IS 'model of the second contest';
COMMENT ON COLUMN flips.scenario_1 IS 'scenario of the first contest';
COMMENT ON COLUMN flips.scenario_2 IS 'scenario of the second contest';
COMMENT ON COLUMN flips.concurrency_1 IS 'streams kept open in the first contest';
COMMENT ON COLUMN flips.concurrency_2 IS 'streams kept open in the second contest';
COMMENT ON COLUMN flips.vantage IS 'where the client stood';
