package imports

import "slices"

// Lack is something that a source does not state, and what that leaves empty.
type Lack struct {
	What    string   // in words
	Columns []string // none of them is filled
	Empties string   // views and columns that have nothing to say of such rows
}

// lacks are asked of every format with one record a request.
var lacks = []Lack{
	{"when a request started", []string{"started_at_ns"}, "`timeline`, `outages`, `availability_hours`, `changes` and every comparison by the hour; prices are undated"},
	{"who served", []string{"provider", "host"}, "comparisons between providers, unless `--provider` names each"},
	{"the first token", []string{"reported_ttft_ns"}, "`ttft_ms` in `latency`, `tails`, `ranks`, `flips`"},
	{"the end", []string{"end_ns"}, "`e2e_ms`, `output_per_e2e`"},
	{"the last token, or a speed", []string{"reported_last_token_ns", "reported_tokens_per_s"}, "`tokens_per_s`, `tpot_ms`, `throughput`"},
	{"gaps between tokens", []string{"reported_gaps_ns"}, "`gap_p50_ms`, `gap_p99_ms`, `max_stall_ms`, and the tools' ITL in `definitions`"},
	{"input tokens", []string{"reported_input_tokens"}, "`costs`, prefill"},
	{"output tokens", []string{"reported_output_tokens"}, "`costs`, `throughput`"},
	{"thinking tokens", []string{"reported_reasoning_tokens"}, "`thinking`"},
	{"why an answer ended", []string{"reported_finish_reason"}, "`fidelity`: truncated, filtered and starved answers count as ok"},
	{"the text of an answer", []string{"reported_text"}, "checks, `agreement`, `answers`"},
	{"the prompt", []string{"request_body", "prompt_hash"}, "comparisons of answers to one prompt; `conformance`"},
	{"HTTP statuses", []string{"http_status"}, "`errors`: failures are `reported_error`, not told by kind"},
	{"a cost", []string{"reported_cost_usd"}, "`reported_cost_usd`"},
	{"set-up of connections", []string{"dns_ns", "connect_ns", "tls_ns"}, "`setup_ms`, and with it `ttft_net_ms`"},
}

// Lacks lists what a preset's source does not state.
func Lacks(name string) ([]Lack, error) {
	m, err := Preset(name)
	if err != nil {
		return nil, err
	}
	var out []Lack
	for _, l := range lacks {
		if !slices.ContainsFunc(l.Columns, func(c string) bool { return m.Fields[c] != nil }) {
			out = append(out, l)
		}
	}
	return out, nil
}
