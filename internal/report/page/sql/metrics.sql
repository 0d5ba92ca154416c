-- The metrics: units, the margins under which two providers are not told apart,
-- and the words that sentences are made of.
SELECT metric, unit, better = 'higher' AS higher, margin_ratio, margin_abs,
       heading, verb, verb_plural, coalesce(event, '') AS event, superlative, comparative, opposite
FROM metrics
ORDER BY place
