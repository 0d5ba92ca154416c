package inference

import (
	"context"

	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/duck"
)

// entrant is a provider in a contest.
type entrant struct {
	contest  int64
	provider string
}

// withheldOf reads who is not compared by a metric, and why.
func withheldOf(ctx context.Context, e duck.Execer, metric string) (map[entrant]stats.Why, error) {
	rows, err := e.QueryContext(ctx, "SELECT contest_id, provider, why FROM _withheld WHERE metric = $1", metric)
	if err != nil {
		return nil, duck.Wrap("_withheld", err)
	}
	defer rows.Close()
	out := map[entrant]stats.Why{}
	for rows.Next() {
		var k entrant
		var why string
		if err := rows.Scan(&k.contest, &k.provider, &why); err != nil {
			return nil, err
		}
		out[k] = stats.Why(why)
	}
	return out, rows.Err()
}

// without are the windows of all others.
func without(held map[entrant]stats.Why, windows []CellWindow) []CellWindow {
	if len(held) == 0 {
		return windows
	}
	var kept []CellWindow
	for i := range windows {
		if _, ok := held[entrant{windows[i].ContestID, windows[i].Provider}]; !ok {
			kept = append(kept, windows[i])
		}
	}
	return kept
}

// withheld are the sides that are not compared: what is known of both, and why
// it is not set against each other.
func (c *compared) withheld(m *Metric, windows []CellWindow, held map[entrant]stats.Why) (out []comparison) {
	if len(held) == 0 {
		return nil
	}
	for _, contest := range Chunked(windows, func(w *CellWindow) contestKey { return w.contestKey }) {
		providers := Chunked(contest, func(w *CellWindow) string { return w.Provider })
		place := int32(-1)
		for b := range providers {
			for a := range b {
				why := held[entrant{contest[0].ContestID, providers[a][0].Provider}]
				if other := held[entrant{contest[0].ContestID, providers[b][0].Provider}]; why == "" || other == stats.WhyUnstated {
					why = other
				}
				if why == "" {
					continue
				}
				if place < 0 {
					place = int32(len(c.contests))
					c.contests = append(c.contests, contest[0].contestKey)
				}
				x, y := NewSample(m, providers[a]), NewSample(m, providers[b])
				out = append(out, comparison{contest: place, a: c.number[providers[a][0].Provider], b: c.number[providers[b][0].Provider],
					nA: int32(x.N), nB: int32(y.N), windows: int32(commonWindows(providers[a], providers[b])),
					evidence: stats.EvidenceNone, why: why, levelA: perhaps(x.level()), levelB: perhaps(y.level())})
			}
		}
	}
	return out
}

func commonWindows(a, b []CellWindow) (n int) {
	in := map[string]bool{}
	for i := range a {
		in[a[i].ID] = true
	}
	for i := range b {
		if in[b[i].ID] {
			n++
			delete(in, b[i].ID)
		}
	}
	return n
}
