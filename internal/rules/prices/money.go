package prices

import (
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/yamlx"
)

// rate is a price in nano-dollars per unit of its price key (a million tokens,
// or a thousand requests), by the size of the input.
type rate struct {
	base  int64
	tiers []tier // ascending
}

// tier holds for the whole request once its input exceeds start tokens.
type tier struct{ start, price int64 }

// at is the price that an input of so many tokens brings about. Tiers are
// cliffs, as providers bill them: one token more re-prices all of them.
func (r rate) at(input int64) int64 {
	p := r.base
	for _, t := range r.tiers {
		if input > t.start {
			p = t.price
		}
	}
	return p
}

// cost is n units at nano nano-dollars per `per` units, rounded half to even.
// It is exact for any n and nano below 2⁶³; false from a billion dollars on,
// where sums would leave the range of an int64.
func cost(n, nano, per int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(n), uint64(nano))
	if hi >= uint64(per) {
		return 0, false
	}
	q, rest := bits.Div64(hi, lo, uint64(per))
	if twice := 2 * rest; twice > uint64(per) || twice == uint64(per) && q%2 == 1 {
		q++
	}
	return int64(q), q < 1e18
}

// dollars is a price as written, in nano-dollars. Places beyond the ninth, which
// tables computed in floating point have, are rounded away: they are worth less
// than a nano-dollar in a million tokens.
type dollars int64

func (d *dollars) UnmarshalYAML(n *yaml.Node) error {
	f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64)
	switch {
	case n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" && n.ShortTag() != "!!float" || err != nil:
		return yamlx.Errorf(n, "wants a price in US dollars, got %q", n.Value)
	case f < 0:
		return yamlx.Errorf(n, "a price cannot be negative, got %s", n.Value)
	case !(f <= 1_000_000):
		return yamlx.Errorf(n, "wants a price below a million dollars, got %s", n.Value)
	}
	// Fifteen digits survive the way through a float64, so this is the decimal
	// that was written.
	nano, err := strconv.ParseInt(strings.Replace(strconv.FormatFloat(f, 'f', 9, 64), ".", "", 1), 10, 64)
	*d = dollars(nano)
	return err
}

// UnmarshalYAML reads `0.5`, or `{base: 0.5, tiers: [{start: 200000, price: 1}]}`.
func (r *rate) UnmarshalYAML(n *yaml.Node) error {
	if n.Kind != yaml.MappingNode {
		return yamlx.DecodeNode(n, (*dollars)(&r.base))
	}
	var form struct {
		Base  *dollars `yaml:"base"`
		Tiers []struct {
			Start int64    `yaml:"start"`
			Price *dollars `yaml:"price"`
		} `yaml:"tiers"`
	}
	if err := yamlx.DecodeNode(n, &form); err != nil {
		return err
	}
	if form.Base == nil {
		return yamlx.Errorf(n, "tiered price without a base")
	}
	r.base = int64(*form.Base)
	for _, t := range form.Tiers {
		if t.Price == nil || t.Start <= 0 {
			return yamlx.Errorf(n, "a tier wants a start above 0 and a price")
		}
		r.tiers = append(r.tiers, tier{t.Start, int64(*t.Price)})
	}
	if !slices.IsSortedFunc(r.tiers, func(a, b tier) int { return int(min(max(a.start-b.start, -1), 1)) }) {
		return yamlx.Errorf(n, "tiers want to rise by their start")
	}
	return nil
}
