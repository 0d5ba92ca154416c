package stats

import (
	"math"
	"slices"
)

// Step is a series at two times: some of its windows, and others that came
// later, or at another hour of the day.
type Step struct {
	Series        int   // its place among the entries
	Before, After []int // places of windows, ascending
}

// MinStep is from how many windows at either time on a step is tested; from
// MinWindows on it may be decided.
const MinStep = 6

// Stepped is what became of a level.
type Stepped struct {
	NBefore, NAfter         int      // values, or what a ratio of sums is over
	UnitBefore, UnitAfter   *float64 // levels, in the unit of the metric
	Ratio, Lo, Hi           *float64 // after ÷ before, with its interval
	P, Q                    *float64 // nil where there is no test
	NEffective              float64  // independent windows that the shorter time is worth; 0 without a test
	Decided                 bool
	Unchanged               bool // the whole interval lies within the margin, over MinWindows or more: nothing that matters changed
	Why                     Why  // WhyNone where decided
	Difference, error, wide float64
	df, wideDF              float64
	before, after           float64 // levels, on the scale that is compared
}

// Half is half the width of the interval of the difference.
func (s *Stepped) Half(conf float64) float64 { return tQuantile(1-conf, s.wideDF) * s.wide }

// Steps judges changes of levels over time, and adjusts for their number. times
// are those of the windows, rising; the entries' providers are who answers for
// each series.
//
// Nothing pairs windows of two times: what a window does to all is part of the
// difference, and lasts for longer than a window, too. So the dependence is that
// of the levels themselves, learnt of all steps together as [Panel.Compare]
// learns it of providers' differences: restricted likelihoods of what each series
// leaves when both levels are taken out, the series of a provider in full and all
// others by half at most; variances moderated over all steps. A series that takes
// part in several steps counts once for each of its windows.
//
// The difference is that of the plain means, so that it is the ratio stated; its
// variance is that of the contrast under each persistence.
func (m Measure) Steps(times []float64, entries []Entry, steps []Step, workers int) []Stepped {
	r := &stepRun{Measure: m, times: unitTimes(times), entries: entries, steps: steps, out: make([]Stepped, len(steps)), parts: make([]stepPart, len(steps))}
	longest := 3
	for _, s := range steps {
		longest = max(longest, len(s.Before)+len(s.After))
	}
	r.grid, r.prior = persistences(longest, m.Shares || m.Quantile > 0.5)
	pool := &Panel{Workers: workers, Contests: make([][]Series, len(steps))}
	pool.each(r.read)
	r.winsorise()
	pool.each(r.measure)
	r.judge()
	r.decide()
	return r.out
}

type stepRun struct {
	Measure
	times   []float64
	entries []Entry
	steps   []Step
	out     []Stepped
	parts   []stepPart
	grid    []persistence
	prior   []float64
	cache   whitenerCache
}

// stepPart is a step as it is compared.
type stepPart struct {
	before, after Series
	spread        float64 // within both, before outliers are drawn in
	likelihood    []float64
	side          sideState
}

// read makes the values of a step's windows.
func (r *stepRun) read(i int) {
	s, o, p := &r.steps[i], &r.out[i], &r.parts[i]
	e := &r.entries[s.Series]
	before, after := e.of(s.Before), e.of(s.After)
	o.NBefore, o.NAfter = before.count(r.Measure, s.Before), after.count(r.Measure, s.After)
	if min(len(s.Before), len(s.After)) < MinStep {
		o.Why = WhyWindows
		return
	}
	if r.Quantile == 0 {
		p.before, p.after = r.sums(before.Windows), r.sums(after.Windows)
	} else {
		draws := r.stepDraws(before, after)
		p.before, p.after = r.quantiles(before, draws), r.quantiles(after, draws)
	}
	switch {
	case r.Quantile > 0.5 && min(o.NBefore, o.NAfter) < boundedBy(r.Quantile):
		o.Why = WhyValues
	case r.Quantile > 0 && max(before.never(r.Measure, s.Before), after.never(r.Measure, s.After)) > mostNever:
		o.Why = WhyFailures
	case min(len(p.before.Values), len(p.after.Values)) < MinStep:
		o.Why = WhyWindows
	}
}

// of is the entry in some of its windows.
func (e *Entry) of(places []int) Entry {
	out := Entry{Provider: e.Provider}
	e.among(places, func(w *Observed) { out.Windows = append(out.Windows, *w) })
	return out
}

// stepDraws is how many values a tail is taken to have: a window of either time
// that has more is brought down to what is usual at the time that has fewer.
func (m Measure) stepDraws(before, after Entry) map[int]int {
	if m.Quantile <= 0.5 {
		return nil
	}
	usual := func(e Entry) float64 {
		var n []float64
		for i := range e.Windows {
			n = append(n, float64(len(e.Windows[i].Values)+e.Windows[i].Failures))
		}
		return medianOf(n)
	}
	k, out := int(min(usual(before), usual(after))), map[int]int{}
	for _, e := range []Entry{before, after} {
		for i := range e.Windows {
			out[e.Windows[i].Window] = max(1, k)
		}
	}
	return out
}

