package stats

import (
	"cmp"
	"slices"
)

// BenjaminiHochberg turns the p-values of one family of tests into q-values,
// in place order: q ≤ 0.05 for a set of tests means that at most 5 % of that
// set is expected to be false. Tests without a p-value keep nil and do not
// count into the family.
//
// q₍ᵢ₎ = min over j ≥ i of m·p₍ⱼ₎/j, at most 1. It holds for independent tests
// and for positively dependent ones, as sides that share a provider are.
//
// Sources: Benjamini & Hochberg, JRSS B 57 (1995); Benjamini & Yekutieli,
// Annals of Statistics 29 (2001) on dependence.
func BenjaminiHochberg(p []*float64) []*float64 {
	var order []int
	for i, v := range p {
		if v != nil {
			order = append(order, i)
		}
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(*p[i], *p[j]) })
	q := make([]*float64, len(p))
	least := 1.0
	for k := len(order) - 1; k >= 0; k-- {
		least = min(least, *p[order[k]]*float64(len(order))/float64(k+1))
		q[order[k]] = new(least)
	}
	return q
}
