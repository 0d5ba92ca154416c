-- _withheld: one row per metric × contest × provider that is not compared by it
-- needs: results, metrics
-- key: metric, contest_id, provider
--
-- A metric of the stream itself that over a fifth of a provider's answers have no
-- value of would compare it by those that happen to have one. Tokens that not every
-- provider's answers have are no unit of the contest: visible_tokens_per_s is one.
CREATE OR REPLACE VIEW _withheld AS
WITH single AS (
    SELECT list(metric ORDER BY place) AS names FROM metrics WHERE population = 'complete' AND statistic = 'p50' AND family IN ('smoothness', 'speed')
),
long AS (
    SELECT contest_id, provider, unnest(_registered('metric')) AS metric, unnest(in_order) AS value
    FROM query('SELECT contest_id, provider, [' || array_to_string(_registered('source'), ', ') || ']::DOUBLE[] AS in_order
        FROM results WHERE measured AND complete AND coalesce(streamed, true)')
),
unstated AS (
    SELECT metric, contest_id, provider
    FROM long
    WHERE metric IN (SELECT unnest(names) FROM single)
    GROUP BY ALL
    HAVING count(value) > 0 AND 5 * (count(*) - count(value)) > count(*)
),
counted AS (
    SELECT contest_id, provider, 5 * (count(*) - count(window_tokens)) > count(*) AS uncounted
    FROM results
    WHERE measured AND complete AND (window_chars IS NOT NULL OR visible_window_ns IS NOT NULL)
    GROUP BY ALL
)
SELECT metric, contest_id, provider, 'unstated' AS why FROM unstated
UNION ALL
SELECT unnest(['tokens_per_s', 'tpot_ms']), contest_id, provider, if(uncounted, 'unstated', 'units differ')
FROM counted
WHERE contest_id IN (SELECT contest_id FROM counted WHERE uncounted);
