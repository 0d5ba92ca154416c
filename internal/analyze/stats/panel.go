package stats

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
)

// Series is what one provider shows in one contest: a value for each window, on
// the scale on which differences are meant (logarithms, for times and speeds).
type Series struct {
	Provider int       // from 0
	Windows  []int     // places in Panel.Times, ascending
	Values   []float64 // of these windows; +Inf or −Inf where nothing came, if the panel is winsorised
	// Over gives the values for some of the windows, where they depend on which
	// are looked at; nil: they do not.
	Over func(windows []int) []float64
	// Noise is the least variance that a value can have, such as that of a share
	// of so many attempts; 0 where none is known.
	Noise float64
	kept  float64 // share of the values that were not drawn in; 0: all
}

// Panel is all series of one metric: what can be learnt of one serves all.
type Panel struct {
	Times    []float64  // of the windows, rising, in units of the median gap
	Contests [][]Series // each with a provider once
	// Indifference is the difference that is none: a provider that is nearer than
	// that is not told apart, however many windows there are.
	Indifference float64
	// Winsorise draws values further than three median absolute deviations from
	// their series' middle back to there, beside what the window did to all.
	Winsorise bool
	Noisy     bool // most of what varies is noise of each window, as in tails
	Workers   int  // 0: one
}

// MinWindows is from how many common windows on two providers are compared, and
// LoneWindows from how many they are decided where there is hardly anything else
// to learn the dependence from: fewer than three independent differences, as for
// one pair on two models.
const (
	MinWindows  = 8
	LoneWindows = 24
	// MinEffective is how many independent windows the common ones must be worth.
	MinEffective = 4
)

// Status says whether a contrast has a test.
type Status uint8

const (
	Tested     Status = iota
	TooFew            // common windows: neither test nor interval
	Dependent         // the windows are worth fewer than MinEffective: P is 1
	NoVariance        // nothing varies, so that nothing is to be tested
)

// Contrast is two series of a contest, over their common windows.
type Contrast struct {
	A, B           int // places in the contest, A < B
	Windows        []int
	LevelA, LevelB float64 // means over the windows
	Difference     float64 // LevelA − LevelB
	Error, DF      float64 // standard error of the difference, and its degrees of freedom
	wide, wideDF   float64 // the same for its interval, which doubts that windows are independent
	P              float64 // two-sided, of a difference no larger than Panel.Indifference
	NEffective     float64 // independent windows that the common ones are worth
	Status         Status
}

// Half is half the width of the interval of the difference. A test errs for a
// data set, and its prior is as lenient as that allows; an interval is to hold
// the truth each time, and takes dependence to be as likely as not.
func (c *Contrast) Half(conf float64) float64 { return tQuantile(1-conf, c.wideDF) * c.wide }

// Smallest is the difference that a test at level alpha finds with a chance of
// power, and whose estimate then lies beyond margin.
func (c *Contrast) Smallest(alpha, power, indifference, margin float64) float64 {
	chance := tQuantile(2*(1-power), c.DF) * c.Error
	return max(indifference+tQuantile(alpha, c.DF)*c.Error, margin) + chance
}

// Compared is the result of a panel.
type Compared struct {
	Contrasts [][]Contrast // of each contest, all pairs
	Rho       float64      // correlation of neighbouring windows, as all series have it
	// Middle is the series as compared: winsorised.
	Middle [][]Series
}

// Compare sets every two providers of each contest against each other, paired by
// window, so that what a window does to all cancels. What each provider's level
// does by itself from window to window does not, and mostly lasts longer than a
// window. How long is one question to all series of the metric together: its
// answer is a distribution over persistences ([persistences]), from the restricted
// likelihood of each series' deviation from its contest's mean. The two providers
// compared count in full, the others by at most half. Given a persistence, each
// contrast has a variance, moderated over all contrasts; the variance of the
// difference is the mean over persistences, and what is not known of it costs
// degrees of freedom.
//
// P tests |difference| ≤ Indifference by twice the tail beyond its edge, which is
// never smaller than the exact p-value of that hypothesis.
//
// Sources: [moderate], [whitener]; Satterthwaite, "An approximate distribution of
// estimates of variance components", Biometrics Bulletin 2 (1946), for the degrees
// of freedom; McCarthy & Smyth, "Testing significance relative to a fold-change
// threshold is a TREAT", Bioinformatics 25 (2009), for the null hypothesis.
func (p *Panel) Compare() *Compared {
	r := &panelRun{Panel: p, out: &Compared{Middle: p.Contests, Contrasts: make([][]Contrast, len(p.Contests))}}
	if p.Winsorise {
		r.out.Middle = winsorise(p.Contests)
	}
	windows := 0
	for _, contest := range r.out.Middle {
		for _, s := range contest {
			windows, r.providers = max(windows, len(s.Windows)), max(r.providers, s.Provider+1)
		}
	}
	r.grid, r.prior = persistences(max(windows, 3), p.Noisy)
	r.measure()
	r.judge()
	return r.out
}

