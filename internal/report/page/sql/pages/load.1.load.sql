-- title: What more streams at a time change
-- sub: Speed of all streams and of one, slow first tokens and failures, by the number of streams. A cliff is a step that holds over windows.
-- empty: Every cell was asked one request at a time.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", concurrency AS "At a time [n]", n AS "n [n]", aggregate_tokens_per_s AS "All, tokens/s [num]",
       stream_tokens_per_s AS "One, tokens/s [num]", ttft_net_p95_ms AS "Slow first token [ms]", failed_share AS "Failed [share]", good_share AS "Within the limits [share]", goodput_per_s AS "Goodput/s [num]",
       against AS "Against [n]", aggregate_ratio AS "All, against that [ratio]", cliff AS "Cliff", warning AS "Note"
FROM load
ORDER BY model, provider, scenario, concurrency, vantage, params
