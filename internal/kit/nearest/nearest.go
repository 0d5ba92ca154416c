// Package nearest finds the known word that a mistyped one was meant to be.
package nearest

import (
	"strings"
	"unicode"
)

// Likely returns the word of known that word was most likely meant to be, or ""
// where none is near: a suggestion is better left out than wrong. Near are a
// word that has most of the same parts ("input_tokens" for
// "reported_input_tokens", "anthropic" for "anthropic-messages"), and one that
// takes few edits (insertions, deletions, substitutions, swaps of neighbours),
// no more than a third of the word. Of several, that with the most in common,
// then the fewest edits, then the first.
func Likely(word string, known []string) string {
	best, bestShared, least := "", 0, 0
	for _, k := range known {
		shared, edits := common(word, k), edits([]rune(word), []rune(k))
		if shared == 0 && edits > max(1, len([]rune(word))/3) {
			continue
		}
		if best == "" || shared > bestShared || shared == bestShared && edits < least {
			best, bestShared, least = k, shared, edits
		}
	}
	return best
}

// Or says what word may have been meant to be, for the end of a message: "the
// nearest known key is "provider"", or all that are known where none is near.
func Or(what, word string, known []string) string {
	if near := Likely(word, known); near != "" {
		return "the nearest known " + what + " is \"" + near + "\""
	}
	return "known: " + strings.Join(known, ", ")
}

// common counts the letters of the parts that two words share, where these are
// at least half of the first. Parts are what stands between points, dashes,
// underscores and the like. Those of two letters are units and syllables: alone
// they say nothing.
func common(a, b string) int {
	of := parts(b)
	all, shared := 0, 0
	telling := false
	for p := range parts(a) {
		all += len(p)
		if of[p] {
			shared += len(p)
			telling = telling || len(p) > 2
		}
	}
	if !telling || 2*shared < all {
		return 0
	}
	return shared
}

func parts(word string) map[string]bool {
	out := map[string]bool{}
	for _, p := range strings.FieldsFunc(strings.ToLower(word), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		out[p] = true
	}
	return out
}

// edits is the optimal string alignment distance.
func edits(a, b []rune) int {
	prev2, prev, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(prev[j]+1, row[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], prev2[j-2]+1)
			}
		}
		prev2, prev, row = prev, row, prev2
	}
	return prev[len(b)]
}
