package stats

import (
	"math"
	"slices"
)

// winsorise draws outliers back. A series' middle and spread are the median and
// the median absolute deviation of its difference from the contest's median of
// the window; what lies further than three spreads from the middle is put there.
// A spread is at least the median spread of all series. Windows in which nothing
// came to anyone are left out: they tell nothing apart.
//
// Source: Hampel, "The influence curve and its role in robust estimation", JASA
// 69 (1974), for the median absolute deviation; 1.4826 makes it the standard
// deviation of a normal distribution.
func winsorise(contests [][]Series) [][]Series {
	type middle struct {
		rest       []float64 // value − centre
		at, spread float64
		centres    []float64
		win        []int // places that stay
	}
	var spreads []float64
	all := make([][]middle, len(contests))
	for i, contest := range contests {
		centre := centres(contest)
		all[i] = make([]middle, len(contest))
		for j, s := range contest {
			m := &all[i][j]
			var finite []float64
			for k, w := range s.Windows {
				c, ok := centre[w]
				if !ok {
					continue
				}
				m.rest, m.centres, m.win = append(m.rest, s.Values[k]-c), append(m.centres, c), append(m.win, w)
				if !math.IsInf(s.Values[k], 0) {
					finite = append(finite, s.Values[k]-c)
				}
			}
			if len(finite) == 0 {
				continue
			}
			m.at = medianOf(finite)
			for k := range finite {
				finite[k] = math.Abs(finite[k] - m.at)
			}
			m.spread = 1.4826 * medianOf(finite)
			spreads = append(spreads, m.spread)
		}
	}
	least := medianOf(spreads)
	out := make([][]Series, len(contests))
	for i, contest := range contests {
		out[i] = make([]Series, len(contest))
		for j, s := range contest {
			m := &all[i][j]
			reach := 3 * max(m.spread, least)
			if reach == 0 { // mostly equal values: the few others are all that varies
				for _, r := range m.rest {
					if !math.IsInf(r, 0) {
						reach = max(reach, math.Abs(r-m.at))
					}
				}
			}
			s.Windows, s.Values, s.Over = m.win, make([]float64, len(m.rest)), nil
			drawn := 0
			for k, r := range m.rest {
				s.Values[k] = m.centres[k] + min(max(r, m.at-reach), m.at+reach)
				if math.Abs(r-m.at) > reach {
					drawn++
				}
			}
			s.kept = 1 - float64(drawn)/max(1, float64(len(m.rest)))
			out[i][j] = s
		}
	}
	return out
}

// centres are the medians of the finite values of each window.
func centres(contest []Series) map[int]float64 {
	byWindow := map[int][]float64{}
	for _, s := range contest {
		for k, w := range s.Windows {
			if !math.IsInf(s.Values[k], 0) {
				byWindow[w] = append(byWindow[w], s.Values[k])
			}
		}
	}
	out := make(map[int]float64, len(byWindow))
	for w, v := range byWindow {
		out[w] = medianOf(v)
	}
	return out
}

// medianOf sorts its list; of none it is 0.
func medianOf(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
}

// kept is the share of two series' values that were not drawn in. The mean of
// values of which some are has a standard error that is larger by its inverse than
// their spread says.
//
// Source: Tukey & McLaughlin, "Less vulnerable confidence and significance
// procedures for location based on a single sample", Sankhyā A 25 (1963).
func kept(a, b *Series) float64 {
	share := func(s *Series) float64 {
		if s.kept == 0 {
			return 1
		}
		return s.kept
	}
	return max(0.5, (share(a)+share(b))/2)
}
