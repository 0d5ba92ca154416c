-- title: Whether answers are whole and pass their checks
-- sub: Shares of answered requests. Cut short: it says that it is whole, and ends inside a sentence.
-- empty: Nothing was answered.
SELECT model AS "Model", provider AS "Provider", scenario AS "Scenario", answered AS "Answered [n]", truncated_share AS "Ended by length [share]", starved_share AS "Only thought [share]", empty_share AS "Empty [share]",
       filtered_share AS "Filtered [share]", cut_short_share AS "Cut short [share]", checked AS "Checked [n]", pass_share AS "Passed [share]", pass_share_lo AS "[lo]", pass_share_hi AS "[hi]",
       worst_check AS "Check that failed most", warning AS "Note"
FROM fidelity
ORDER BY model, scenario, provider, concurrency, vantage, params
