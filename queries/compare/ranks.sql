-- ranks: one row per contest × metric × provider
-- tells: who is first, and who cannot be told from whom
-- example: SELECT model, scenario, provider, estimate, rank_lo, rank_hi, providers, verdict FROM ranks WHERE metric = 'ttft_net_ms' ORDER BY model, scenario, estimate
-- needs: _contests, _statistics, _withheld, pairs
-- key: model, scenario, concurrency, vantage, metric, provider
--
-- Places follow from the decided pairs alone, the same that flips rest on, so
-- that no page calls tied here what another calls flipped. The estimate is the
-- level that the pairs compare over windows; where providers were measured in
-- different windows it may differ from pair to pair, and the middle one stands.
-- Who is not compared by a metric (pairs.why_not says why) has no place by it.
CREATE OR REPLACE VIEW ranks AS
WITH both_ways AS (
    SELECT metric, contest_id, provider_a AS provider, level_a AS level, evidence, decided, lasting, why_not, leader = provider_a AS better FROM pairs
    UNION ALL
    SELECT metric, contest_id, provider_b, level_b, evidence, decided, lasting, why_not, leader = provider_b FROM pairs
),
counts AS (
    SELECT metric, contest_id, provider,
        quantile_disc(level, 0.5) FILTER (evidence = 'windows') AS level,
        count(*) FILTER (decided AND better) AS worse_providers,
        count(*) FILTER (decided AND NOT better) AS better_providers,
        count(*) FILTER (lasting) AS lasting,
        mode(why_not ORDER BY why_not) AS why_not
    FROM both_ways
    GROUP BY ALL
),
estimated AS (
    SELECT
        c.* EXCLUDE (estimate),
        _twelve_digits(coalesce(d.level, c.estimate)) AS estimate,
        coalesce(d.better_providers, 0) AS better_providers,
        coalesce(d.worse_providers, 0) AS worse_providers,
        coalesce(d.lasting, 0) AS lasting,
        d.why_not
    FROM _contests c
    LEFT JOIN counts d ON d.metric = c.metric AND d.contest_id = c.contest_id AND d.provider = c.provider
    ANTI JOIN _withheld h ON h.metric = c.metric AND h.contest_id = c.contest_id AND h.provider = c.provider
    WHERE c.estimate IS NOT NULL
),
placed AS (
    SELECT
        *,
        rank() OVER (contest ORDER BY CASE WHEN better = 'lower' THEN estimate ELSE -estimate END) AS by_estimate,
        count(*) OVER contest AS providers
    FROM estimated
    WINDOW contest AS (PARTITION BY contest_id, metric)
)
SELECT
    contest_id, model, scenario, concurrency, vantage, metric, provider, better, n, n_windows, configurations, estimate,
    least(greatest(by_estimate, 1 + better_providers), providers - worse_providers) AS rank,
    1 + better_providers AS rank_lo,
    providers - worse_providers AS rank_hi,
    providers,
    CASE WHEN providers > 1 AND better_providers + worse_providers = providers - 1 THEN 'supported' WHEN better_providers + worse_providers > 0 THEN 'tendency' ELSE 'undecided' END AS verdict,
    CASE WHEN providers = 1 THEN 'one provider only' WHEN better_providers + worse_providers < providers - 1 THEN coalesce(why_not, 'too few windows') END AS why_not,
    CASE WHEN providers > 1 AND better_providers + worse_providers = providers - 1 THEN lasting = providers - 1 END AS lasting
FROM placed;

COMMENT ON VIEW ranks IS 'one row per contest (model × scenario × concurrency × vantage) × metric × provider: the places that the data allow';
COMMENT ON COLUMN ranks.contest_id IS 'number of the contest, see results';
COMMENT ON COLUMN ranks.metric IS 'see metrics';
COMMENT ON COLUMN ranks.provider IS 'the provider ranked';
COMMENT ON COLUMN ranks.better IS 'lower or higher';
COMMENT ON COLUMN ranks.n IS 'values; attempts for shares, useful results for costs';
COMMENT ON COLUMN ranks.n_windows IS 'windows that they come from';
COMMENT ON COLUMN ranks.configurations IS 'sets of declared parameters taken together; where there are several, the provider is compared with a mixture of itself';
COMMENT ON COLUMN ranks.estimate IS 'the level that is compared, in the unit of the metric: see pairs.level_a; of a lone provider, the metric''s statistic over all windows';
COMMENT ON COLUMN ranks.rank IS 'place by the estimate, 1 is best, between rank_lo and rank_hi';
COMMENT ON COLUMN ranks.rank_lo IS 'best place that the data allow: 1 + providers significantly better';
COMMENT ON COLUMN ranks.rank_hi IS 'worst place that the data allow: providers − those significantly worse';
COMMENT ON COLUMN ranks.providers IS 'providers in the contest';
COMMENT ON COLUMN ranks.verdict IS 'supported: every other provider is significantly better or worse, so that the place is one; tendency: some are; undecided: none is, and any place is possible. A lone provider has no place to win';
COMMENT ON COLUMN ranks.why_not IS 'why the place is not supported: the most frequent reason of its undecided pairs, see pairs';
COMMENT ON COLUMN ranks.lasting IS 'whether all pairs that a supported place rests on are lasting; NULL where it is not supported';