type panelRun struct {
	*Panel
	out       *Compared
	providers int
	grid      []persistence
	prior     []float64
	cache     whitenerCache

	likelihood [][]float64   // of each provider's series, by persistence
	total      []float64     // of all
	robust     [][]float64   // as likelihood, of deviations from the medians of contests
	sides      [][]sideState // beside the contrasts
}

// sideState is a contrast given each persistence.
type sideState struct {
	s2    []float64
	scale []float64 // variance of the estimate, for values of variance 1
	free  float64   // degrees of freedom
}

// each calls do for every contest, by so many workers.
func (p *Panel) each(do func(i int)) {
	var g sync.WaitGroup
	var next atomic.Int64
	for range max(1, min(p.Workers, len(p.Contests))) {
		g.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(p.Contests) {
					return
				}
				do(i)
			}
		})
	}
	g.Wait()
}

// measure fills likelihoods and variances.
func (r *panelRun) measure() {
	parts, robust := make([][][]float64, len(r.Contests)), make([][][]float64, len(r.Contests)) // by contest, series, persistence
	r.sides = make([][]sideState, len(r.Contests))
	r.each(func(i int) {
		contest := r.out.Middle[i]
		parts[i] = r.likelihoods(contest, means(contest))
		if robust[i] = parts[i]; len(contest) > 3 {
			robust[i] = r.likelihoods(contest, centres(contest))
		}
		r.out.Contrasts[i], r.sides[i] = r.contrasts(contest)
	})
	r.total = make([]float64, len(r.grid))
	r.likelihood = make([][]float64, max(1, r.providers))
	r.robust = make([][]float64, len(r.likelihood))
	for p := range r.likelihood {
		r.likelihood[p], r.robust[p] = make([]float64, len(r.grid)), make([]float64, len(r.grid))
	}
	for i, part := range robust {
		for j, l := range part {
			for g, v := range l {
				r.robust[r.out.Middle[i][j].Provider][g] += v
			}
		}
	}
	for i, part := range parts {
		for j, l := range part {
			for g, v := range l {
				r.total[g] += v
				r.likelihood[r.out.Middle[i][j].Provider][g] += v
			}
		}
	}
}

// likelihoods are those of each series' deviation from the mean of its contest,
// each with a variance of its own, weighted by how far the deviations are
// independent. Of two providers the one difference is shared by both.
func (r *panelRun) likelihoods(contest []Series, centre map[int]float64) [][]float64 {
	out := make([][]float64, len(contest))
	if len(contest) < 2 {
		return out
	}
	weight := float64(len(contest)-1) / float64(len(contest))
	for i, s := range contest {
		var at []int
		var z []float64
		for k, w := range s.Windows {
			if c, ok := centre[w]; ok {
				at, z = append(at, w), append(z, s.Values[k]-c)
			}
		}
		if len(at) < 4 {
			continue
		}
		set := r.cache.get(r.Times, r.grid, at)
		n, white := float64(len(at)), make([]float64, len(at))
		size := 1.0
		for _, v := range s.Values {
			size = max(size, math.Abs(v))
		}
		l := make([]float64, len(r.grid))
		for g, w := range set.whiteners {
			w.whiten(white, z)
			q := squares(white)
			if q <= nothing*n*size*size {
				l = nil
				break
			}
			l[g] = weight * -(w.logDet + float64((n-1)*math.Log(q))) / 2
		}
		out[i] = l
	}
	return out
}

