package main

// docs/llmperf.md: what the LLMPerf leaderboard published.
const llmperfIntro = `# The LLMPerf leaderboard, read anew

ray-project/llmperf-leaderboard published the requests that its table was made of: Llama 2 on seven hosts, some 150 requests of 550 input tokens for each host and model (Apache-2.0). This page is made from these files, and a test keeps it so.

%[1]s
record import llmperf raw_data/individual/*.json --to traces
analyze build traces
%[1]s

The files state a first token, an end and token counts. They hold no starts and no frames, so there are no hours and no gaps ([formats](formats.md)).
`

var llmperfQuestions = []question{
	{"How complete are they?",
		"SELECT model, provider, count(*) AS requests, count(*) FILTER (answered) AS answered, count(ttft_ms) AS with_first_token, median(output_tokens)::INTEGER AS output_tokens FROM results GROUP BY ALL ORDER BY model, provider",
		"A request that failed has no first token and no tokens: medians are over those that were answered, which are few at lepton and at bedrock."},
	{"How did the others end?",
		"SELECT model, provider, outcome, n, left(example, 60) AS example FROM errors WHERE NOT answered ORDER BY n DESC, model, provider",
		"Most were refused by a rate limit. Those of bedrock were failed by the tool itself, which wanted answers of some length."},
	{"Who begins to answer first?",
		"SELECT model, provider, n, round(p50) AS p50, round(p50_lo) AS lo, round(p50_hi) AS hi, round(p95) AS p95 FROM latency WHERE metric = 'ttft_ms' ORDER BY model, p50",
		"Milliseconds, with the interval of the median."},
	{"Who writes fastest?",
		"SELECT model, provider, round(median(tokens_per_s), 1) AS tokens_per_s, round(median(output_per_e2e), 1) AS output_per_e2e FROM results WHERE answered GROUP BY ALL ORDER BY model, output_per_e2e DESC",
		"tokens_per_s leaves the wait for the first token out, output_per_e2e has it in. They order the hosts differently, most of all where the first token is late."},
	{"Is that order more than chance?",
		"SELECT model, count(*) AS pairs, count(*) FILTER (verdict = 'supported') AS supported, string_agg(DISTINCT why_not, ', ' ORDER BY why_not) AS why_not FROM pairs WHERE metric = 'ttft_ms' GROUP BY model ORDER BY model",
		"Nothing is decided: each host was measured in one go, which is one window, however many requests it holds. Another day may have had another order, and the files cannot tell."},
}
