-- _cells: one row per cell, and whether it was planned
-- needs: _measures, _cell_id
-- key: provider, model, scenario, concurrency, vantage, params
CREATE OR REPLACE VIEW _cells AS
SELECT provider, model, scenario, concurrency, vantage, params,
    _cell_id(provider, model, scenario, concurrency, vantage, params) AS cell_id,
    _contest_id(model, scenario, concurrency, vantage) AS contest_id,
    bool_or(phase = 'measure') AS planned -- live traffic stands beside planned rows, not among them
FROM _measures
GROUP BY provider, model, scenario, concurrency, vantage, params;
