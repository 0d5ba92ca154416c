-- What happened when: changes of what is served, and outages of a minute or more.
SELECT model, provider, what, epoch(changed_at)::DOUBLE AS at, NULL::DOUBLE AS until
FROM changes
WHERE changed_at IS NOT NULL AND (verdict = 'supported' OR what IN ('price', 'served_model'))
UNION ALL
SELECT model, provider, 'outage', epoch(first_at)::DOUBLE, epoch(last_at)::DOUBLE
FROM outages
WHERE first_at IS NOT NULL AND min_ms >= 60000
ORDER BY ALL
