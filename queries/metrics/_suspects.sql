-- _suspects: one row per failed request that the client's own line may explain
-- needs: results
-- key: request_id
--
-- Failures that half of the providers share within a minute say more of the
-- line than of them. Time is cut into slots of 20 seconds; a provider is down in
-- a slot in which half of its attempts or more fail, and failures are shared
-- with the two slots before and the two after. Refusals (rate limits, rejected
-- requests) are left out: whoever refuses was reached.
CREATE OR REPLACE VIEW _suspects AS
WITH attempts AS (
    SELECT
        request_id, run_id, provider,
        epoch_ms(started_at) // 20000 AS slot,
        NOT answered AND outcome NOT IN ('rate_limited', 'rejected') AS failed
    FROM results
    WHERE measured AND attempted AND started_at IS NOT NULL
),
slots AS (
    SELECT run_id, provider, slot, 2 * count(*) FILTER (failed) >= count(*) AS down
    FROM attempts
    GROUP BY ALL
),
around AS (
    SELECT run_id, provider, slot + beside AS slot, bool_or(down) AS down
    FROM slots, range(-2, 3) AS near(beside)
    GROUP BY ALL
),
shared AS (
    SELECT run_id, slot
    FROM around
    GROUP BY ALL
    HAVING count(*) FILTER (down) >= 2 AND 2 * count(*) FILTER (down) >= count(*)
)
SELECT a.request_id
FROM attempts a
JOIN shared s ON s.run_id IS NOT DISTINCT FROM a.run_id AND s.slot = a.slot
WHERE a.failed;
