package inference

import (
	"context"
	"fmt"

	"aircheck/internal/analyze/stats"
)

// Pair is one comparison of two providers in a contest, outside the tables: for
// those who ask what else would have come out.
type Pair struct {
	Contest int64  // its number
	Where   string // in words: "gpt-oss-120b, chat, 8 streams, from nyc1"
	Model   string
	A, B    string
	Leader  string   // "" where neither
	Ratio   *float64 // A ÷ B
	Decided bool
	Few     bool // windows or values are too few to ask
}

// Judge compares all pairs of a metric over windows in the order of [WindowsOf],
// as _comparisons does for the whole recording.
func Judge(ctx context.Context, m *Metric, windows []CellWindow, workers int) ([]Pair, error) {
	c := newCompared(windows, nil)
	comparisons, _, _, err := c.comparisons(ctx, m, windows, workers)
	if err != nil {
		return nil, err
	}
	out := make([]Pair, len(comparisons))
	for i := range comparisons {
		s := &comparisons[i]
		key := &c.contests[s.contest]
		out[i] = Pair{Contest: key.ContestID, Where: key.where(), Model: key.Model, A: c.providers[s.a], B: c.providers[s.b], Ratio: s.ratio.pointer(), Decided: s.decided,
			Few: s.why == stats.WhyWindows || s.why == stats.WhyValues}
		switch s.better {
		case 1:
			out[i].Leader = out[i].A
		case -1:
			out[i].Leader = out[i].B
		}
	}
	return out, nil
}

// where names a contest.
func (k *contestKey) where() string {
	text := k.Model + ", " + k.Scenario
	if k.Concurrency.Valid && k.Concurrency.Int32 != 1 {
		text += fmt.Sprintf(", %d streams", k.Concurrency.Int32)
	}
	if k.Vantage.Valid {
		text += ", from " + k.Vantage.String
	}
	return text
}
