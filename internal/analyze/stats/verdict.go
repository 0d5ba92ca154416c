package stats

import "math"

// Why says why a pair of providers is not decided.
type Why string

const (
	WhyNone      Why = ""
	WhyWindows   Why = "too few windows"
	WhyValues    Why = "too few values" // of a tail
	WhyDependent Why = "dependent windows"
	WhyFailures  Why = "failures differ" // so much that they might turn it
	WhyMargin    Why = "within the margin"
	WhyPower     Why = "too little power"
	WhyMix       Why = "mixes differ"
	WhyUnstated  Why = "unstated"     // by over a fifth of a side's answers
	WhyUnits     Why = "units differ" // a third provider has no tokens to compare
	WhyClocks    Why = "two clocks"   // the kernel's, and that of reads, which are late
	WhyNotAsked  Why = "not asked"    // see JudgeSome
)

// Level is the share of false ones among decided pairs that is accepted.
const Level = 0.05

// Power is the chance with which [Verdict.Smallest] would have been decided.
const Power = 0.8

// mostNever is the share of windows in which nothing came above which two
// providers are not compared by what came.
const mostNever = 0.1

// Verdict is what a panel says of two providers in one contest.
type Verdict struct {
	Contrast
	NA, NB         int      // values, or what a ratio of sums is over, in the common windows
	UnitA, UnitB   *float64 // the levels compared, in the unit of the metric
	Ratio, Lo, Hi  *float64 // A ÷ B, with its interval; nil where B's level is 0
	P, Q           *float64 // nil where there is no test
	Decided        bool
	Why            Why      // WhyNone where decided
	Smallest       *float64 // ratio (shares: difference) that a test would have decided with [Power]; nil where none
	rejected, test bool
}

// Judge compares all pairs of all contests and adjusts for their number.
func (m Measure) Judge(times []float64, contests [][]Entry, workers int) (verdicts [][]Verdict, rho float64) {
	return m.JudgeSome(times, contests, workers, func(_, _, _ int) bool { return true })
}

// JudgeSome is Judge where no more than some pairs of a contest are asked about:
// the others have neither test nor decision, and do not count in the adjustment.
func (m Measure) JudgeSome(times []float64, contests [][]Entry, workers int, asked func(contest, a, b int) bool) (verdicts [][]Verdict, rho float64) {
	out := m.Panel(times, contests, workers).Compare()
	verdicts = make([][]Verdict, len(contests))
	var ps []*float64
	var tested []*Verdict
	for i, list := range out.Contrasts {
		verdicts[i] = make([]Verdict, len(list))
		for j := range list {
			v := &verdicts[i][j]
			v.Contrast = list[j]
			m.fill(v, contests[i], out.Middle[i])
			if !asked(i, v.A, v.B) {
				v.P, v.test = nil, false
				if v.Why == WhyNone {
					v.Why = WhyNotAsked
				}
			}
			if v.test {
				ps, tested = append(ps, v.P), append(tested, v)
			}
		}
	}
	independent := 0
	for _, contest := range contests {
		independent += max(0, len(contest)-1)
	}
	rejected := 0
	for i, q := range BenjaminiHochberg(ps) {
		tested[i].Q = new(portable(*q))
		tested[i].rejected = *q <= Level
		if tested[i].rejected {
			rejected++
		}
	}
	for i := range verdicts {
		for j := range verdicts[i] {
			m.decide(&verdicts[i][j], independent, Level*float64(rejected+1)/float64(max(1, len(ps))))
		}
	}
	return verdicts, out.Rho
}

// fill sets what a verdict holds beside its contrast.
func (m Measure) fill(v *Verdict, entries []Entry, series []Series) {
	if len(v.Windows) == 0 {
		v.Why = WhyWindows
		return
	}
	a, b := &entries[v.A], &entries[v.B]
	v.NA, v.NB = a.count(m, v.Windows), b.count(m, v.Windows)
	v.UnitA, v.UnitB = m.unit(v.LevelA), m.unit(v.LevelB)
	switch {
	case m.Quantile > 0.5 && min(v.NA, v.NB) < boundedBy(m.Quantile):
		v.Why = WhyValues
	case m.Quantile > 0 && v.failing(m, a, b):
		v.Why = WhyFailures
	case v.Status == TooFew:
		v.Why = WhyWindows
	case v.Status == Dependent:
		v.Why = WhyDependent
	}
	if v.Why == WhyFailures {
		return
	}
	m.ratio(v)
	v.test = v.Status != TooFew && v.Why != WhyValues
	if v.test {
		v.P = new(v.Contrast.P)
	}
}

