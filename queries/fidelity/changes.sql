-- changes: one row per provider × model × time at which what is served changed
-- tells: when a provider changed what it serves
-- example: SELECT provider, model, changed_at, what, before, after, verdict FROM changes ORDER BY changed_at, provider, model
-- needs: _changes
-- key: provider, model, model_id, scenario, concurrency, params, tier, what, changed_at
CREATE OR REPLACE VIEW changes AS
SELECT
    provider, model, changed_at, what, before, after,
    CASE WHEN what = 'price' OR p <= 0.001 THEN 'supported' ELSE 'tendency' END AS verdict,
    CASE WHEN what = 'price' OR p <= 0.001 THEN NULL ELSE 'too few requests' END AS why_not,
    clean, last_before, n_before, n_after,
    value, share_before, share_after,
    CASE WHEN what <> 'price' THEN p END AS p,
    model_id, scenario, concurrency, CASE WHEN what <> 'price' THEN params END AS params,
    CASE WHEN what = 'price' THEN params END AS tier
FROM _changes;

COMMENT ON VIEW changes IS 'one row per provider × model × time at which the served model, the serving provider of a router, the fingerprint, the finish behaviour or the price changed. A row says that it changed, not that it was announced or that it matters';
COMMENT ON COLUMN changes.provider IS 'who serves the model';
COMMENT ON COLUMN changes.model IS 'canonical model';
COMMENT ON COLUMN changes.changed_at IS 'start of the first request after the change, UTC';
COMMENT ON COLUMN changes.what IS 'served_model, served_provider, system_fingerprint, finish (by scenario) or price (by the price table)';
COMMENT ON COLUMN changes.before IS 'the most frequent value before; NULL where none was stated';
COMMENT ON COLUMN changes.after IS 'the most frequent value after';
COMMENT ON COLUMN changes.verdict IS 'supported: one mixture of values would give this with a chance of 1 in 1000 or less, or the price table states it; tendency: no value stands on both sides, but the requests are few';
COMMENT ON COLUMN changes.why_not IS 'why it is not supported; NULL where it is';
COMMENT ON COLUMN changes.clean IS 'whether no value stands on both sides';
COMMENT ON COLUMN changes.last_before IS 'start of the last request before the change, UTC';
COMMENT ON COLUMN changes.n_before IS 'requests since the change before, or the first';
COMMENT ON COLUMN changes.n_after IS 'requests until the next change, or the last';
COMMENT ON COLUMN changes.value IS 'the value whose share changed most clearly';
COMMENT ON COLUMN changes.share_before IS 'its share before, 0 to 1';
COMMENT ON COLUMN changes.share_after IS 'its share after, 0 to 1';
COMMENT ON COLUMN changes.p IS 'chance of such a break anywhere in the sequence, had one mixture given all values (Fisher, Bonferroni); NULL for prices';
COMMENT ON COLUMN changes.model_id IS 'model name as sent';
COMMENT ON COLUMN changes.scenario IS 'scenario, for finish';
COMMENT ON COLUMN changes.concurrency IS 'streams kept open, for finish';
COMMENT ON COLUMN changes.params IS 'declared parameters, for finish';
COMMENT ON COLUMN changes.tier IS 'service tier, for price';
