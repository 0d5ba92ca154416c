package stats

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// names turns "aab" into numbers.
func names(s string) []int {
	out := make([]int, len(s))
	for i, c := range s {
		out[i] = int(c)
	}
	return out
}

func TestBreaksOfACleanChange(t *testing.T) {
	// One of the C(8,4) = 70 ways to place four in eight, two-sided 2/70, at any
	// of seven places.
	got := Breaks(names("aaaabbbb"), 0.001)
	if len(got) != 1 {
		t.Fatalf("got %+v, want one break", got)
	}
	s := got[0]
	if s.At != 4 || !s.Clean || s.Before != 4 || s.After != 4 || s.KB+s.KA != 4 || math.Abs(s.P-7*2.0/70) > 1e-12 {
		t.Errorf("got %+v", s)
	}
}

func TestBreaksOfThreeInARow(t *testing.T) {
	got := Breaks(names(strings.Repeat("a", 20)+strings.Repeat("b", 30)+strings.Repeat("c", 25)), 0.001)
	if len(got) != 2 || got[0].At != 20 || got[1].At != 50 {
		t.Fatalf("got %+v, want cuts at 20 and 50", got)
	}
	if s := got[0]; s.Before != 20 || s.After != 30 || !s.Clean || s.P > 1e-10 {
		t.Errorf("first: %+v", s)
	}
}

// A value that comes and goes again is two shifts.
func TestBreaksThereAndBack(t *testing.T) {
	got := Breaks(names(strings.Repeat("a", 40)+strings.Repeat("b", 40)+strings.Repeat("a", 40)), 0.001)
	if len(got) != 2 || got[0].At != 40 || got[1].At != 80 || !got[0].Clean || !got[1].Clean {
		t.Fatalf("got %+v, want clean cuts at 40 and 80", got)
	}
}

// A share that moves, with the name on both sides: one in twenty, then half.
func TestBreaksOfAShare(t *testing.T) {
	got := Breaks(names(strings.Repeat("aaaaaaaaaaaaaaaaaaab", 5)+strings.Repeat("ab", 50)), 0.001)
	if len(got) != 1 {
		t.Fatalf("got %+v, want one break", got)
	}
	if s := got[0]; s.Clean || s.At < 95 || s.At > 105 || s.P > 1e-6 {
		t.Errorf("got %+v", s)
	}
}

func TestNoBreak(t *testing.T) {
	for _, s := range []string{"", "a", "aaaa", "abab", "abba", strings.Repeat("ab", 200), strings.Repeat("aab", 100)} {
		if got := Breaks(names(s), 0.001); len(got) != 0 {
			t.Errorf("%.20q: got %+v, want none", s, got)
		}
	}
}

// Of 2,000 sequences that one mixture gave, at alpha 1 % at most 1 % may be cut;
// the bound is the binomial's at 1 in a million. Clean cuts are not tests.
func TestBreaksFalseAlarms(t *testing.T) {
	r := rand.New(PCG(7))
	alarms, sequences := 0, 2000
	for range sequences {
		v := make([]int, 60)
		for i := range v {
			v[i] = r.IntN(3)
		}
		for _, s := range Breaks(v, 0.01) {
			if s.P <= 0.01 {
				alarms++
				break
			}
		}
	}
	if alarms > 43 {
		t.Errorf("%d of %d sequences without a break were cut", alarms, sequences)
	}
}
