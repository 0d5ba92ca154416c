-- What changes when the base URL goes from one provider to another, for the models
-- that both were asked for: one row per model × scenario × item.
CREATE OR REPLACE TEMP TABLE switched AS
WITH ends AS (SELECT from_provider AS x, to_provider AS y FROM sides),
served AS (
    SELECT model, bool_or(provider = x AND servable = 'servable') AS at_x, bool_or(provider = y AND servable = 'servable') AS at_y
    FROM availability, ends WHERE provider IN (x, y) GROUP BY model
),
both_ways AS ( -- facts of one cell at each side
    SELECT 1 AS place, 'limits' AS topic, 'share answered' AS item, a.provider, a.model, a.scenario, a.concurrency, a.share AS value, a.share_lo AS lo, a.share_hi AS hi FROM availability a
    UNION ALL SELECT 2, 'limits', 'share met by a rate limit', provider, model, scenario, concurrency, rate_limited / nullif(attempts, 0), NULL, NULL FROM availability
    UNION ALL SELECT 3, 'endings', 'cut by length', provider, model, scenario, concurrency, truncated_share, truncated_share_lo, truncated_share_hi FROM fidelity
    UNION ALL SELECT 4, 'endings', 'ended in thinking, no answer', provider, model, scenario, concurrency, starved_share, starved_share_lo, starved_share_hi FROM fidelity
    UNION ALL SELECT 5, 'endings', 'empty', provider, model, scenario, concurrency, empty_share, empty_share_lo, empty_share_hi FROM fidelity
    UNION ALL SELECT 6, 'endings', 'filtered', provider, model, scenario, concurrency, filtered_share, filtered_share_lo, filtered_share_hi FROM fidelity
    UNION ALL SELECT 7, 'usage', 'answers whose usage is reported', provider, model, scenario, concurrency,
        count(*) FILTER (token_source = 'usage') / nullif(count(*), 0), NULL, NULL FROM results WHERE measured AND complete GROUP BY ALL
),
compared AS (
    SELECT p.*, m.title, m.unit, m.place, e.x, e.y, p.provider_a = e.x AS forward
    FROM pairs p JOIN metrics m USING (metric), ends e
    WHERE (p.provider_a = e.x AND p.provider_b = e.y OR p.provider_a = e.y AND p.provider_b = e.x)
      AND p.metric IN ('ttft_net_ms', 'ttft_net_p95_ms', 'e2e_ms', 'e2e_p95_ms', 'tokens_per_s', 'cost_per_useful_usd', 'useful_share')
)
SELECT
    model, NULL AS scenario, NULL::INTEGER AS concurrency, 0 AS place, 'models' AS topic, 'served' AS item,
    CASE WHEN at_x THEN 'yes' ELSE 'no' END AS from_value, CASE WHEN at_y THEN 'yes' ELSE 'no' END AS to_value,
    NULL::DOUBLE AS change, NULL::DOUBLE AS change_lo, NULL::DOUBLE AS change_hi, NULL AS verdict, NULL AS why_not
FROM served
UNION ALL
SELECT model, scenario, concurrency, 100 + place, CASE WHEN metric IN ('cost_per_useful_usd') THEN 'price' ELSE 'speed' END, title || ' [' || unit || ']',
    printf('%.4g', CASE WHEN forward THEN level_a ELSE level_b END), printf('%.4g', CASE WHEN forward THEN level_b ELSE level_a END),
    CASE WHEN forward THEN 1 / nullif(ratio, 0) ELSE ratio END,
    CASE WHEN forward THEN 1 / nullif(ratio_hi, 0) ELSE ratio_lo END, CASE WHEN forward THEN 1 / nullif(ratio_lo, 0) ELSE ratio_hi END,
    verdict, why_not
FROM compared
UNION ALL
SELECT model, scenario, concurrency, 200 + b.place, topic, item,
    printf('%.1f %%', 100 * max(value) FILTER (provider = x)), printf('%.1f %%', 100 * max(value) FILTER (provider = y)), NULL, NULL, NULL,
    CASE WHEN max(lo) IS NULL THEN NULL
        WHEN max(hi) FILTER (provider = x) < max(lo) FILTER (provider = y) OR max(hi) FILTER (provider = y) < max(lo) FILTER (provider = x) THEN 'tendency'
        ELSE 'undecided' END,
    CASE WHEN max(lo) IS NULL THEN NULL
        WHEN max(hi) FILTER (provider = x) < max(lo) FILTER (provider = y) OR max(hi) FILTER (provider = y) < max(lo) FILTER (provider = x) THEN 'intervals of requests, which share windows'
        ELSE 'intervals overlap' END
FROM both_ways b, ends
WHERE provider IN (x, y)
GROUP BY model, scenario, concurrency, b.place, topic, item
HAVING count(DISTINCT provider) = 2
UNION ALL
SELECT model, NULL, NULL, 300, 'parameters', probe,
    coalesce(string_agg(DISTINCT claim, ', ' ORDER BY claim) FILTER (provider = x), 'not probed'), coalesce(string_agg(DISTINCT claim, ', ' ORDER BY claim) FILTER (provider = y), 'not probed'), NULL, NULL, NULL,
    min(verdict), min(why_not)
FROM conformance, ends
WHERE provider IN (x, y)
GROUP BY model, probe
ORDER BY model, scenario NULLS FIRST, concurrency NULLS FIRST, place, item