// winsorise draws values further than three median absolute deviations from their
// time's median back to there; a deviation is at least the median one of all.
func (r *stepRun) winsorise() {
	if r.Quantile == 0 {
		return
	}
	var spreads []float64
	for i := range r.parts {
		p := &r.parts[i]
		var rest []float64
		for _, part := range []*Series{&p.before, &p.after} {
			v, middle := part.finite()
			for _, x := range v {
				rest = append(rest, math.Abs(x-middle))
			}
		}
		if len(rest) > 0 {
			p.spread = 1.4826 * medianOf(rest)
			spreads = append(spreads, p.spread)
		}
	}
	least := medianOf(spreads)
	for i := range r.parts {
		p := &r.parts[i]
		for _, part := range []*Series{&p.before, &p.after} {
			v, middle := part.finite()
			reach := 3 * max(p.spread, least)
			if reach == 0 {
				for _, x := range v {
					reach = max(reach, math.Abs(x-middle))
				}
			}
			for k, x := range part.Values {
				part.Values[k] = min(max(x, middle-reach), middle+reach)
			}
		}
	}
}

// finite are the values that came, and their median.
func (s *Series) finite() (v []float64, middle float64) {
	for _, x := range s.Values {
		if !math.IsInf(x, 0) {
			v = append(v, x)
		}
	}
	return v, medianOf(slices.Clone(v))
}

// measure fills a step's difference, and its variance and likelihood by persistence.
func (r *stepRun) measure(i int) {
	o, p := &r.out[i], &r.parts[i]
	if len(p.before.Values) > 0 {
		o.before, o.UnitBefore = average(p.before.Values), r.unit(average(p.before.Values))
	}
	if len(p.after.Values) > 0 {
		o.after, o.UnitAfter = average(p.after.Values), r.unit(average(p.after.Values))
	}
	if o.Why == WhyWindows || o.Why == WhyFailures {
		return
	}
	o.Difference = o.after - o.before
	windows, y, step, weights := p.together()
	n, size := float64(len(y)), 1.0
	for _, v := range y {
		size = max(size, math.Abs(v))
	}
	set, times := r.cache.get(r.times, r.grid, windows), make([]float64, len(windows))
	for k, w := range windows {
		times[k] = r.times[w]
	}
	s := &p.side
	s.free, s.s2, s.scale = n-2, make([]float64, len(r.grid)), make([]float64, len(r.grid))
	noise := (p.before.Noise + p.after.Noise) / 2
	white, along, likelihood := make([]float64, len(y)), make([]float64, len(y)), make([]float64, len(r.grid))
	for g, w := range set.whiteners {
		w.whiten(white, y)
		w.whiten(along, step)
		var cross float64
		for k := range white {
			cross += float64(white[k] * along[k])
		}
		steps := squares(along)
		q := squares(white) - cross*cross/steps
		if q <= nothing*n*size*size {
			q, likelihood = 0, nil
		}
		if likelihood != nil {
			likelihood[g] = -(w.logDet + math.Log(steps) + float64((n-2)*math.Log(q))) / 2
		}
		s.s2[g] = max(q/s.free, noise)
		s.scale[g] = r.grid[g].contrastVariance(times, weights)
	}
	p.likelihood = likelihood
}

// together is both times in one row, in order: windows, values, 1 for each later
// one, and what each weighs in the difference.
func (p *stepPart) together() (windows []int, y, step, weights []float64) {
	a, b := &p.before, &p.after
	for i, j := 0, 0; i < len(a.Windows) || j < len(b.Windows); {
		if j == len(b.Windows) || i < len(a.Windows) && a.Windows[i] < b.Windows[j] {
			windows, y, step, weights = append(windows, a.Windows[i]), append(y, a.Values[i]), append(step, 0), append(weights, -1/float64(len(a.Windows)))
			i++
			continue
		}
		windows, y, step, weights = append(windows, b.Windows[j]), append(y, b.Values[j]), append(step, 1), append(weights, 1/float64(len(b.Windows)))
		j++
	}
	return windows, y, step, weights
}

