-- ranks: one row per contest × metric × provider
-- needs: _contests, _sides
-- key: model, scenario, concurrency, vantage, metric, provider
--
-- Places follow from the decided sides alone, the same that flips rest on, so
-- that no page calls tied here what another calls flipped.
CREATE OR REPLACE VIEW ranks AS
WITH decided AS ( -- both views of each decided side
    SELECT metric, contest_id, provider_a AS provider, leader = provider_a AS better FROM _sides WHERE decided AND period IS NULL
    UNION ALL
    SELECT metric, contest_id, provider_b, leader = provider_b FROM _sides WHERE decided AND period IS NULL
),
counts AS (
    SELECT metric, contest_id, provider,
        count(*) FILTER (better) AS worse_providers, count(*) FILTER (NOT better) AS better_providers
    FROM decided
    GROUP BY ALL
),
placed AS (
    SELECT
        c.*,
        rank() OVER (contest ORDER BY CASE WHEN c.better = 'lower' THEN c.estimate ELSE -c.estimate END) AS rank,
        count(*) OVER contest AS providers,
        coalesce(d.better_providers, 0) AS better_providers,
        coalesce(d.worse_providers, 0) AS worse_providers
    FROM _contests c
    LEFT JOIN counts d ON d.metric = c.metric AND d.contest_id = c.contest_id AND d.provider = c.provider
    WHERE c.estimate IS NOT NULL
    WINDOW contest AS (PARTITION BY c.contest_id, c.metric)
)
SELECT
    contest_id, model, scenario, concurrency, vantage, metric, provider, better, n, n_windows, configurations, estimate,
    rank,
    1 + better_providers AS rank_lo,
    providers - worse_providers AS rank_hi,
    providers,
    CASE WHEN better_providers + worse_providers = providers - 1 THEN 'supported' ELSE 'tendency' END AS verdict
FROM placed;

COMMENT ON VIEW ranks IS 'one row per contest (model × scenario × concurrency × vantage) × metric × provider: the places that the data allow';
COMMENT ON COLUMN ranks.contest_id IS 'number of the contest, see results';
COMMENT ON COLUMN ranks.metric IS 'see metrics';
COMMENT ON COLUMN ranks.provider IS 'the provider ranked';
COMMENT ON COLUMN ranks.better IS 'lower or higher';
COMMENT ON COLUMN ranks.n IS 'values; attempts for shares, useful results for costs';
COMMENT ON COLUMN ranks.n_windows IS 'windows that they come from';
COMMENT ON COLUMN ranks.configurations IS 'sets of declared parameters taken together; where there are several, the provider is compared with a mixture of itself';
COMMENT ON COLUMN ranks.estimate IS 'the metric''s statistic over all windows, in its unit';
COMMENT ON COLUMN ranks.rank IS 'place by the estimate alone, 1 is best';
COMMENT ON COLUMN ranks.rank_lo IS 'best place that the data allow: 1 + providers significantly better';
COMMENT ON COLUMN ranks.rank_hi IS 'worst place that the data allow: providers − those significantly worse';
COMMENT ON COLUMN ranks.providers IS 'providers in the contest';
COMMENT ON COLUMN ranks.verdict IS 'supported where every other provider is significantly better or worse, so that the place is one; else tendency';
