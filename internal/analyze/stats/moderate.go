package stats

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mathext"
)

// moderation is what many variances say of each: each is drawn towards scale
// with the weight of df observations.
type moderation struct{ scale, df float64 }

// moderate fits the distribution that true variances come from, scale times an
// inverse χ² with df degrees of freedom, to the moments of their logarithms:
// s2[i] is a sample variance with n[i] degrees of freedom. Where they differ no
// more than chance has it, df is 10⁴. With fewer than three it is 0: each stands
// for itself.
//
// Variances of zero are raised to 10⁻⁵ of the median of the others, as limma
// does, since a logarithm needs a number. work may be any list to reuse.
//
// Source: Smyth, "Linear models and empirical Bayes methods for assessing
// differential expression in microarray experiments", Statistical Applications
// in Genetics and Molecular Biology 3 (2004), article 3, section 6.2.
func moderate(s2, n, work []float64) (moderation, []float64) {
	if len(s2) < 3 {
		return moderation{}, work
	}
	floor := 0.0
	if slices.Min(s2) <= 0 {
		work = append(work[:0], s2...)
		work = slices.DeleteFunc(work, func(v float64) bool { return v <= 0 })
		if len(work) == 0 {
			return moderation{}, work
		}
		slices.Sort(work)
		floor = 1e-5 * work[len(work)/2]
	}
	var shift, chance map[float64]float64
	shift, chance = map[float64]float64{}, map[float64]float64{}
	e, mean, expected := work[:0], 0.0, 0.0
	for i, v := range s2 {
		c, ok := shift[n[i]]
		if !ok {
			c = math.Log(n[i]/2) - mathext.Digamma(n[i]/2)
			shift[n[i]], chance[n[i]] = c, trigamma(n[i]/2)
		}
		x := math.Log(max(v, floor)) + c
		e = append(e, x)
		mean += x
		expected += chance[n[i]]
	}
	k := float64(len(s2))
	mean, expected = mean/k, expected/k
	spread := 0.0
	for _, x := range e {
		spread += float64((x - mean) * (x - mean))
	}
	df := 1e4
	if over := spread/(k-1) - expected; over > 1e-3 {
		df = 2 * inverseTrigamma(over)
	}
	return moderation{math.Exp(mean + mathext.Digamma(df/2) - math.Log(df/2)), df}, e
}

// of is the moderated variance of a sample variance, and its degrees of freedom.
func (m moderation) of(s2, n float64) (variance, df float64) {
	return (float64(m.df*m.scale) + float64(n*s2)) / (m.df + n), m.df + n
}
