// Package words states findings in words, once for the closing screen, the
// report and the comparisons. A sentence says what the numbers say and no more:
// a tie is called a tie, a tendency a tendency. Sentences begin as they stand in
// running text and have no full stop.
package words

import (
	"fmt"
	"math"
	"strings"

	"aircheck/internal/kit/human"
)

// Words are those of a metric.
type Words struct {
	Name   string // of the quantity, as a heading
	Does   string // what a good provider does first: "starts"
	Do     string // the same, of several
	Within string // what happens within a time: "first tokens arrive"; "" where the metric is no time
	Better string // of the leader: "faster"
	Worse  string // of the other
}

var words = map[string]Words{
	"ttft_net_ms":         {"Time to first token", "starts", "start", "first tokens arrive", "faster", "slower"},
	"ttft_ms":             {"Time to first token", "starts", "start", "first tokens arrive", "faster", "slower"},
	"ttfat_ms":            {"Time to first token of the answer", "answers", "answer", "answers begin", "faster", "slower"},
	"first_byte_ms":       {"Time to first byte", "responds", "respond", "responses begin", "faster", "slower"},
	"ttft_net_p95_ms":     {"Slow first tokens (p95)", "starts its slowest answers", "start their slowest answers", "", "faster", "slower"},
	"e2e_ms":              {"Time to the whole answer", "finishes", "finish", "answers are complete", "faster", "slower"},
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

// Metric is a row of the view metrics.
type Metric struct {
	Name, Unit             string
	Higher                 bool
	MarginRatio, MarginAbs *float64
}

// within says by which margin two values are too near to be told apart, however
// sure they are: "less than 50 ms apart"; "" where they lie further apart.
func (m Metric) within(a, b float64) string {
	switch {
	case m.MarginAbs != nil && math.Abs(a-b) < *m.MarginAbs && share(m.Name):
		return fmt.Sprintf("less than %s apart", Count(int64(math.Round(100**m.MarginAbs)), "point"))
	case m.MarginAbs != nil && math.Abs(a-b) < *m.MarginAbs:
		return "less than " + Value(*m.MarginAbs, m.Unit) + " apart"
	case m.MarginRatio != nil && max(a, b) < (1+*m.MarginRatio)*min(a, b):
		return fmt.Sprintf("less than %.3g%% apart", 100**m.MarginRatio)
	}
	return ""
}

// Margin says what two values must differ by at least: "10% and 50 ms", "" for a
// metric without a margin.
func (m Metric) Margin() string {
	var parts []string
	if m.MarginRatio != nil {
		parts = append(parts, fmt.Sprintf("%.3g%%", 100**m.MarginRatio))
	}
	if m.MarginAbs != nil {
		parts = append(parts, Value(*m.MarginAbs, m.Unit))
	}
	return strings.Join(parts, " and ")
}

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

// Capital begins a sentence. A name that begins it keeps its own first letter,
// so only the openings that this package writes itself are raised.
func Capital(s string) string {
	for _, opening := range []string{"no ", "half ", "both ", "whether ", "the ", "a tendency"} {
		if strings.HasPrefix(s, opening) {
			return strings.ToUpper(s[:1]) + s[1:]
		}
	}
	return s
}

// Count writes "1 window", "12 windows".
func Count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return human.Count(n) + " " + noun + "s"
}
