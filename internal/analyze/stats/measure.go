package stats

import (
	"math"
	"slices"
)

// Measure says how windows of a metric become values that are compared.
type Measure struct {
	Quantile float64 // of a window's values; 0: sums
	Spread   bool    // the quantile less the median
	Shares   bool    // sums: cases among attempts, rather than costs of results
	Higher   bool    // is better
	Margin   Margin  // how much is worth telling
	Strict   bool    // a step is tested against the whole margin, and not a quarter of it
}

// Observed is what one provider shows in one window of a contest: values,
// ascending, and how many never came; or two sums; or values, and the level that
// they have together.
type Observed struct {
	Window   int // its place in time
	Values   []float64
	Failures int // that count as worse than any value
	Num, Den int64
	Level    float64 // of a speed: the ratio of sums over its answers; else 0
}

// Entry is one provider in one contest, its windows in the order of time.
type Entry struct {
	Provider int // from 0
	Windows  []Observed
}

// boundedBy is from how many values a side on a tail is compared: below, it has
// no upper end at 95 %. That is 72 for the 95th percentile.
func boundedBy(q float64) int { return int(math.Ceil(math.Log(0.025) / math.Log(q))) }

// indifferent is the share of the margin within which a difference is none.
const indifferent = 0.25

// Panel makes series of the entries of each contest. Times are those of the
// windows, rising, in any unit.
//
// A quantile of a window is compared as its logarithm; failures are values that
// never came, and stand at its slow end. Of a speed it is the ratio of sums over
// the window's answers, which failures pull as far as they pull the median. Where the windows of a tail hold
// different numbers of values, each provider's quantile is what as many draws as
// the smallest has would show on average: the 95th percentile of thirty values
// lies above that of five.
//
// A ratio of sums has for each window its part in the ratio over all windows,
// linearised, so that the mean over windows is the ratio of the sums itself (of
// costs: its logarithm).
//
// Source: Woodruff, "A simple method for approximating the variance of a
// complicated estimate", JASA 66 (1971), for the linearisation.
func (m Measure) Panel(times []float64, contests [][]Entry, workers int) *Panel {
	p := &Panel{Times: unitTimes(times), Winsorise: m.Quantile > 0, Noisy: m.Shares || m.Quantile > 0.5, Workers: workers, Contests: make([][]Series, len(contests))}
	if !m.Shares {
		p.Indifference = indifferent * math.Log(m.Margin.Ratio)
	}
	p.each(func(i int) {
		draws := m.draws(contests[i])
		for _, e := range contests[i] {
			var s Series
			if m.Quantile > 0 {
				s = m.quantiles(e, draws)
			} else {
				s = m.sums(e.Windows)
			}
			s.Provider = e.Provider
			p.Contests[i] = append(p.Contests[i], s)
		}
	})
	return p
}

// unitTimes puts times into units of their median gap, to the hundredth, and
// windows that overlap a tenth of it apart.
func unitTimes(times []float64) []float64 {
	if len(times) < 2 {
		return times
	}
	gaps := make([]float64, len(times)-1)
	for i := range gaps {
		gaps[i] = times[i+1] - times[i]
	}
	out, unit := make([]float64, len(times)), medianOf(slices.Clone(gaps))
	if unit <= 0 {
		unit = 1
	}
	for i, g := range gaps {
		out[i+1] = math.Round(100*(out[i]+max(g/unit, 0.1))) / 100
	}
	return out
}

// draws is how many values the provider with the fewest has in each window; nil
// where that does not matter.
func (m Measure) draws(contest []Entry) map[int]int {
	if m.Quantile == 0 || m.Quantile == 0.5 {
		return nil
	}
	least := map[int]int{}
	for _, e := range contest {
		for _, w := range e.Windows {
			n := len(w.Values) + w.Failures
			if had, ok := least[w.Window]; n > 0 && (!ok || n < had) {
				least[w.Window] = n
			}
		}
	}
	return least
}

func (m Measure) quantiles(e Entry, draws map[int]int) Series {
	var s Series
	for _, w := range e.Windows {
		v := w.Values
		if w.Failures > 0 {
			v = slices.Clone(v)
			for range w.Failures {
				if m.Higher {
					v = slices.Insert(v, 0, 0)
				} else {
					v = append(v, math.Inf(1))
				}
			}
		}
		if len(v) == 0 {
			continue
		}
		at := func(p float64) float64 {
			if k, ok := draws[w.Window]; ok && k < len(v) {
				return expectedQuantile(v, k, p)
			}
			q, _ := Quantile(v, p)
			return q
		}
		q := at(m.Quantile)
		if m.Spread && !math.IsInf(q, 1) {
			q = max(0, q-at(0.5))
		}
		if w.Level > 0 && len(w.Values) > 0 {
			came, _ := Quantile(w.Values, m.Quantile)
			q *= w.Level / came
		}
		s.Windows, s.Values = append(s.Windows, w.Window), append(s.Values, math.Log(q))
	}
	return s
}

// expectedQuantile is the mean, over all choices of k of the ascending values,
// of their q-quantile (type 7).
func expectedQuantile(v []float64, k int, q float64) float64 {
	at := q * float64(k-1)
	rank := int(at)
	share := at - float64(rank)
	mean := func(r int) (sum float64) { // of the r-th smallest of k, from 1
		for i, x := range v {
			weight := choose(i, r-1) + choose(len(v)-1-i, k-r) - choose(len(v), k)
			if !math.IsInf(weight, -1) {
				sum += float64(math.Exp(weight) * x)
			}
		}
		return sum
	}
	out := float64((1 - share) * mean(rank+1))
	if share > 0 {
		out += float64(share * mean(rank+2))
	}
	return out
}

// choose is the logarithm of the number of choices; −Inf where there is none.
func choose(n, k int) float64 {
	if k < 0 || k > n {
		return math.Inf(-1)
	}
	a, _ := math.Lgamma(float64(n + 1))
	b, _ := math.Lgamma(float64(k + 1))
	c, _ := math.Lgamma(float64(n - k + 1))
	return a - b - c
}

func (m Measure) sums(windows []Observed) Series {
	kept := slices.DeleteFunc(slices.Clone(windows), func(w Observed) bool { return w.Num == 0 && w.Den == 0 })
	var num, den int64
	for _, w := range kept {
		num, den = num+w.Num, den+w.Den
	}
	if den == 0 || !m.Shares && num == 0 {
		return Series{} // nothing came of it, or nothing was spent: no logarithm
	}
	n := float64(len(kept))
	level, meanNum, meanDen := float64(num)/float64(den), float64(num)/n, float64(den)/n
	var s Series
	for _, w := range kept {
		v := level + (float64(w.Num)-float64(level*float64(w.Den)))/meanDen
		if !m.Shares {
			v = math.Log(level) + float64(w.Num)/meanNum - float64(w.Den)/meanDen
		}
		s.Windows, s.Values = append(s.Windows, w.Window), append(s.Values, v)
	}
	if m.Shares {
		p := (float64(num) + 0.5) / (float64(den) + 1)
		s.Noise = p * (1 - p) / meanDen
	}
	s.Over = func(some []int) []float64 {
		part := slices.DeleteFunc(slices.Clone(kept), func(w Observed) bool {
			_, found := slices.BinarySearch(some, w.Window)
			return !found
		})
		over := m.sums(part)
		if len(over.Values) != len(some) { // nothing came in these: as over all
			over.Values = nil
			for i, w := range s.Windows {
				if _, found := slices.BinarySearch(some, w); found {
					over.Values = append(over.Values, s.Values[i])
				}
			}
		}
		return over.Values
	}
	return s
}
