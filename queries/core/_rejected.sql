-- _rejected: one row per prompt of a model that several providers were asked and all rejected
-- needs: _measures
-- key: model, scenario, params, prompt_hash
--
-- A request that every one of several providers rejects is no provider's fault,
-- even if one of them failed now and then before it could say so.
CREATE OR REPLACE VIEW _rejected AS
SELECT model, scenario, params, prompt_hash
FROM (
    SELECT model, scenario, params, prompt_hash, provider, bool_or(outcome = 'rejected') AS rejects, bool_or(answered) AS answers
    FROM _measures
    WHERE outcome NOT IN ('client_error', 'cancelled', 'account', 'unavailable')
    GROUP BY ALL
)
GROUP BY ALL
HAVING count(*) > 1 AND bool_and(rejects) AND NOT bool_or(answers);
