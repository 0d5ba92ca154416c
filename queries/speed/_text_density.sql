-- _text_density: one row per cell: o200k tokens that a character of its answers takes
-- needs: results, _o200k
-- key: provider, model, scenario, concurrency, vantage, params
-- stored: no
CREATE OR REPLACE VIEW _text_density AS
SELECT
    r.cell_id, r.provider, r.model, r.scenario, r.concurrency, r.vantage, r.params,
    count(*) AS answers,
    sum(o.tokens)::BIGINT / nullif(sum(o.chars)::BIGINT, 0) AS tokens_per_char
FROM results r
JOIN _o200k o ON o.request_id = r.request_id
WHERE r.measured AND r.complete
GROUP BY ALL;
