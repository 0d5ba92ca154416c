-- ranks: one row per contest × metric × provider
-- needs: _contests
-- key: model, scenario, concurrency, vantage, metric, provider
CREATE OR REPLACE VIEW ranks AS
SELECT
    model, scenario, concurrency, vantage, metric, provider, better, n, estimate,
    rank() OVER (PARTITION BY model, scenario, concurrency, vantage, metric ORDER BY CASE WHEN better = 'lower' THEN estimate ELSE -estimate END) AS rank,
    1::BIGINT AS rank_lo,
    count(*) OVER (PARTITION BY model, scenario, concurrency, vantage, metric) AS rank_hi,
    count(*) OVER (PARTITION BY model, scenario, concurrency, vantage, metric) AS providers,
    'tendency' AS verdict
FROM _contests;

COMMENT ON VIEW ranks IS 'one row per contest (model × scenario × concurrency × vantage) × metric × provider';
COMMENT ON COLUMN ranks.model IS 'contest: canonical model';
COMMENT ON COLUMN ranks.scenario IS 'contest: scenario';
COMMENT ON COLUMN ranks.concurrency IS 'contest: streams kept open';
COMMENT ON COLUMN ranks.vantage IS 'contest: where the client stood';
COMMENT ON COLUMN ranks.metric IS 'column of results; see metrics';
COMMENT ON COLUMN ranks.provider IS 'the provider ranked';
COMMENT ON COLUMN ranks.better IS 'lower or higher';
COMMENT ON COLUMN ranks.n IS 'values';
COMMENT ON COLUMN ranks.estimate IS 'median of the metric, in its unit';
COMMENT ON COLUMN ranks.rank IS 'place by the estimate alone, 1 is best';
COMMENT ON COLUMN ranks.rank_lo IS 'best place that the data allow: 1 + providers significantly better';
COMMENT ON COLUMN ranks.rank_hi IS 'worst place that the data allow: providers − those significantly worse';
COMMENT ON COLUMN ranks.providers IS 'providers in the contest';
COMMENT ON COLUMN ranks.verdict IS 'tendency: an estimate, not tested';
