package simulate

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/yamlx"
)

// Dist is a distribution of times or of token counts: a constant, or a
// lognormal given by its median and the standard deviation of its logarithm,
// with an optional heavy tail in which a share of the draws is multiplied.
//
//	120ms
//	{median: 120ms, sigma: 0.2}
//	{median: 120ms, sigma: 0.2, tail: {share: 0.02, times: 8}}
type Dist[T time.Duration | int] struct {
	Median T       `yaml:"median"`
	Sigma  float64 `yaml:"sigma"`
	Tail   struct {
		Share float64 `yaml:"share"` // of the draws, 0 to 1
		Times float64 `yaml:"times"` // their multiplier
	} `yaml:"tail"`
}

// UnmarshalYAML replaces the distribution as a whole: a tail set further up
// does not leak into one that is stated again.
func (d *Dist[T]) UnmarshalYAML(n *yaml.Node) error {
	type plain Dist[T]
	*d = Dist[T]{}
	if n.Kind == yaml.ScalarNode {
		return yamlx.DecodeNode(n, &d.Median)
	}
	if err := yamlx.DecodeNode(n, (*plain)(d)); err != nil {
		return err
	}
	switch {
	case d.Median < 0 || d.Sigma < 0:
		return yamlx.Errorf(n, "median and sigma must not be negative")
	case d.Tail.Share < 0 || d.Tail.Share > 1:
		return yamlx.Errorf(n, "tail.share must lie between 0 and 1, got %v", d.Tail.Share)
	case d.Tail.Share > 0 && d.Tail.Times <= 0:
		return yamlx.Errorf(n, "tail.times must be a positive multiplier, got %v", d.Tail.Times)
	}
	return nil
}

// draw takes one value. It consumes the same amount of randomness whatever the
// parameters are, so that changing one of them leaves other draws alone.
func (d Dist[T]) draw(r *rand.Rand) T {
	z, u := r.NormFloat64(), r.Float64()
	x := float64(d.Median) * math.Exp(d.Sigma*z)
	if u < d.Tail.Share {
		x *= d.Tail.Times
	}
	return T(math.Round(x))
}

// random returns a generator that depends on nothing but the fleet's seed and
// the names given: the same request of the same fleet always fares the same,
// whatever else is running.
func random(seed uint64, names ...string) *rand.Rand {
	h := sha256.Sum256([]byte(strings.Join(names, "\x00")))
	return rand.New(rand.NewPCG(seed^binary.LittleEndian.Uint64(h[:8]), binary.LittleEndian.Uint64(h[8:16])))
}
