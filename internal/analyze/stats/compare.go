package stats

import (
	"math"
	"slices"
	"strconv"
)

// Evidence says what a comparison rests on.
type Evidence string

const (
	// EvidenceWindows: paired over six common windows or more. Speaks of
	// windows to come, and alone can decide a side.
	EvidenceWindows Evidence = "windows"
	// EvidenceWithin: differences within fewer windows. Speaks of these
	// windows alone: a tendency at best.
	EvidenceWithin Evidence = "within"
	// EvidenceNone: nothing in common, too few values, or windows that
	// contradict each other.
	EvidenceNone Evidence = "none"
)

// EnoughWindows is from how many windows on they are the units of a comparison
// or an interval: with fewer, chance alone often makes all of them agree.
const EnoughWindows = 6

// Options of a comparison. The zero value compares medians as the project's
// method sets it.
type Options struct {
	Quantile   float64 // compared statistic; 0 is the median, above 0.5 a tail
	Spread     bool    // of a tail: how far it lies above the median; within few windows a level and no test
	Confidence float64 // of the intervals; 0 is 0.95
	Windows    int     // fewest common windows that count as evidence of windows; 0 is EnoughWindows
	Tail       int     // fewest values a side for a tail; 0 is what bounds it above, but 72 at least
	Replicates int     // of the bootstrap for tails; 0 is 2000
	Seed       string  // of the bootstrap, beside the content
	Never      bool    // failures count as values that never came (+Inf)
}

func (o Options) filled() Options {
	if o.Quantile == 0 {
		o.Quantile = 0.5
	}
	if o.Confidence == 0 {
		o.Confidence = 0.95
	}
	if o.Windows == 0 {
		o.Windows = EnoughWindows
	}
	if o.Replicates == 0 {
		o.Replicates = 2000
	}
	if o.Tail == 0 {
		// P(no value lies beyond the quantile) = pⁿ must not exceed α/2.
		tail := (1 - o.Confidence) / 2
		o.Tail = max(72, int(math.Ceil(math.Log(tail)/math.Log(max(o.Quantile, 1-o.Quantile)))))
	}
	return o
}

// Comparison is of A with B: a provider pair in one contest.
type Comparison struct {
	Ratio, Lo, Hi  *float64 // A ÷ B, with its interval
	P              *float64 // two-sided, of no difference
	LevelA, LevelB *float64 // the statistic on each side, in the unit of the values
	Windows        int      // common windows
	NA, NB         int      // values in them
	Evidence       Evidence
	Ignored        int // values that are negative or no number
}

// Against sets the values of A against those of B: times, counts or sums, all
// ≥ 0, of which the ratio is meant. Only windows in which both sides have
// values are used, whatever their number of values.
//
// Median, six common windows or more: paired by window. P is Wilcoxon's signed
// rank test on the logarithms of the window medians, Ratio and interval the
// Hodges–Lehmann estimate that inverts it, level the median of window medians.
//
// Median, fewer windows: P is the Mann–Whitney test within windows, Ratio and
// interval the Hodges–Lehmann estimate over pairs of one window. The medians
// of every window must agree with the ratio in direction (equal ones agree
// with either), else Evidence is none.
//
// Tail: Ratio is that of the percentiles of all values in common windows, with
// a bootstrap interval and P: of whole windows from six on; below, of values
// in fixed windows. Under Options.Tail values a side there is
// a ratio, but neither interval nor P, and no evidence. No agreement of windows
// is asked for, since one window's tail is a value or two.
//
// With values of zero or, under Never, of infinity, a ratio or an end of its
// interval may not exist; P exists all the same.
//
// What P can reach: with w windows the signed rank test cannot fall below
// 2^(1−w), and Benjamini–Hochberg over m sides, k of which are that small,
// needs m/k · 2^(1−w) ≤ 0.05. Six windows therefore decide anything only where
// at least 62 % of all sides differ, eight where 16 % do, ten where 4 % do,
// twelve where 1 % do. Plans that are meant to decide take twelve windows.
func (a *Cell) Against(b *Cell, o Options) Comparison {
	o = o.filled()
	s := Comparison{Evidence: EvidenceNone, Ignored: a.ignored + b.ignored}
	x, y := common(a.sorted(o.Never), b.sorted(o.Never))
	s.Windows = len(x)
	for i := range x {
		s.NA += len(x[i].values)
		s.NB += len(y[i].values)
	}
	switch {
	case len(x) == 0:
	case o.Quantile != 0.5:
		s.tail(a, b, x, y, o)
	case len(x) >= o.Windows:
		s.paired(x, y, o)
	default:
		s.within(x, y, o)
	}
	return s
}

func (s *Comparison) paired(x, y []window, o Options) {
	pairs := make([]Pair, len(x))
	for i := range x {
		pairs[i] = Pair{x[i].median, y[i].median}
	}
	t, _ := SignedRankRatio(pairs)
	e := HodgesLehmannRatio(pairs, o.Confidence)
	s.Ratio, s.Lo, s.Hi, s.P = e.Value, e.Lo, e.Hi, &t.P
	s.levels(medians(x), medians(y))
	s.Evidence = EvidenceWindows
}

