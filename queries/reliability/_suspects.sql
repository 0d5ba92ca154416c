-- _suspects: one row per failed request that the client's own line may explain
-- needs: results
-- key: request_id
--
-- Failures that half of the providers share within a minute say more of the
-- line than of them. Time is cut into slots of 20 seconds. A provider is down in
-- a slot in which half of its attempts or more fail; the line is suspected where
-- half of the providers, two at least, are down, and half of all attempts fail,
-- in one slot or in the five around it: answers in between show that the line was
-- up. Refusals (rate limits, rejected requests) are left out:
-- whoever refuses was reached.
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
    SELECT run_id, provider, slot, count(*) AS n, count(*) FILTER (failed) AS f
    FROM attempts
    GROUP BY ALL
),
around AS (
    SELECT
        run_id, provider, slot + beside AS slot,
        bool_or(2 * f >= n) AS down,
        bool_or(2 * f >= n) FILTER (beside = 0) AS down_now,
        sum(n)::BIGINT AS n, sum(f)::BIGINT AS f,
        sum(n) FILTER (beside = 0)::BIGINT AS n_now, sum(f) FILTER (beside = 0)::BIGINT AS f_now
    FROM slots, range(-2, 3) AS near(beside)
    GROUP BY ALL
),
shared AS (
    SELECT run_id, slot
    FROM around
    GROUP BY ALL
    HAVING count(*) FILTER (down_now) >= 2 AND 2 * count(*) FILTER (down_now) >= count(down_now) AND 2 * sum(f_now) >= sum(n_now)
        OR count(*) FILTER (down) >= 2 AND 2 * count(*) FILTER (down) >= count(*) AND 2 * sum(f) >= sum(n)
)
SELECT a.request_id
FROM attempts a
JOIN shared s ON s.run_id IS NOT DISTINCT FROM a.run_id AND s.slot = a.slot
WHERE a.failed;
