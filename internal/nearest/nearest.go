// Package nearest finds the known word that a mistyped one was meant to be.
package nearest

// Word returns the word of known that takes the fewest edits (insertions,
// deletions, substitutions, swaps of neighbours) to reach from word; the first
// of several. It returns "" only where known is empty.
func Word(word string, known []string) string {
	best, least := "", -1
	for _, k := range known {
		if n := edits([]rune(word), []rune(k)); least < 0 || n < least {
			best, least = k, n
		}
	}
	return best
}

// Likely is Word, but "" where more than a third of the word would have to
// change: for suggestions that are better left out than wrong.
func Likely(word string, known []string) string {
	best := Word(word, known)
	if edits([]rune(word), []rune(best)) > max(1, len(word)/3) {
		return ""
	}
	return best
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