func (s *Comparison) within(x, y []window, o Options) {
	strata := make([]Stratum, len(x))
	for i := range x {
		strata[i] = Stratum{x[i].values, y[i].values}
	}
	orderStrata(strata)
	t, _ := rankSum(strata)
	e := shiftRatio(strata, o.Confidence)
	s.Ratio, s.Lo, s.Hi, s.P = e.Value, e.Lo, e.Hi, &t.P
	s.levels(medians(x), medians(y))
	if x[0].flow && s.LevelA != nil && s.LevelB != nil {
		// Quotients of single answers are not those of their sums.
		s.Ratio, s.Lo, s.Hi = new(portable(*s.LevelA / *s.LevelB)), nil, nil
	}
	if agree(x, y, t.Statistic, strata) {
		s.Evidence = EvidenceWithin
	}
}

// agree reports whether no window's medians point against the statistic ΣU.
func agree(x, y []window, u float64, strata []Stratum) bool {
	even := 0.0
	for _, w := range strata {
		even += float64(len(w.A)*len(w.B)) / 2
	}
	for i := range x {
		if u > even && x[i].median < y[i].median || u < even && x[i].median > y[i].median {
			return false
		}
	}
	return u != even
}

func (s *Comparison) tail(a, b *Cell, x, y []window, o Options) {
	poolA, poolB := a.pooled(x, o.Never), b.pooled(y, o.Never)
	est := s.tails(poolA, poolB, o)
	if o.Spread || min(s.NA, s.NB) < o.Tail {
		return
	}
	// Windows are drawn by their place: their names hold the run's, and the same
	// data under another name must give the same numbers.
	plan := draw{
		seed:       Seed(o.Seed, strconv.Itoa(len(x))),
		replicates: replicatesFor(max(s.NA, s.NB), o.Replicates),
		fixed:      len(x) < o.Windows,
	}
	units := len(x)
	s.Evidence = EvidenceWindows
	if plan.fixed {
		units = 0
		s.Evidence = EvidenceWithin
	}
	lo, hi, p := bootstrapRatio(a.replicates(x, o, plan), b.replicates(y, o, plan), est, units, o.Confidence)
	s.Lo, s.Hi, s.P = lo, hi, &p
	if s.Ratio == nil {
		s.Lo, s.Hi = nil, nil
	}
}

// tails sets levels and ratio of two tails.
func (s *Comparison) tails(x, y []float64, o Options) float64 {
	of := func(v []float64) float64 {
		q, _ := Quantile(v, o.Quantile)
		if o.Spread && !math.IsInf(q, 1) {
			q -= median(v)
		}
		return q
	}
	qx, qy := of(x), of(y)
	s.LevelA, s.LevelB = finite(&qx), finite(&qy)
	est := ratio(qx, qy)
	if s.LevelA != nil && s.LevelB != nil {
		s.Ratio = positive(Estimate{Value: &est}).Value
	}
	return est
}

func (s *Comparison) levels(x, y []float64) {
	s.LevelA, s.LevelB = finite(quantileOf(x, 0.5)), finite(quantileOf(y, 0.5))
}

func finite(v *float64) *float64 {
	if v == nil || math.IsInf(*v, 0) {
		return nil
	}
	return v
}

func medians(w []window) []float64 {
	m := make([]float64, len(w))
	for i, v := range w {
		m[i] = v.median
	}
	slices.Sort(m)
	return m
}

// pooled is the values of windows, ascending. They may be those of the only one.
func pooled(w []window) []float64 {
	if len(w) == 1 {
		return w[0].values
	}
	n := 0
	for _, v := range w {
		n += len(v.values)
	}
	all, ends := make([]float64, 0, n), make([]int, len(w)) // runs, and where each ends
	for i, v := range w {
		all = append(all, v.values...)
		ends[i] = len(all)
	}
	for next := make([]float64, n); len(ends) > 1; all, next = next, all {
		from, runs := 0, ends[:0]
		for i := 0; i < len(ends); i += 2 {
			middle, to := ends[i], ends[min(i+1, len(ends)-1)]
			merge(next[from:to], all[from:middle], all[middle:to])
			from, runs = to, append(runs, to)
		}
		ends = runs
	}
	return all
}

// merge fills out with the values of two ascending lists, ascending.
func merge(out, x, y []float64) {
	for len(x) > 0 && len(y) > 0 {
		if x[0] <= y[0] {
			out[0], x = x[0], x[1:]
		} else {
			out[0], y = y[0], y[1:]
		}
		out = out[1:]
	}
	copy(out[copy(out, x):], y)
}

// Margin is how large a difference must be to matter: Ratio 1.10 is ten
// percent either way, Abs 50 fifty units of the values (0: no such bound).
type Margin struct{ Ratio, Abs float64 }

// Beyond reports whether the estimated difference exceeds both bounds, and
// the levels lie on the side that the ratio says. A level of zero against one
// that is not lies beyond any ratio.
func (s Comparison) Beyond(m Margin) bool {
	if s.LevelA == nil || s.LevelB == nil {
		return false
	}
	d := *s.LevelA - *s.LevelB
	switch {
	case s.Ratio != nil && *s.Ratio < 1:
		return 1 / *s.Ratio > m.Ratio && -d > 0 && -d >= m.Abs
	case s.Ratio != nil:
		return *s.Ratio > m.Ratio && d > 0 && d >= m.Abs
	}
	return (*s.LevelA == 0) != (*s.LevelB == 0) && math.Abs(d) >= m.Abs
}

// Decided reports whether a side counts in rankings and can support a flip:
// its q-value is at most level (0.05), the difference lies beyond the margin,
// and the evidence is windows. q is nil where the side has no test.
func (s Comparison) Decided(q *float64, level float64, m Margin) bool {
	return q != nil && *q <= level && s.Evidence == EvidenceWindows && s.Beyond(m)
}
