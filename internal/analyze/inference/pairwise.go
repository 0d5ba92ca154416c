package inference

import (
	"cmp"
	"context"
	"database/sql"
	"slices"
	"sync"

	"aircheck/internal/analyze/stats"
)

// comparison is one comparison: providers a and b of a contest, for one metric. It
// holds no pointers, since there may be millions.
type comparison struct {
	contest, a, b      int32 // their places in the compared lists
	period             int32 // its place in the periods, from 1; 0 for the whole
	windows, nA, nB    int32
	better             int8 // 1: a, −1: b, 0: neither
	decided, lasting   bool
	evidence           stats.Evidence
	why                stats.Why
	levelA, levelB     maybe
	ratio, lo, hi      maybe
	pv, q              maybe
	effective, minimum maybe // independent windows; smallest ratio that could have been decided
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

// compared is what the comparisons of one metric refer to.
type compared struct {
	contests  []contestKey
	providers []string
	periods   []string
	starts    []int64 // of windows, by place; seconds since 1970
	dated     bool    // every window has a start

	number map[string]int32 // of a provider
	place  map[string]int   // of a window
}

// newCompared numbers the contests, providers and windows of a metric.
func newCompared(windows []CellWindow, periods []string) *compared {
	c := &compared{periods: periods, number: map[string]int32{}, place: map[string]int{}, dated: true}
	first := map[string]sql.NullTime{}
	var ids []string
	for i := range windows {
		w := &windows[i]
		if _, ok := c.number[w.Provider]; !ok {
			c.number[w.Provider] = int32(len(c.providers))
			c.providers = append(c.providers, w.Provider)
		}
		t, ok := first[w.ID]
		if !ok {
			ids = append(ids, w.ID)
		}
		if !t.Valid || w.Started.Valid && w.Started.Time.Before(t.Time) {
			first[w.ID] = w.Started
		}
	}
	slices.SortFunc(ids, func(a, b string) int {
		return cmp.Or(first[a].Time.Compare(first[b].Time), cmp.Compare(a, b))
	})
	for i, id := range ids {
		c.place[id] = i
		c.starts = append(c.starts, first[id].Time.Unix())
		c.dated = c.dated && first[id].Valid
	}
	return c
}

// times are those of the windows, in seconds; without them, places.
func (c *compared) times() []float64 {
	out := make([]float64, len(c.starts))
	for i, s := range c.starts {
		if out[i] = float64(i); c.dated {
			out[i] = float64(s - c.starts[0])
		}
	}
	return out
}

// entry gathers the windows of one provider in one contest; several sets of
// parameters are one mixture.
func (c *compared) entry(windows []CellWindow) stats.Entry {
	e := stats.Entry{Provider: int(c.number[windows[0].Provider])}
	list := slices.Clone(windows)
	slices.SortStableFunc(list, func(a, b CellWindow) int { return cmp.Compare(c.place[a.ID], c.place[b.ID]) })
	for _, same := range Chunked(list, func(w *CellWindow) string { return w.ID }) {
		o := stats.Observed{Window: c.place[same[0].ID], Values: same[0].Values}
		for i, w := range same {
			if i > 0 {
				o.Values = slices.Concat(o.Values, w.Values)
			}
			o.Failures, o.Num, o.Den = o.Failures+w.Failed, o.Num+w.Num, o.Den+w.Den
		}
		if o.Values != nil && o.Den > 0 {
			o.Level = float64(o.Num) / (float64(o.Den) * same[0].Per)
		}
		if len(same) > 1 {
			slices.Sort(o.Values)
		}
		e.Windows = append(e.Windows, o)
	}
	return e
}

// comparisons compares within each contest, over all windows and within each period,
// and gives the correlation of neighbouring windows over all of them.
func (c *compared) comparisons(ctx context.Context, m *Metric, windows []CellWindow, workers int) (whole, parts []comparison, rho float64, err error) {
	contests := Chunked(windows, func(w *CellWindow) contestKey { return w.contestKey })
	for _, w := range contests {
		c.contests = append(c.contests, w[0].contestKey)
	}
	if whole, rho, err = c.family(ctx, m, contests, workers); err != nil || len(c.periods) == 0 {
		return whole, nil, rho, err
	}
	var within [][]CellWindow
	for _, w := range contests {
		for _, period := range c.periods {
			within = append(within, inPeriod(w, period))
		}
	}
	parts, _, err = c.family(ctx, m, within, workers)
	for i := range parts {
		n := int32(len(c.periods))
		parts[i].contest, parts[i].period = parts[i].contest/n, parts[i].contest%n+1
	}
	return whole, parts, rho, err
}

// family compares contests, which are one family of tests. Comparisons of fewer
// windows than that are compared within these.
func (c *compared) family(ctx context.Context, m *Metric, contests [][]CellWindow, workers int) ([]comparison, float64, error) {
	entries := make([][]stats.Entry, len(contests))
	err := shareOut(ctx, len(contests), workers, func(i int) {
		for _, p := range Chunked(contests[i], func(w *CellWindow) string { return w.Provider }) {
			entries[i] = append(entries[i], c.entry(p))
		}
	})
	if err != nil {
		return nil, 0, err
	}
	verdicts, rho := m.measure().Judge(c.times(), entries, workers)
	lists := make([][]comparison, len(contests))
	err = shareOut(ctx, len(contests), workers, func(i int) {
		lists[i] = c.contestComparisons(m, contests[i], entries[i], verdicts[i])
		for j := range lists[i] {
			lists[i][j].contest = int32(i)
		}
	})
	if err != nil {
		return nil, 0, err
	}
	out := slices.Concat(lists...)
	// What was tested within few windows is a family of its own: it can decide
	// nothing, and must not help others to.
	var few []int
	var p []*float64
	for i := range out {
		if out[i].evidence == stats.EvidenceWithin || out[i].evidence == stats.EvidenceNone {
			few, p = append(few, i), append(p, out[i].pv.pointer())
		}
	}
	for i, q := range stats.BenjaminiHochberg(p) {
		out[few[i]].q = perhaps(q)
	}
	return out, rho, nil
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

// contestComparisons are the verdicts of one contest as comparisons.
func (c *compared) contestComparisons(m *Metric, contest []CellWindow, entries []stats.Entry, verdicts []stats.Verdict) []comparison {
	providers := Chunked(contest, func(w *CellWindow) string { return w.Provider })
	samples := make([]*Sample, len(providers))
	sample := func(i int) *Sample {
		if samples[i] == nil {
			samples[i] = NewSample(m, providers[i])
		}
		return samples[i]
	}
	out := make([]comparison, len(verdicts))
	for i := range verdicts {
		v := &verdicts[i]
		if v.Status == stats.TooFew {
			out[i] = fewComparison(m, sample(v.A), sample(v.B), v.Why)
		} else {
			out[i] = c.verdictComparison(m, v, contest[0].Per)
		}
		out[i].a, out[i].b = int32(entries[v.A].Provider), int32(entries[v.B].Provider)
	}
	return out
}

// verdictComparison is a pair that was compared over windows. per is how many integer
// units the metric's unit has.
func (c *compared) verdictComparison(m *Metric, v *stats.Verdict, per float64) comparison {
	s := comparison{
		windows: int32(len(v.Windows)), nA: int32(v.NA), nB: int32(v.NB), decided: v.Decided, evidence: stats.EvidenceWindows, why: v.Why,
		levelA: perhaps(v.UnitA), levelB: perhaps(v.UnitB), ratio: perhaps(v.Ratio), lo: perhaps(v.Lo), hi: perhaps(v.Hi),
		pv: perhaps(v.P), q: perhaps(v.Q), effective: maybe{v.NEffective, true}, minimum: perhaps(v.Smallest),
	}
	if m.sums() {
		s.levelA.v, s.levelB.v = s.levelA.v/per, s.levelB.v/per
	}
	switch {
	case v.P == nil:
		s.evidence = stats.EvidenceNone
	case v.Decided && c.dated:
		starts := make([]int64, len(v.Windows))
		for i, w := range v.Windows {
			starts[i] = c.starts[w]
		}
		s.lasting = stats.Lasting(starts)
	}
	s.better = int8(m.Better(stats.Comparison{Ratio: s.ratio.pointer(), LevelA: s.levelA.pointer(), LevelB: s.levelB.pointer()}))
	return s
}

// turned is the comparison with the second against the first.
func (s comparison) turned() comparison {
	inverse := func(m maybe) maybe {
		if m.v == 0 {
			return maybe{}
		}
		return maybe{1 / m.v, m.ok}
	}
	s.a, s.b, s.nA, s.nB, s.levelA, s.levelB, s.better = s.b, s.a, s.nB, s.nA, s.levelB, s.levelA, -s.better
	s.ratio, s.lo, s.hi = inverse(s.ratio), inverse(s.hi), inverse(s.lo)
	return s
}

// fewComparison is a pair with too few common windows to speak of others.
func fewComparison(m *Metric, a, b *Sample, why stats.Why) comparison {
	s := a.within(b)
	if s.Windows == 0 {
		// Never measured together: all that there is are the estimates.
		s = stats.Comparison{Evidence: stats.EvidenceNone, NA: a.N, NB: b.N, LevelA: a.level(), LevelB: b.level()}
		if s.LevelA != nil && s.LevelB != nil && *s.LevelA > 0 && *s.LevelB > 0 {
			s.Ratio = new(*s.LevelA / *s.LevelB)
		}
	}
	return comparison{
		windows: int32(s.Windows), nA: int32(s.NA), nB: int32(s.NB), better: int8(m.Better(s)), evidence: s.Evidence, why: why,
		levelA: perhaps(s.LevelA), levelB: perhaps(s.LevelB), ratio: perhaps(s.Ratio), lo: perhaps(s.Lo), hi: perhaps(s.Hi), pv: perhaps(s.P),
	}
}

// inPeriod keeps the windows of a period.
func inPeriod(windows []CellWindow, period string) []CellWindow {
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
