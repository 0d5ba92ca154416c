-- _median_sizes: one row per size of a sample whose median has an interval
-- needs: _cold, _burst, _architectures
-- key: n
-- stored: no
CREATE OR REPLACE VIEW _median_sizes AS
SELECT DISTINCT n::BIGINT AS n
FROM (
    SELECT unnest([len(penalties), len(cold), len(warm)]) AS n FROM _cold
    UNION ALL
    SELECT unnest([len(ttft), len(behind), len(arrived)]) FROM _burst
    UNION ALL
    SELECT len(ratios) FROM _architectures
)
WHERE n > 0;
