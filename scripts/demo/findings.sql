-- Three sentences on any dataset: the greatest change of order between two
-- models, where thinking left no answer, and which answers fail most often.
WITH flip AS (
  SELECT format('the first token of {} comes {:.1f}× faster than that of {} on {}, and {:.1f}× slower on {}{}',
      leader_1, ratio_1, leader_2, model_1, ratio_2, model_2,
      CASE verdict WHEN 'supported' THEN '' ELSE ' (a tendency)' END) AS finding
  FROM flips
  WHERE axis = 'model' AND metric = 'ttft_net_ms'
  ORDER BY verdict = 'supported' DESC, concurrency_1, least(ratio_1, ratio_2) DESC, provider_a, provider_b, at_1, at_2, scenario_1
  LIMIT 1
), starved AS (
  SELECT format('{} at {} thinks its budget away: {} of {} requests gave thinking and no answer, billed all the same',
      model, provider, sum(starved), sum(requests)) AS finding
  FROM thinking
  GROUP BY provider, model
  HAVING sum(starved) > 0
  ORDER BY sum(starved) / sum(requests) DESC, model, provider
  LIMIT 1
), failing AS (
  SELECT format('{} at {} answers {:.0f} of 100 requests; {} of {} failures are rate limits',
      model, provider, 100 * sum(answered) / sum(attempts), sum(rate_limited), sum(attempts) - sum(answered)) AS finding
  FROM availability
  WHERE attempts > 0
  GROUP BY provider, model
  HAVING sum(answered) < sum(attempts)
  ORDER BY sum(answered) / sum(attempts), model, provider
  LIMIT 1
)
SELECT finding FROM flip UNION ALL SELECT finding FROM starved UNION ALL SELECT finding FROM failing
