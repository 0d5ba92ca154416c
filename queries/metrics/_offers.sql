-- _offers: one row per replicate × scenario × provider × model: what a useful result costs there
-- needs: _cell_costs, _window_draws, _statistics
-- key: replicate, scenario, provider, model
-- stored: no
--
-- Concurrency, vantage and parameters are taken together: an offer is what a
-- provider asks for a model. Only offers with known prices count.
CREATE OR REPLACE VIEW _offers AS
SELECT
    d.replicate, c.scenario, c.provider, c.model,
    sum(c.high * d.draws)::BIGINT / nullif(sum(c.useful * d.draws)::BIGINT, 0) AS price,
    -- Passes where checks are there and, as far as the sample can say, four of
    -- five attempts at least are useful.
    sum(c.judged) > 0 AND _wilson_lo(sum(c.useful)::BIGINT, sum(c.attempts)::BIGINT) >= 0.8 AS passes,
    d.tail
FROM _cell_costs c
JOIN _window_draws d ON d.window_key = c.window_key
GROUP BY d.replicate, c.scenario, c.provider, c.model, d.tail
HAVING sum(c.unpriced) = 0 AND price > 0;
