-- title: How waiting changes over the hours of the day
-- sub: Median time to first token by hour of day (UTC), over all days: the slowest and the fastest hour of each provider.
-- empty: The recording spans less than two hours of the day.
SELECT model AS "Model", provider AS "Provider", count(DISTINCT hour_of_day) AS "Hours [n]",
       min_by(hour_of_day, p50) AS "Fastest hour [n]", min(p50) AS "Typical then [ms]",
       max_by(hour_of_day, p50) AS "Slowest hour [n]", max(p50) AS "Typical then, slowest [ms]", max(p50) / nullif(min(p50), 0) AS "Ratio [ratio]"
FROM (
    SELECT model, provider, extract(hour FROM hour)::BIGINT AS hour_of_day, median(p50) AS p50
    FROM timeline
    WHERE metric = 'ttft_net_ms' AND p50 IS NOT NULL
    GROUP BY ALL
)
GROUP BY model, provider
HAVING count(DISTINCT hour_of_day) > 1
ORDER BY model, "Ratio [ratio]" DESC, provider
