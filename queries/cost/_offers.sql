-- _offers: one row per scenario × provider × model whose price can be compared both ways
-- needs: _cell_costs, _statistics
-- key: among, scenario, provider, model
-- stored: no
--
-- An offer is what a provider asks for a useful result of a model; concurrency,
-- vantage and parameters are taken together. Compared are offers of models that
-- two providers at least serve, at providers that serve two such models at
-- least: among all, and among those that pass the same checks.
CREATE OR REPLACE VIEW _offers AS
WITH priced AS (
    SELECT
        scenario, provider, model,
        -- Passes where checks are there and, as far as the sample can say, four
        -- of five attempts at least are useful.
        sum(judged) > 0 AND _wilson_lo(sum(useful)::BIGINT, sum(attempts)::BIGINT) >= 0.8 AS passes
    FROM _cell_costs
    GROUP BY ALL
    HAVING sum(unpriced) = 0 AND sum(useful) > 0 AND sum(high) > 0
),
candidates AS (
    SELECT 'all' AS among, scenario, provider, model FROM priced
    UNION ALL
    SELECT 'passing', scenario, provider, model FROM priced WHERE passes
)
SELECT among, scenario, provider, model
FROM (FROM candidates QUALIFY count(*) OVER (PARTITION BY among, scenario, model) >= 2)
QUALIFY count(*) OVER (PARTITION BY among, scenario, provider) >= 2;
