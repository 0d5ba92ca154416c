package stats

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// Seed hashes its parts into a seed that is the same on every machine and in
// every version: FNV-1a (64 bit) over each part and its length, so that
// ("ab", "c") and ("a", "bc") differ, finished by SplitMix64's mixer.
//
// Sources: Fowler, Noll, Vo, "The FNV Non-Cryptographic Hash Algorithm"
// (IETF draft, 2012); Steele, Lea, Flood, "Fast splittable pseudorandom number
// generators", OOPSLA 2014.
func Seed(parts ...string) uint64 {
	h := newHash()
	for _, p := range parts {
		h.text(p)
	}
	return h.sum()
}

type hash uint64

func newHash() hash { return 14695981039346656037 }

func (h *hash) byte(b byte) { *h = (*h ^ hash(b)) * 1099511628211 }

func (h *hash) word(w uint64) {
	for range 8 {
		h.byte(byte(w))
		w >>= 8
	}
}

func (h *hash) number(x float64) { h.word(math.Float64bits(x)) }

func (h *hash) text(s string) {
	for i := range len(s) {
		h.byte(s[i])
	}
	h.word(uint64(len(s)))
}

func (h hash) sum() uint64 {
	z := uint64(h) + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// PCG returns the stream of random numbers that a seed stands for (PCG-DXSM
// with 128 bits of state, whose sequence math/rand/v2 fixes).
func PCG(seed uint64) *rand.PCG { return rand.NewPCG(seed, 0xda3e39cb94b95bdb) }

// below draws from 0..n−1 by multiply-and-shift. Its bias is n/2⁶⁴, which no
// sample can show, and unlike rejection it always takes one draw.
func below(r *rand.PCG, n int) int {
	hi, _ := bits.Mul64(r.Uint64(), uint64(n))
	return int(hi)
}