// judge weighs the persistences and tests every step.
func (r *stepRun) judge() {
	counted, windows, providers := make([]int, len(r.entries)), make([]map[int]bool, len(r.entries)), 0
	for i := range r.steps {
		if r.parts[i].likelihood == nil {
			continue
		}
		s := &r.steps[i]
		if windows[s.Series] == nil {
			windows[s.Series] = map[int]bool{}
		}
		for _, w := range slices.Concat(r.parts[i].before.Windows, r.parts[i].after.Windows) {
			counted[s.Series]++
			windows[s.Series][w] = true
		}
	}
	for i := range r.entries {
		providers = max(providers, r.entries[i].Provider+1)
	}
	total, own := make([]float64, len(r.grid)), make([][]float64, max(1, providers))
	for i := range own {
		own[i] = make([]float64, len(r.grid))
	}
	var sides []*sideState
	for i := range r.parts {
		p, series := &r.parts[i], r.steps[i].Series
		if p.side.scale != nil {
			sides = append(sides, &p.side)
		}
		for g, l := range p.likelihood {
			l *= float64(len(windows[series])) / float64(counted[series])
			total[g] += l
			own[r.entries[series].Provider][g] += l
		}
	}
	m := moderations(len(r.grid), sides)
	pooled, log := posterior(r.prior, bounded(own)), make([]float64, len(r.grid))
	others := min(0.5, 2/max(1, float64(providers-1)))
	edge := 0.0
	switch {
	case r.Strict && r.Shares:
		edge = r.Margin.Abs
	case r.Strict:
		edge = math.Log(r.Margin.Ratio)
	case !r.Shares:
		edge = indifferent * math.Log(r.Margin.Ratio)
	}
	for i := range r.parts {
		o, p := &r.out[i], &r.parts[i]
		if p.side.scale == nil {
			continue
		}
		k := own[r.entries[r.steps[i].Series].Provider]
		for g := range log {
			log[g] = k[g] + float64(others*(total[g]-k[g]))
		}
		o.test(p, pooled, posterior(r.prior, log), m, edge)
	}
}

func (o *Stepped) test(p *stepPart, pooled, weights []float64, m []moderation, edge float64) {
	worth, nBefore, nAfter := 0.0, float64(len(p.before.Values)), float64(len(p.after.Values))
	for g, v := range p.side.scale {
		worth += float64(pooled[g] * v)
	}
	o.NEffective = portable((1/nBefore + 1/nAfter) / worth * min(nBefore, nAfter))
	o.error, o.df = p.side.error(weights, m)
	beyond, value := max(0, math.Abs(o.Difference)-edge), 1.0
	switch {
	case o.error > 0:
		value = portable(tTwoSided(beyond/o.error, o.df))
		o.wide, o.wideDF = p.side.error(doubt(weights), m)
	default:
		o.wideDF = o.df
		if beyond > 0 {
			value = 1e-16
		}
	}
	if o.Why == WhyValues {
		return
	}
	if o.NEffective < MinEffective {
		value, o.Why = 1, WhyDependent
	}
	o.P = &value
}

// decide adjusts for the number of tests, and settles each.
func (r *stepRun) decide() {
	var ps []*float64
	var tested []*Stepped
	for i := range r.out {
		if r.out[i].P != nil {
			ps, tested = append(ps, r.out[i].P), append(tested, &r.out[i])
		}
	}
	for i, q := range BenjaminiHochberg(ps) {
		tested[i].Q = new(portable(*q))
	}
	for i := range r.out {
		o := &r.out[i]
		r.states(o)
		if o.Why != WhyNone {
			continue
		}
		enough := min(len(r.steps[i].Before), len(r.steps[i].After)) >= MinWindows
		o.Unchanged = enough && r.within(o)
		margin := math.Log(r.Margin.Ratio)
		beyond := Comparison{Ratio: o.Ratio, LevelA: o.UnitAfter, LevelB: o.UnitBefore}.Beyond(r.Margin)
		if r.Shares {
			margin = r.Margin.Abs
			beyond = o.Difference != 0 && math.Abs(o.Difference) >= margin
		}
		switch {
		case !enough:
			o.Why = WhyWindows
		case *o.Q <= Level && beyond:
			o.Decided = true
		case *o.Q <= Level, o.error > 0 && math.Abs(o.Difference)+o.Half(0.95) <= margin:
			o.Why = WhyMargin
		default:
			o.Why = WhyPower
		}
	}
}

// states sets the ratio and its interval.
func (r *stepRun) states(o *Stepped) {
	if o.UnitBefore == nil || o.UnitAfter == nil || *o.UnitBefore <= 0 || *o.UnitAfter <= 0 {
		return
	}
	o.Ratio = new(portable(*o.UnitAfter / *o.UnitBefore))
	if o.wide == 0 {
		return
	}
	lo, hi := o.Difference-o.Half(0.95), o.Difference+o.Half(0.95)
	if r.Shares {
		o.Lo, o.Hi = new(portable(max(0, o.before+lo)/o.before)), new(portable((o.before+hi)/o.before))
		return
	}
	o.Lo, o.Hi = new(portable(math.Exp(lo))), new(portable(math.Exp(hi)))
}

// within reports whether both ends of the interval lie within the margin.
func (r *stepRun) within(o *Stepped) bool {
	if r.Shares {
		return math.Abs(o.Difference)+o.Half(0.95) < r.Margin.Abs
	}
	if o.UnitBefore == nil || o.Lo == nil || o.Hi == nil {
		return false
	}
	for _, end := range []*float64{o.Lo, o.Hi} {
		at := *o.UnitBefore * *end
		if (Comparison{Ratio: end, LevelA: &at, LevelB: o.UnitBefore}).Beyond(r.Margin) {
			return false
		}
	}
	return true
}