// means are those of each window that two series have.
func means(contest []Series) map[int]float64 {
	sum, count := map[int]float64{}, map[int]int{}
	for _, s := range contest {
		for k, w := range s.Windows {
			sum[w] += s.Values[k]
			count[w]++
		}
	}
	for w, n := range count {
		if sum[w] /= float64(n); n < 2 {
			delete(sum, w)
		}
	}
	return sum
}

// nothing is the share of a squared value below which a square is rounding.
const nothing = 1e-26

func squares(v []float64) (sum float64) {
	for _, x := range v {
		sum += float64(x * x)
	}
	return sum
}

// contrasts are all pairs of a contest, with their variances by persistence.
func (r *panelRun) contrasts(contest []Series) ([]Contrast, []sideState) {
	n := len(contest) * (len(contest) - 1) / 2
	out, sides := make([]Contrast, 0, n), make([]sideState, 0, n)
	for b := range contest {
		for a := range b {
			c, s := r.contrast(contest, a, b)
			out, sides = append(out, c), append(sides, s)
		}
	}
	return out, sides
}

func (r *panelRun) contrast(contest []Series, a, b int) (Contrast, sideState) {
	x, y := &contest[a], &contest[b]
	c := Contrast{A: a, B: b, Windows: commonInts(x.Windows, y.Windows), Status: TooFew}
	if len(c.Windows) == 0 {
		return c, sideState{}
	}
	va, vb := x.over(c.Windows), y.over(c.Windows)
	d := make([]float64, len(va))
	size := 1.0
	for i := range d {
		d[i] = va[i] - vb[i]
		size = max(size, math.Abs(va[i]), math.Abs(vb[i]))
	}
	c.LevelA, c.LevelB, c.Difference = average(va), average(vb), average(d)
	if len(d) < MinWindows {
		return c, sideState{}
	}
	c.Status = Tested
	set := r.cache.get(r.Times, r.grid, c.Windows)
	s := sideState{s2: make([]float64, len(r.grid)), scale: set.meanVariance, free: float64(len(d) - 1)}
	white := make([]float64, len(d))
	for g, w := range set.whiteners {
		w.whiten(white, d)
		v := squares(white)
		if v <= nothing*float64(len(d))*size*size {
			v = 0
		}
		s.s2[g] = max(v/s.free, x.Noise+y.Noise)
	}
	return c, s
}

// over gives the values of some windows.
func (s *Series) over(windows []int) []float64 {
	switch {
	case len(windows) == len(s.Windows):
		return s.Values
	case s.Over != nil:
		return s.Over(windows)
	}
	out, k := make([]float64, len(windows)), 0
	for i, w := range windows {
		for s.Windows[k] != w {
			k++
		}
		out[i] = s.Values[k]
	}
	return out
}

func average(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum / float64(len(v))
}

// commonInts keeps what two ascending lists share.
func commonInts(x, y []int) []int {
	if slices.Equal(x, y) {
		return x
	}
	var out []int
	for i, j := 0, 0; i < len(x) && j < len(y); {
		switch {
		case x[i] < y[j]:
			i++
		case x[i] > y[j]:
			j++
		default:
			out = append(out, x[i])
			i++
			j++
		}
	}
	return out
}

// judge weighs the persistences and tests every contrast.
func (r *panelRun) judge() {
	total := bounded(r.robust)
	pooled, steady := posterior(r.prior, r.total), posterior(r.prior, total)
	for g, k := range r.grid {
		r.out.Rho += float64(pooled[g] * k.rho * (1 - k.nu))
	}
	r.out.Rho = portable(r.out.Rho)
	m := r.moderations()
	// The other providers' series count by half at most, and by less the more
	// there are: a provider may be unlike the rest.
	others := min(0.5, 2/max(1, float64(r.providers-2)))
	r.each(func(i int) {
		log := make([]float64, len(r.grid))
		for j := range r.out.Contrasts[i] {
			c, s := &r.out.Contrasts[i][j], &r.sides[i][j]
			if c.Status != Tested {
				continue
			}
			pa, pb := r.out.Middle[i][c.A].Provider, r.out.Middle[i][c.B].Provider
			side := func(of [][]float64, total []float64) []float64 {
				for g := range log {
					both := of[pa][g] + of[pb][g]
					log[g] = both + float64(others*(total[g]-both))
				}
				return posterior(r.prior, log)
			}
			weights, whole := side(r.likelihood, r.total), pooled
			if s.worth(pooled) < MinEffective && s.worth(steady) >= MinEffective {
				weights, whole = side(r.robust, total), steady
			}
			c.test(s, whole, weights, m, r.Indifference)
			if r.Noisy {
				c.wide, c.wideDF = c.Error, c.DF // the prior doubts already
			}
			c.wide = portable(c.wide / kept(&r.out.Middle[i][c.A], &r.out.Middle[i][c.B]))
		}
	})
}

