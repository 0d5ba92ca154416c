package stats

// Since sets the values of one time (after) against those of another (before):
// two runs, months, or hours of the day. Their windows are different ones, so
// that nothing pairs them. Side A is after, B before; Ratio is after ÷ before.
//
// Six windows or more on each side: the windows are the units. P is the
// Mann–Whitney test of the window medians, Ratio and interval the Hodges–Lehmann
// estimate that inverts it, level the median of window medians.
//
// Fewer: the same over single values, and Evidence is within: a difference may
// be the few windows' own.
//
// Tail: as for [Cell.Against], each side's windows resampled by themselves; below six
// windows values are, within windows.
func (a *Cell) Since(b *Cell, o Options) Comparison {
	o = o.filled()
	s := Comparison{Evidence: EvidenceNone, Ignored: a.ignored + b.ignored}
	x, y := a.sorted(o.Never), b.sorted(o.Never)
	s.Windows = min(len(x), len(y))
	for _, w := range x {
		s.NA += len(w.values)
	}
	for _, w := range y {
		s.NB += len(w.values)
	}
	switch {
	case s.Windows == 0:
	case o.Quantile != 0.5:
		s.tailApart(a, b, x, y, o)
	case s.Windows >= o.Windows:
		s.apart(medians(x), medians(y), o)
		s.Evidence = EvidenceWindows
	default:
		s.apart(a.pooled(x, o.Never), b.pooled(y, o.Never), o)
		s.levels(medians(x), medians(y))
		s.Evidence = EvidenceWithin
	}
	return s
}

// apart compares two sorted samples that nothing pairs.
func (s *Comparison) apart(x, y []float64, o Options) {
	strata := []Stratum{{x, y}}
	t, _ := rankSum(strata)
	e := shiftRatio(strata, o.Confidence)
	s.Ratio, s.Lo, s.Hi, s.P = e.Value, e.Lo, e.Hi, &t.P
	s.levels(x, y)
}

func (s *Comparison) tailApart(a, b *Cell, x, y []window, o Options) {
	qa, _ := Quantile(a.pooled(x, o.Never), o.Quantile)
	qb, _ := Quantile(b.pooled(y, o.Never), o.Quantile)
	s.LevelA, s.LevelB = finite(&qa), finite(&qb)
	est := ratio(qa, qb)
	if s.LevelA != nil && s.LevelB != nil {
		s.Ratio = positive(Estimate{Value: &est}).Value
	}
	if min(s.NA, s.NB) < o.Tail {
		return
	}
	plan := draw{replicates: replicatesFor(max(s.NA, s.NB), o.Replicates), fixed: s.Windows < o.Windows}
	units := s.Windows
	s.Evidence = EvidenceWindows
	if plan.fixed {
		units, s.Evidence = 0, EvidenceWithin
	}
	// Different windows: the draws of the sides must not share anything.
	of := func(c *Cell, w []window, side string) []float64 {
		plan.seed = Seed(o.Seed, side)
		return c.replicates(w, o, plan)
	}
	lo, hi, p := bootstrapRatio(of(a, x, "after"), of(b, y, "before"), est, units, o.Confidence)
	s.Lo, s.Hi, s.P = lo, hi, &p
	if s.Ratio == nil {
		s.Lo, s.Hi = nil, nil
	}
}

// Since is [Cell.Since] for ratios of sums. Six windows or more on each side:
// P is the Mann–Whitney test of the windows' ratios, the interval Student's
// around log Ratio, as for [SumCell.Against], with the degrees of freedom of the
// side with fewer windows. Fewer: Fisher's test of the counts for shares,
// Evidence within; no test for other ratios.
func (a *SumCell) Since(b *SumCell, shares bool, o Options) Comparison {
	o = o.filled()
	x, y := a.windows, b.windows
	s := Comparison{Evidence: EvidenceNone, Windows: min(len(x), len(y))}
	s.sums(x, y)
	switch {
	case s.Windows == 0:
	case s.Windows >= o.Windows:
		t, _ := MannWhitney(ratios(x), ratios(y))
		s.P, s.Evidence = &t.P, EvidenceWindows
		s.around(varianceOf(pull(x))+varianceOf(pull(y)), s.Windows-1, o.Confidence)
	case shares && s.LevelA != nil && s.LevelB != nil:
		s.P = new(portable(FisherTest(cases(x), s.NA, cases(y), s.NB)))
		s.Evidence = EvidenceWithin
	}
	return s
}

func ratios(w []sums) []float64 {
	out := make([]float64, len(w))
	for i, e := range w {
		out[i] = e.ratio
	}
	return out
}

func cases(w []sums) (n int) {
	for _, e := range w {
		n += int(e.num)
	}
	return n
}
