package service

import (
	"math"
	"time"
)

// Streams of the closed loops.
var streams = []int{1, 2, 4, 8}

const (
	outputTokens = 60
	tokenMs      = 10. // between tokens, at rest
)

// loops keep so many streams open in each window: the next request of a stream
// starts when its last is over.
func (w *world) loops() {
	for _, provider := range providers {
		for window := range windows {
			level := w.level()
			for _, n := range streams {
				w.loop(provider, window, n, level)
			}
		}
	}
}

func (w *world) loop(provider string, window, n int, level float64) {
	slow := level * slowdown(provider, n)
	ends := make([]float64, n) // of each stream, ms
	for trial := range max(6, n) {
		s := 0
		for i := range ends {
			if ends[i] < ends[s] {
				s = i
			}
		}
		r := w.row(provider, "loop", window, time.Duration(n)*5*time.Minute+time.Duration(ends[s]*1e6))
		r.Concurrency, r.Trial, r.Workload = int32(n), int32(trial), text("judged")
		if provider == Planted && n > cliffAt && w.r.Float64() < refused {
			r.failed("rate_limited", 20)
		} else {
			gap := tokenMs * slow * math.Exp(0.05*w.r.NormFloat64())
			first := firstMs * slow * w.noise()
			r.answered(first, first+gap*(outputTokens-1))
			r.Speed, r.OutputTokens, r.VisibleTokens, r.TokenSource = new(1000/gap), new(int64(outputTokens)), new(int64(outputTokens)), text("usage")
		}
		ends[s] += r.TookMs
		w.add(r, nil)
	}
}

// slowdown is the truth: what n streams do to each other.
func slowdown(provider string, n int) float64 {
	f := 1 + perStream*float64(n-1)
	if provider == Planted && n > cliffAt {
		f *= cliffTimes
	}
	return f
}

// limits put the true median and p90 of first tokens at one stream well within
// a limit, well beyond it, and exactly on it: places 1 to 3 and 4 to 6.
func limits() []limit {
	var out []limit
	for _, s := range []struct {
		statistic string
		p, well   float64 // well within: 72 values leave a p90 in more doubt
	}{{"p50", 0.5, 1.5}, {"p90", 0.9, 2}} {
		for _, at := range []float64{s.well, 1 / s.well, 1} {
			out = append(out, limit{Workload: "judged", Kind: "decides", Place: int32(len(out) + 1),
				Metric: "ttft_net_ms", Statistic: &s.statistic, AtMost: new(at * quantile(s.p))})
		}
	}
	return append(out, limit{Workload: "judged", Kind: "each", Place: 1, Metric: "ttft_net_ms", AtMost: new(4 * firstMs)})
}