// mostSay is how far one provider can raise one persistence above another in what
// all have in common, on the log scale: 8 is 3,000 to one.
const mostSay = 8

// bounded adds up what providers say of the persistence that all have in common,
// none of them more than mostSay. With deviations from medians, of which one
// provider moves no other's, one whose level changes once does not withhold the
// verdicts on all others. Its own comparisons have all that it says.
func bounded(likelihood [][]float64) []float64 {
	out := make([]float64, len(likelihood[0]))
	for _, l := range likelihood {
		least := slices.Max(l) - mostSay
		for g, v := range l {
			out[g] += max(v, least)
		}
	}
	return out
}

// posterior weighs the prior by likelihoods that are given as logarithms.
func posterior(prior, log []float64) []float64 {
	out, most, sum := make([]float64, len(log)), slices.Max(log), 0.0
	for g, v := range log {
		out[g] = prior[g] * math.Exp(v-most)
		sum += out[g]
	}
	for g := range out {
		out[g] /= sum
	}
	return out
}

// moderations are those of the contrasts' variances, for each persistence.
func (r *panelRun) moderations() []moderation {
	var all []*sideState
	for i := range r.sides {
		for j := range r.sides[i] {
			if r.sides[i][j].scale != nil {
				all = append(all, &r.sides[i][j])
			}
		}
	}
	return moderations(len(r.grid), all)
}

// moderations of the variances of all sides, for each of so many persistences.
func moderations(grid int, all []*sideState) []moderation {
	s2, n, work := make([]float64, len(all)), make([]float64, len(all)), make([]float64, 0, len(all))
	out := make([]moderation, grid)
	for g := range out {
		for k, s := range all {
			s2[k], n[k] = s.s2[g], s.free
		}
		out[g], work = moderate(s2, n, work)
	}
	return out
}

func (c *Contrast) test(s *sideState, pooled, weights []float64, m []moderation, indifference float64) {
	c.NEffective = portable(s.worth(pooled))
	c.Error, c.DF = s.error(weights, m)
	beyond := max(0, math.Abs(c.Difference)-indifference)
	switch {
	case c.Error > 0:
		c.P = portable(tTwoSided(beyond/c.Error, c.DF))
		c.wide, c.wideDF = s.error(doubt(weights), m)
	default:
		c.P, c.wideDF, c.Status = 1, c.DF, NoVariance
		if beyond > 0 {
			c.P = 1e-16
		}
	}
	if c.NEffective < MinEffective {
		c.P, c.Status = 1, Dependent
	}
}

// worth is how many independent windows those of the pair are worth.
func (s *sideState) worth(weights []float64) float64 {
	variance := 0.0
	for g, v := range s.scale {
		variance += float64(weights[g] * v)
	}
	return 1 / variance
}

// error is the standard error of the mean difference, the persistence being one
// of many, and its degrees of freedom.
func (s *sideState) error(weights []float64, m []moderation) (se, df float64) {
	var mean, square, freedom float64
	for g, v := range s.scale {
		variance, df := m[g].of(s.s2[g], s.free)
		u := variance * v
		mean += float64(weights[g] * u)
		square += float64(weights[g] * u * u)
		freedom += weights[g] / df
	}
	if mean == 0 {
		return 0, s.free
	}
	return portable(math.Sqrt(mean)), portable(1 / (freedom + max(0, square/(mean*mean)-1)/2))
}

// doubt turns weights that followed from the trusting prior into those of the
// doubtful one.
func doubt(weights []float64) []float64 {
	out, sum := make([]float64, len(weights)), 0.0
	for g, w := range weights {
		if out[g] = w * (1 - doubtful) / (1 - trusting); g == 0 {
			out[g] = w * doubtful / trusting
		}
		sum += out[g]
	}
	for g := range out {
		out[g] /= sum
	}
	return out
}
