-- The share of requests still waiting after a time (milliseconds): one row per
-- provider of a contest, time metric and share. The quantiles are type 7, and
-- end where fewer than five requests remain.
WITH times AS (
  SELECT model, scenario, concurrency, vantage, provider, params,
         unnest([{metric: 'ttft_net_ms', ms: ttft_net_ms},
                 {metric: 'ttft_ms', ms: ttft_ms},
                 {metric: 'e2e_ms', ms: CASE WHEN complete THEN e2e_ms END}], recursive := true)
  FROM results
  WHERE measured
), cells AS (
  SELECT model, scenario, concurrency, vantage, provider, params, metric, count(ms) AS n,
         quantile_cont(ms, [0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75,
           0.8, 0.83, 0.86, 0.88, 0.9, 0.915, 0.93, 0.94, 0.95, 0.958, 0.965, 0.97, 0.975, 0.98, 0.983, 0.986, 0.988,
           0.99, 0.9915, 0.993, 0.994, 0.995, 0.996, 0.997, 0.9975, 0.998, 0.9985, 0.999]) AS waited
  FROM times
  GROUP BY ALL
), points AS (
  SELECT * EXCLUDE (waited), unnest(waited) AS ms,
         unnest([1, 0.98, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5, 0.45, 0.4, 0.35, 0.3, 0.25,
           0.2, 0.17, 0.14, 0.12, 0.1, 0.085, 0.07, 0.06, 0.05, 0.042, 0.035, 0.03, 0.025, 0.02, 0.017, 0.014, 0.012,
           0.01, 0.0085, 0.007, 0.006, 0.005, 0.004, 0.003, 0.0025, 0.002, 0.0015, 0.001])::DOUBLE AS share
  FROM cells
)
SELECT model, scenario, concurrency, vantage, provider, params, metric, n, share, ms
FROM points
WHERE n * share >= 5
ORDER BY ALL
