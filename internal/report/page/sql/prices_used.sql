-- Which prices a provider's costs rest on.
SELECT DISTINCT provider, model, prices, price_source, strftime(price_table_of, '%Y-%m-%d') AS table_of, price_coverage, price_notes AS notes
FROM costs
WHERE price_source IS NOT NULL
ORDER BY ALL
