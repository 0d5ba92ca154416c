package inference

import (
	"context"
	"sync"

	"aircheck/internal/analyze/stats"
)

// side is one comparison: providers a and b of a contest, for one metric. It
// holds no pointers, since there may be millions.
type side struct {
	contest, a, b     int32 // their places in the compared lists
	period            int32 // its place in the periods, from 1; 0 for the whole
	windows, nA, nB   int32
	better            int8 // 1: a, −1: b, 0: neither
	decidable         bool // beyond the margin, by the evidence of windows
	evidence          stats.Evidence
	levelA, levelB    maybe
	ratio, lo, hi, pv maybe
}

// maybe is a number that may be missing.
type maybe struct {
	v  float64
	ok bool
}

func perhaps(v *float64) maybe {
	if v == nil {
		return maybe{}
	}
	return maybe{*v, true}
}

// value is for an appender.
func (m maybe) value() any {
	if !m.ok {
		return nil
	}
	return m.v
}

func (m *maybe) pointer() *float64 {
	if !m.ok {
		return nil
	}
	return &m.v
}

func newSide(m *Metric, s stats.Side) side {
	return side{
		windows: int32(s.Windows), nA: int32(s.NA), nB: int32(s.NB), better: int8(m.Better(s)), evidence: s.Evidence,
		decidable: s.Decided(new(0.0), FalseDiscovery, m.Margin),
		levelA:    perhaps(s.LevelA), levelB: perhaps(s.LevelB), ratio: perhaps(s.Ratio), lo: perhaps(s.Lo), hi: perhaps(s.Hi), pv: perhaps(s.P),
	}
}

// compared is what the sides of one metric refer to.
type compared struct {
	contests  []contestKey
	providers []string
	periods   []string
}

// sides compares within each contest, over all windows and within each period.
// Contests are shared out among workers; their sides keep the contests' order.
func (c *compared) sides(ctx context.Context, m *Metric, windows []CellWindow, workers int) (whole, parts []side, err error) {
	contests := Chunked(windows, func(w *CellWindow) contestKey { return w.contestKey })
	number := map[string]int32{}
	for _, w := range contests {
		c.contests = append(c.contests, w[0].contestKey)
		for i := range w {
			if _, ok := number[w[i].Provider]; !ok {
				number[w[i].Provider] = int32(len(c.providers))
				c.providers = append(c.providers, w[i].Provider)
			}
		}
	}
	both := make([][2][]side, len(contests))
	err = shareOut(ctx, len(contests), workers, func(i int) {
		both[i][0] = contestSides(m, contests[i], number)
		for j, period := range c.periods {
			part := contestSides(m, within(contests[i], period), number)
			for k := range part {
				part[k].period = int32(j + 1)
			}
			both[i][1] = append(both[i][1], part...)
		}
		for _, list := range both[i] {
			for k := range list {
				list[k].contest = int32(i)
			}
		}
	})
	if err != nil {
		return nil, nil, err
	}
	for _, b := range both {
		whole, parts = append(whole, b[0]...), append(parts, b[1]...)
	}
	return whole, parts, nil
}

// shareOut calls do with 0 to n−1, by so many workers.
func shareOut(ctx context.Context, n, workers int, do func(i int)) error {
	var g sync.WaitGroup
	next := make(chan int)
	for range max(1, min(n, workers)) {
		g.Go(func() {
			for i := range next {
				do(i)
			}
		})
	}
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	g.Wait()
	return ctx.Err()
}

// contestSides compares all providers of one contest.
func contestSides(m *Metric, contest []CellWindow, number map[string]int32) []side {
	providers := Chunked(contest, func(w *CellWindow) string { return w.Provider })
	samples := make([]*Sample, len(providers))
	levels := make([]*float64, len(providers))
	for i, p := range providers {
		samples[i] = NewSample(m, p)
		levels[i] = samples[i].level()
	}
	out := make([]side, 0, len(providers)*(len(providers)-1)/2)
	for j := range providers {
		for i := range j {
			s := samples[i].against(samples[j])
			if s.Windows == 0 {
				// Never measured together: all that there is are the estimates.
				s = stats.Side{Evidence: stats.EvidenceNone, NA: samples[i].N, NB: samples[j].N, LevelA: levels[i], LevelB: levels[j]}
				if s.LevelA != nil && s.LevelB != nil && *s.LevelA > 0 && *s.LevelB > 0 {
					s.Ratio = new(*s.LevelA / *s.LevelB)
				}
			}
			side := newSide(m, s)
			side.a, side.b = number[providers[i][0].Provider], number[providers[j][0].Provider]
			out = append(out, side)
		}
	}
	return out
}

// within keeps the windows of a period.
func within(windows []CellWindow, period string) []CellWindow {
	var in []CellWindow
	for _, w := range windows {
		if w.Period.Valid && w.Period.String == period {
			in = append(in, w)
		}
	}
	return in
}

// Chunked cuts ordered rows where their key changes.
func Chunked[T any, K comparable](rows []T, key func(*T) K) [][]T {
	var out [][]T
	from := 0
	for i := range rows {
		if i+1 == len(rows) || key(&rows[i+1]) != key(&rows[i]) {
			out = append(out, rows[from:i+1])
			from = i + 1
		}
	}
	return out
}
