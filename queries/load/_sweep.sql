-- _sweep: one row per request of a sweep of input lengths that got a first token
-- needs: results, _cell_id
-- key: request_id
-- stored: no
--
-- Lengths of a sweep are cells of their own, named SCENARIO@LENGTH. What a cache
-- served was not read, and is left out of the length.
CREATE OR REPLACE VIEW _sweep AS
SELECT
    request_id, _cell_id(provider, model, base, concurrency, vantage, params) AS cell_id,
    provider, model, base AS scenario, concurrency, vantage, params, window_key,
    prompt_tokens_planned AS planned,
    CASE WHEN token_source = 'usage' THEN input_tokens - coalesce(cached_tokens, 0) END AS reported,
    coalesce(cached_tokens, 0) > 0 AS cached,
    ttft_net_ms
FROM (SELECT *, left(scenario, length(scenario) - length('@' || prompt_tokens_planned)) AS base FROM results)
WHERE measured AND ttft_net_ms IS NOT NULL AND prompt_tokens_planned IS NOT NULL AND suffix(scenario, '@' || prompt_tokens_planned);
