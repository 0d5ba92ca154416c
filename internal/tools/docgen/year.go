package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"time"
)

// writeYear writes what docs/proxy-year.md is made of: log.jsonl, a year of a
// gateway's log in the form that examples/mappings/own-log.yaml reads, and
// prices.json. The log is simulated, and the same each time. Planted are an outage
// of ember on 14 March, from 06:00 to 18:00; another model behind the same name at
// lumen from 1 July, which writes half as much again and faster; and a price of
// aurora that rises from 0.80 to 1.20 dollars for a million output tokens on 1
// October.
func writeYear(dir string) error {
	const prices = `[
 {"id": "aurora", "name": "Aurora", "api_pattern": "^aurora$", "models": [{"id": "heron-70b", "match": {"equals": "heron-70b"}, "prices": [
  {"prices": {"input_mtok": 0.5, "output_mtok": 0.8}},
  {"constraint": {"start_date": "2025-10-01"}, "prices": {"input_mtok": 0.5, "output_mtok": 1.2}}]}]},
 {"id": "ember", "name": "Ember", "api_pattern": "^ember$", "models": [{"id": "heron-70b", "match": {"equals": "heron-70b"}, "prices": {"input_mtok": 0.6, "output_mtok": 0.9}}]},
 {"id": "lumen", "name": "Lumen", "api_pattern": "^lumen$", "models": [{"id": "heron-70b", "match": {"equals": "heron-70b"}, "prices": {"input_mtok": 0.4, "output_mtok": 0.7}}]}
]
`
	if err := os.WriteFile(filepath.Join(dir, "prices.json"), []byte(prices), 0o644); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, "log.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	lines := json.NewEncoder(w)
	r := rand.New(rand.NewPCG(2025, 1))
	spread := func(sd float64) float64 { return math.Exp(sd * r.NormFloat64()) }
	begin := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	outage, changed := time.Date(2025, 3, 14, 6, 0, 0, 0, time.UTC), time.Date(2025, 7, 1, 0, 0, 0, 0, time.UTC)
	for hour := begin; hour.Year() == 2025; hour = hour.Add(4 * time.Hour) {
		busy := 1 + 0.3*math.Max(0, math.Sin(float64(hour.Hour()-8)*math.Pi/12)) // the working day of one place
		for i, p := range []struct {
			name         string
			first, token float64 // ms
		}{{"aurora", 320, 14}, {"ember", 260, 18}, {"lumen", 410, 11}} {
			at := hour.Add(time.Duration(i*97+r.IntN(90)) * time.Second)
			line := map[string]any{"at": at.Format("2006-01-02T15:04:05.000Z"), "route": p.name + "/heron-70b"}
			prompt, tokens := 200+r.IntN(400), math.Round(180*spread(0.3))
			first, token := p.first*busy*spread(0.25), p.token*busy*spread(0.08)
			if p.name == "lumen" && !at.Before(changed) {
				tokens, token = math.Round(tokens*1.5), token*0.8
			}
			switch down := p.name == "ember" && !at.Before(outage) && at.Before(outage.Add(12*time.Hour)); {
			case down:
				line["status"], line["error"] = 503, "service unavailable"
			case r.Float64() < 0.004:
				line["status"], line["error"] = 429, "slow down"
			default:
				line["first_token_ms"] = math.Round(first)
				line["total_ms"] = math.Round(first + token*(tokens-1))
				line["usage"] = map[string]any{"prompt": prompt, "completion": tokens}
				line["finish"] = "stop"
			}
			if err := lines.Encode(line); err != nil {
				return err
			}
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// question is one of the page: what is asked, in SQL, and what to say of the answer.
type question struct{ asks, sql, says string }

// yearQuestions are answered by docs/proxy-year.md.
var yearQuestions = []question{
	{"What did we send, and what did it cost?",
		"SELECT provider, count(*) AS requests, count(*) FILTER (answered) AS answered, sum(output_tokens)::BIGINT AS output_tokens, round(sum(cost_usd), 2) AS usd FROM results GROUP BY provider ORDER BY provider", ""},
	{"Who begins to answer first?",
		"SELECT provider, n, round(p50) AS p50, round(p50_lo) AS lo, round(p50_hi) AS hi, round(p95) AS p95 FROM latency WHERE metric = 'ttft_ms' ORDER BY p50",
		"Milliseconds; lo and hi are the ends of the median's interval."},
	{"Is that order more than chance?",
		"SELECT provider_a AS a, provider_b AS b, round(ratio, 2) AS ratio, round(ratio_lo, 2) AS lo, round(ratio_hi, 2) AS hi, verdict, why_not, settled_by FROM pairs WHERE metric = 'ttft_ms' ORDER BY a, b",
		"The intervals are narrow, and yet nothing is decided: each provider got requests of its own, and those of one length hardly meet within an hour. What would settle it stands beside it."},
	{"Who answers how reliably?",
		"SELECT provider, attempts, answered, round(100 * share, 2) AS percent, round(100 * share_lo, 2) AS lo, round(100 * share_hi, 2) AS hi, rate_limited, outages FROM availability ORDER BY provider", ""},
	{"When was nothing to be had, and for how long?",
		"SELECT provider, failures, first_at, last_at, round(max_ms / 3600000, 1) AS hours_at_most, outcomes FROM outages WHERE failures > 1 ORDER BY failures DESC, first_at LIMIT 3",
		"The outage of ember on 14 March. It lasted at most from the answer before it to the answer after it."},
	{"How did requests fail?",
		"SELECT provider, outcome, n, http_status, example FROM errors WHERE NOT answered ORDER BY n DESC, provider", ""},
	{"What changed from one month to the next?",
		"SELECT provider, metric, before, after, round(ratio, 2) AS ratio, round(ratio_lo, 2) AS lo, round(ratio_hi, 2) AS hi FROM drift WHERE span = 'period' AND verdict = 'supported' AND metric IN ('ttft_ms', 'e2e_ms', 'tokens_per_s', 'tpot_ms') ORDER BY provider, metric, before",
		"lumen serves something else from July on, under the same name: faster by token, longer in all, since it writes more."},
	{"How long are the answers?",
		"SELECT provider, round(median(output_tokens) FILTER (started_at < '2025-07-01')) AS before_july, round(median(output_tokens) FILTER (started_at >= '2025-07-01')) AS since FROM results WHERE answered GROUP BY provider ORDER BY provider",
		"The other trace of the same change, and the reason why lumen costs more though its price did not move."},
	{"What did the new price cost?",
		"SELECT provider, quarter(started_at) AS quarter, round(sum(cost_usd), 3) AS usd, round(1e6 * sum(output_cost_usd) / sum(output_tokens), 2) AS usd_a_million_out FROM results WHERE answered GROUP BY ALL ORDER BY provider, quarter",
		"aurora's price of output rose on 1 October. Each request is priced at its own time."},
	{"When in the day is it slow?",
		"SELECT hour(started_at) AS hour_utc, round(median(ttft_ms) FILTER (provider = 'aurora')) AS aurora, round(median(ttft_ms) FILTER (provider = 'ember')) AS ember, round(median(ttft_ms) FILTER (provider = 'lumen')) AS lumen FROM results WHERE answered GROUP BY ALL ORDER BY hour_utc",
		"Median first token in ms."},
}

const yearIntro = `# A year of a gateway's log

What a log with one line a request tells after a year: three providers of one model, asked every four hours, an outage, another model behind the same name, and a new price. The log is simulated; a test makes this page from it with the commands that stand here, so that what is planted is what is found.

%[1]s
go run ./internal/tools/docgen --year log
record import table --map examples/mappings/own-log.yaml log/log.jsonl --to traces
analyze build traces --prices log/prices.json --period month
%[1]s

The mapping is [examples/mappings/own-log.yaml](../examples/mappings/own-log.yaml), to be fitted to your own lines ([importing](importing.md)). A log holds no frames: stalls, gaps and texts are NULL, and what the log states stands where a recording would have measured.
`

// questionsPage is a page of questions with their answers.
func questionsPage(intro string, questions []question, answers []string) string {
	text := fmt.Sprintf(intro, "```")
	for i, q := range questions {
		text += fmt.Sprintf("\n## %d. %s\n\n```\nanalyze sql traces \"%s\"\n```\n\n%s", i+1, q.asks, q.sql, answers[i])
		if q.says != "" {
			text += "\n" + q.says + "\n"
		}
	}
	return text
}
