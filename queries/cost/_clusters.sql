-- _clusters: one row per ratio of sums × window: what its interval is made of
-- needs: _cell_costs, _route_costs
-- key: ratio, of, window_key
-- stored: no
--
-- Dollars per useful result, and what else is a sum over a sum, has no interval
-- that SQL can state: these are its parts by window, in whole nano-dollars.
CREATE OR REPLACE VIEW _clusters AS
SELECT unnest(['cost_low', 'cost_high']) AS ratio, of, window_key, unnest([low, high]) AS num, useful AS den
FROM _cell_costs
WHERE unpriced = 0
UNION ALL
SELECT unnest(['route', 'route_default', 'route_always']), of, window_key, unnest([routed, default_only, always]), unnest([useful, default_useful, always_useful])
FROM _route_costs
WHERE unpriced = 0;
