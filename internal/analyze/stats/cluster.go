package stats

import "math"

// ShareOf is what one window holds of a share: K of N.
type ShareOf struct{ K, N int }

// ClusterShare is ΣK/ΣN with an interval that counts what the requests of a
// window share: Wilson's, over the number of independent requests that would
// spread as widely as the windows do. With one window, or nothing or everything
// a case, there is no such spread to be seen, and it is Wilson's over all.
//
// The effective size is n ÷ deff · (z/t)², deff = v/v₀ at least 1 being the
// variance of the share over windows, v = w/(w−1) · Σ(kᵢ − s·nᵢ)²/n², over that
// of n independent requests, v₀ = s(1−s)/n, and t Student's with w−1 degrees of
// freedom in place of the normal z.
//
// Sources: Kish, "Survey Sampling" (1965), 8.2 for the design effect; Korn &
// Graubard, "Confidence intervals for proportions with small expected number of
// positive counts estimated from survey data", Survey Methodology 24 (1998), for
// the effective size in an interval made for independent ones.
func ClusterShare(windows []ShareOf, conf float64) (e Estimate) {
	k, n := 0, 0
	for _, w := range windows {
		k, n = k+w.K, n+w.N
	}
	if n == 0 {
		return e
	}
	if size := effective(windows, conf); size < float64(n) {
		share := float64(k) / float64(n)
		return wilson(share, size, portable(normalQuantile((1+conf)/2)))
	}
	return Wilson(k, n, conf)
}

// ClusterQuantile is the p-quantile of all values (definition 7) with an
// interval of order statistics that counts what the values of a window share:
// that of as many independent values as spread as widely, taken at the same
// places of the order. An end is nil where so few cannot bound it. Windows need
// no order, nor do their values.
//
// Source: Woodruff, "Confidence intervals for medians and other position
// measures", JASA 47 (1952): the share below the quantile has an interval, whose
// ends are read off the order; effective size as for [ClusterShare].
func ClusterQuantile(windows [][]float64, p, conf float64) (e Estimate) {
	var all []float64
	for _, w := range windows {
		all = append(all, w...)
	}
	all = ascending(all)
	q, ok := Quantile(all, p)
	if !ok {
		return e
	}
	shares := make([]ShareOf, 0, len(windows))
	for _, w := range windows {
		s := ShareOf{N: len(w)}
		for _, v := range w {
			if v <= q {
				s.K++
			}
		}
		shares = append(shares, s)
	}
	n := len(all)
	size := int(min(effective(shares, conf), float64(n)))
	e.Value = &q
	lo, hi, loOK, hiOK := QuantileRanks(size, p, conf)
	if loOK {
		e.Lo = new(all[max(1, lo*n/size)-1])
	}
	if hiOK {
		e.Hi = new(all[min(n, (hi*n+size-1)/size)-1])
	}
	return e
}

// effective is how many independent requests spread as widely as the windows'.
func effective(windows []ShareOf, conf float64) float64 {
	k, n, filled := 0, 0, 0
	for _, w := range windows {
		if w.N > 0 {
			k, n, filled = k+w.K, n+w.N, filled+1
		}
	}
	if filled < 2 || k == 0 || k == n {
		return float64(n)
	}
	share := float64(k) / float64(n)
	sum := 0.0
	for _, w := range windows {
		d := float64(w.K) - float64(share*float64(w.N))
		sum += float64(d * d)
	}
	between := sum * float64(filled) / float64(filled-1) / float64(n)
	deff := max(1, between/(share*(1-share)))
	shrink := portable(normalQuantile((1+conf)/2)) / portable(studentQuantile(1-conf, filled-1))
	return portable(float64(n) / deff * shrink * shrink)
}

// wilson is Wilson's interval of a share of so many cases, which need be no
// whole number.
func wilson(share, size, z float64) Estimate {
	z2 := z * z
	mid := (share + z2/(2*size)) / (1 + z2/size)
	half := float64(z / (1 + z2/size) * math.Sqrt(float64(share*(1-share))/size+z2/(4*size*size)))
	lo, hi := max(mid-half, 0), min(mid+half, 1)
	return Estimate{&share, &lo, &hi}
}
