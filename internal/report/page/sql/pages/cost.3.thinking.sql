-- title: What thinking takes
-- sub: Share of output tokens, of cost and, where it can be seen, of time. Starved: it thought, and answered nothing.
-- empty: No model thought.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", thought AS "Thought [n]", output_share AS "Of output [share]", cost_share AS "Of cost [share]", time_share AS "Of time [share]",
       billed_to_visible AS "Billed against shown [ratio]", starved AS "Starved [n]", starved_share AS "Share starved [share]", starved_share_lo AS "[lo]", starved_share_hi AS "[hi]",
       off AS "Told not to think [n]", off_ignored AS "Thought all the same [n]", warning AS "Note"
FROM thinking
WHERE thought > 0 OR off > 0
ORDER BY model, scenario, output_share DESC NULLS LAST, provider, concurrency, vantage, params
