package stats

import "math"

// distribution holds the probabilities of the whole numbers from first on;
// what lies outside underflows.
type distribution struct {
	first int
	p     []float64
}

func (d distribution) at(k int) float64 {
	if i := k - d.first; i >= 0 && i < len(d.p) {
		return d.p[i]
	}
	return 0
}

// unimodal builds a distribution over lo..hi from its mode and the ratio
// P(k+1)/P(k), so that no factorial or logarithm is needed.
func unimodal(lo, hi, mode int, ratio func(k int) float64) distribution {
	const least = 1e-300
	var down []float64
	for k, w := mode-1, 1.0; k >= lo; k-- {
		if w /= ratio(k); w < least {
			break
		}
		down = append(down, w)
	}
	d := distribution{first: mode - len(down), p: make([]float64, len(down), 2*len(down)+1)}
	for i, w := range down {
		d.p[len(down)-1-i] = w
	}
	d.p = append(d.p, 1)
	for k, w := mode, 1.0; k < hi; k++ {
		if w *= ratio(k); w < least {
			break
		}
		d.p = append(d.p, w)
	}
	sum := 0.0
	for _, w := range d.p {
		sum += w
	}
	for i := range d.p {
		d.p[i] /= sum
	}
	return d
}

func binomial(n int, p float64) distribution {
	switch {
	case p <= 0:
		return distribution{0, []float64{1}}
	case p >= 1:
		return distribution{n, []float64{1}}
	}
	odds := p / (1 - p)
	return unimodal(0, n, min(n, int(float64(n+1)*p)), func(k int) float64 {
		return float64(n-k) / float64(k+1) * odds
	})
}

// twoSided sums the outcomes that are no likelier than the one seen. The
// tolerance keeps outcomes together that are equally likely but for rounding.
func (d distribution) twoSided(k int) float64 {
	limit := d.at(k) * (1 + 1e-7)
	sum := 0.0
	for _, p := range d.p {
		if p <= limit {
			sum += p
		}
	}
	return min(max(sum, 1e-300), 1) // not 0: what underflows is still possible
}

// FisherTest is the exact two-sided p-value for equal shares of success in two
// samples, k1 of n1 and k2 of n2, given all margins.
//
// Source: Fisher, "The logic of inductive inference", JRSS 98 (1935);
// two-sided as in R's fisher.test.
func FisherTest(k1, n1, k2, n2 int) float64 {
	k := k1 + k2
	lo, hi := max(0, k-n2), min(k, n1)
	mode := int(float64(k+1) * float64(n1+1) / float64(n1+n2+2))
	return unimodal(lo, hi, min(max(mode, lo), hi), func(i int) float64 {
		return float64(k-i) / float64(i+1) * float64(n1-i) / float64(n2-k+i+1)
	}).twoSided(k1)
}

// Wilson is the share k/n with Wilson's score interval; nothing for n = 0.
//
// Source: Wilson, "Probable inference, the law of succession, and statistical
// inference", JASA 22 (1927).
func Wilson(k, n int, conf float64) (e Estimate) {
	if n <= 0 {
		return e
	}
	z := portable(normalQuantile((1 + conf) / 2))
	share, size, z2 := float64(k)/float64(n), float64(n), z*z
	mid := (share + z2/(2*size)) / (1 + z2/size)
	half := z / (1 + z2/size) * math.Sqrt(float64(share*(1-share))/size+z2/(4*size*size))
	lo, hi := mid-half, mid+half
	// The ends that the formula gives exactly, without the rounding.
	if k == 0 {
		lo = 0
	}
	if k == n {
		hi = 1
	}
	return Estimate{&share, &lo, &hi}
}

// ClopperPearson is the exact interval for the probability behind k successes
// in n trials: each end is the probability under which what was seen, or worse,
// has half of the error. 0 and 1 for n = 0.
//
// Source: Clopper & Pearson, Biometrika 26 (1934).
func ClopperPearson(k, n int, conf float64) (lo, hi float64) {
	tail := (1 - conf) / 2
	solve := func(beyond func(p float64) float64) float64 { // beyond rises with p
		a, b := 0.0, 1.0
		for range 60 {
			if mid := (a + b) / 2; beyond(mid) > tail {
				b = mid
			} else {
				a = mid
			}
		}
		return (a + b) / 2
	}
	hi = 1
	if k > 0 {
		lo = portable(solve(func(p float64) float64 { return binomial(n, p).sum(k, n) }))
	}
	if k < n {
		hi = portable(1 - solve(func(p float64) float64 { return binomial(n, p).sum(n-k, n) }))
	}
	return lo, hi
}

// sum is the probability of from..to.
func (d distribution) sum(from, to int) float64 {
	sum := 0.0
	for k := from; k <= to; k++ {
		sum += d.at(k)
	}
	return sum
}