// failing reports whether nothing came from a side in too many windows; it has no
// level then.
func (v *Verdict) failing(m Measure, a, b *Entry) (found bool) {
	for e, unit := range map[*Entry]**float64{a: &v.UnitA, b: &v.UnitB} {
		if e.never(m, v.Windows) > mostNever {
			*unit, found = nil, true
		}
	}
	return found
}

// ratio sets the ratio and its interval, which follows from the difference's.
func (m Measure) ratio(v *Verdict) {
	half := 0.0
	interval := v.Status != TooFew
	if interval {
		half = v.Half(0.95)
	}
	lo, hi := v.Difference-half, v.Difference+half
	if m.Quantile > 0 || !m.Shares {
		v.Ratio = positive(Estimate{Value: new(portable(math.Exp(v.Difference)))}).Value
		if interval {
			v.Lo, v.Hi = new(portable(math.Exp(lo))), new(portable(math.Exp(hi)))
		}
		return
	}
	if v.LevelB > 0 && v.LevelA > 0 {
		v.Ratio = new(portable(v.LevelA / v.LevelB))
		if interval {
			v.Lo, v.Hi = new(portable(max(0, v.LevelB+lo)/v.LevelB)), new(portable((v.LevelB+hi)/v.LevelB))
		}
	}
}

// unit turns a level into the metric's unit.
func (m Measure) unit(level float64) *float64 {
	if m.Shares {
		return new(portable(level))
	}
	return finite(new(portable(math.Exp(level))))
}

// decide sets the decision, given how many differences are independent and the
// level at which one more pair would be decided.
func (m Measure) decide(v *Verdict, independent int, level float64) {
	if v.Why != WhyNone {
		return
	}
	c := Comparison{Ratio: v.Ratio, LevelA: v.UnitA, LevelB: v.UnitB}
	if m.Shares {
		c.Ratio = nil
	}
	beyond := c.Beyond(m.Margin)
	if m.Shares {
		beyond = v.Difference != 0 && math.Abs(v.Difference) >= m.Margin.Abs
	}
	margin, edge := m.Margin.Abs, 0.0
	if !m.Shares {
		margin = math.Log(m.Margin.Ratio)
		edge = indifferent * margin
	}
	switch {
	case independent < 3 && len(v.Windows) < LoneWindows:
		v.Why = WhyWindows
	case v.rejected && beyond:
		v.Decided = true
	case v.rejected, v.Error > 0 && math.Abs(v.Difference)+v.Half(0.95) <= margin:
		v.Why = WhyMargin
	default:
		v.Why = WhyPower
	}
	if v.Error > 0 && v.Why != WhyWindows {
		smallest := v.Contrast.Smallest(level, Power, edge, margin)
		if !m.Shares {
			smallest = math.Exp(smallest)
		}
		v.Smallest = new(portable(smallest))
	}
}

// count is how many values the windows hold.
func (e *Entry) count(m Measure, windows []int) (n int) {
	e.among(windows, func(w *Observed) {
		if m.Quantile > 0 {
			n += len(w.Values) + w.Failures
		} else {
			n += int(w.Den)
		}
	})
	return n
}

// never is the share of the windows whose quantile never came.
func (e *Entry) never(m Measure, windows []int) float64 {
	n := 0
	e.among(windows, func(w *Observed) {
		at := m.Quantile // the share of values that come first
		if m.Higher {
			at = 1 - at
		}
		all := len(w.Values) + w.Failures
		if w.Failures > 0 && at*float64(all-1) > float64(len(w.Values)-1) {
			n++
		}
	})
	return float64(n) / float64(len(windows))
}

// among calls do for the windows at the places, both in order.
func (e *Entry) among(places []int, do func(w *Observed)) {
	k := 0
	for i := range e.Windows {
		for k < len(places) && places[k] < e.Windows[i].Window {
			k++
		}
		if k < len(places) && places[k] == e.Windows[i].Window {
			do(&e.Windows[i])
		}
	}
}
