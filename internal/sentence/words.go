// Package sentence states findings in words, once for the closing screen, the
// report and the comparisons. A sentence says what the numbers say and no more:
// a tie is called a tie, a tendency a tendency. Sentences begin as they stand in
// running text and have no full stop.
package sentence

import (
	"strings"

	"aircheck/internal/human"
)

// Words are those of a metric.
type Words struct {
	Name   string // of the quantity, as a heading
	Does   string // what a good provider does first: "starts"
	Do     string // the same, of several
	Within string // what happens within a time: "begin"; "" where the metric is no time
	Better string // of the leader: "faster"
	Worse  string // of the other
}

var words = map[string]Words{
	"ttft_net_ms":         {"Time to first token", "starts", "start", "begin", "faster", "slower"},
	"ttft_ms":             {"Time to first token", "starts", "start", "begin", "faster", "slower"},
	"ttfat_ms":            {"Time to first token of the answer", "answers", "answer", "reach their answer", "faster", "slower"},
	"first_byte_ms":       {"Time to first byte", "responds", "respond", "begin to arrive", "faster", "slower"},
	"ttft_net_p95_ms":     {"Slow first tokens (p95)", "starts its slowest answers", "start their slowest answers", "", "faster", "slower"},
	"e2e_ms":              {"Time to the whole answer", "finishes", "finish", "are complete", "faster", "slower"},
	"e2e_p95_ms":          {"Slow answers (p95)", "finishes its slowest answers", "finish their slowest answers", "", "faster", "slower"},
	"tokens_per_s":        {"Output speed", "streams", "stream", "", "faster", "slower"},
	"chars_per_s":         {"Output speed in characters", "streams", "stream", "", "faster", "slower"},
	"tpot_ms":             {"Time per output token", "streams", "stream", "", "faster", "slower"},
	"output_per_e2e":      {"Output over the whole request", "delivers", "deliver", "", "faster", "slower"},
	"max_stall_ms":        {"Longest pause", "pauses", "pause", "", "shorter", "longer"},
	"gap_p99_ms":          {"Long pauses", "pauses", "pause", "", "shorter", "longer"},
	"answered_share":      {"Share answered", "answers", "answer", "", "more often", "less often"},
	"useful_share":        {"Share with a useful result", "is useful", "are useful", "", "more often", "less often"},
	"cost_per_useful_usd": {"Cost per useful result", "costs", "cost", "", "less", "more"},
	"thinking_ms":         {"Time spent thinking", "thinks", "think", "", "shorter", "longer"},
	"setup_ms":            {"Connection set-up", "connects", "connect", "", "faster", "slower"},
}

// Of are the words of a metric; one without its own gets plain ones.
func Of(metric string) Words {
	if w, ok := words[metric]; ok {
		return w
	}
	return Words{metric, "is", "be", "", "better by " + metric, "worse"}
}

// share reports whether a metric is a share: percentages are told, not times.
func share(metric string) bool { return strings.HasSuffix(metric, "_share") }

// Value writes a value in its unit, as the registry names it.
func Value(v float64, unit string) string {
	switch unit {
	case "ms":
		return human.Millis(v)
	case "USD":
		return human.USD(v)
	case "share":
		return human.Share(v)
	}
	return human.Number(v) + " " + unit
}

// List writes "A", "A and B", "A, B and C".
func List(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	return strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// Count writes "1 window", "12 windows".
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return human.Count(n) + " " + noun + "s"
}
