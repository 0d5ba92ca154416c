-- champions: one row per metric × scenario
-- tells: whether one provider is best everywhere
-- example: SELECT metric, scenario, claim, verdict, provider, models, unbeaten_providers FROM champions ORDER BY metric, scenario
-- needs: ranks, _concordance
-- key: metric, scenario
--
-- Is there one provider that is best whatever the model? A contest counts where
-- two providers or more compete. A candidate competes on more than half of the
-- models that are contested at all; it is beaten where another provider is
-- significantly better, and first where it is significantly better than every
-- other one.
CREATE OR REPLACE VIEW champions AS
WITH contested AS (
    SELECT *, coalesce(lasting, false) AS first_lasting FROM ranks WHERE providers >= 2
),
totals AS (
    SELECT metric, scenario,
        count(DISTINCT model) AS models,
        count(DISTINCT (model, concurrency, vantage)) AS contests,
        count(DISTINCT provider) AS providers,
        count(DISTINCT provider) FILTER (rank_hi = 1) AS winners
    FROM contested
    GROUP BY ALL
),
entrants AS (
    SELECT metric, scenario, provider,
        count(DISTINCT model) AS models,
        count(*) AS contests,
        count(*) FILTER (rank_lo > 1) AS beaten,
        count(*) FILTER (rank_hi = 1) AS first,
        bool_and(first_lasting) AS lasting
    FROM contested
    GROUP BY ALL
),
candidates AS (
    SELECT e.*
    FROM entrants e
    JOIN totals t ON t.metric = e.metric AND t.scenario = e.scenario
    WHERE 2 * e.models > t.models
),
judged AS (
    SELECT metric, scenario,
        count(*) AS candidates,
        count(*) FILTER (beaten = 0) AS unbeaten,
        string_agg(provider, ', ' ORDER BY provider) FILTER (beaten = 0) AS unbeaten_providers,
        count(*) FILTER (first = contests) AS champions,
        max(provider) FILTER (first = contests) AS champion,
        max(models) FILTER (first = contests) AS champion_models,
        bool_and(lasting) FILTER (first = contests) AS lasting
    FROM candidates
    GROUP BY ALL
),
agreement AS (
    SELECT metric, scenario, count(*) AS pairs, min(providers) AS shared, quantile_cont(tau, 0.5) AS tau
    FROM _concordance
    GROUP BY ALL
)
SELECT
    t.metric, t.scenario,
    CASE
        WHEN j.champions = 1 AND j.unbeaten = 1 AND t.models > 1 THEN 'one'
        WHEN j.candidates > 0 AND j.unbeaten = 0 THEN 'none'
    END AS claim,
    CASE WHEN claim IS NOT NULL THEN 'supported' ELSE 'undecided' END AS verdict,
    CASE
        WHEN claim IS NOT NULL THEN NULL
        WHEN t.models = 1 THEN 'one model only'
        WHEN coalesce(j.candidates, 0) = 0 THEN 'no provider competes on more than half of the models'
        ELSE 'too little power: ' || j.unbeaten || ' of ' || j.candidates || ' candidates beaten on no model, and none first on all'
    END AS why_not,
    CASE WHEN j.champions = 1 AND j.unbeaten = 1 AND t.models > 1 THEN j.champion END AS provider,
    t.models,
    CASE WHEN j.champions = 1 AND j.unbeaten = 1 AND t.models > 1 THEN j.champion_models END AS champion_models,
    t.contests, t.providers,
    coalesce(j.candidates, 0) AS candidates,
    j.unbeaten_providers,
    t.winners,
    a.tau,
    CASE WHEN j.champions = 1 AND j.unbeaten = 1 AND t.models > 1 THEN j.lasting END AS lasting,
    coalesce(a.pairs, 0) AS tau_pairs,
    a.shared AS tau_providers
FROM totals t
LEFT JOIN judged j ON j.metric = t.metric AND j.scenario = t.scenario
LEFT JOIN agreement a ON a.metric = t.metric AND a.scenario = t.scenario;

COMMENT ON VIEW champions IS 'one row per metric × scenario in which providers compete: is one provider best whatever the model';
COMMENT ON COLUMN champions.metric IS 'see metrics';
COMMENT ON COLUMN champions.claim IS 'one: a provider is significantly better than all others in each of its contests; none: every candidate is significantly beaten in one of its contests at least; NULL where undecided';
COMMENT ON COLUMN champions.verdict IS 'supported where the claim is shown, else undecided';
COMMENT ON COLUMN champions.why_not IS 'why neither is shown; NULL where one is';
COMMENT ON COLUMN champions.provider IS 'the one provider; NULL but for the claim one';
COMMENT ON COLUMN champions.models IS 'models on which two providers or more compete';
COMMENT ON COLUMN champions.champion_models IS 'of these, the models on which the one provider competes';
COMMENT ON COLUMN champions.contests IS 'contests: models by concurrency and vantage';
COMMENT ON COLUMN champions.providers IS 'providers that compete';
COMMENT ON COLUMN champions.candidates IS 'of these, those that compete on more than half of the models: the others cannot be the one';
COMMENT ON COLUMN champions.unbeaten_providers IS 'candidates that no other provider significantly beats, in any contest';
COMMENT ON COLUMN champions.winners IS 'different providers that are significantly first in a contest';
COMMENT ON COLUMN champions.lasting IS 'whether all pairs that the one provider''s places rest on are lasting; NULL but for the claim one';
COMMENT ON COLUMN champions.tau IS 'how far the order of providers on one model is that on another: median of Kendall''s tau-b over pairs of models that share five providers or more; 1 the same, 0 unrelated, −1 reversed';
COMMENT ON COLUMN champions.tau_pairs IS 'pairs of models that tau is from';
COMMENT ON COLUMN champions.tau_providers IS 'fewest providers that such a pair shares';
