package capture

import "bytes"

// matcher finds many words in one pass (Wu and Manber 1994, with blocks of two
// bytes): a table tells from two bytes how far the next place lies at which a
// word can end its first block, so that most bytes are never looked at.
type matcher struct {
	words [][]byte
	least int           // length of the shortest word: every word is found by so many of its first bytes
	shift [1 << 16]byte // by block; 0: words may stand here
	ends  map[uint16][]int
}

func newMatcher(words [][]byte) *matcher {
	m := &matcher{words: words, ends: map[uint16][]int{}}
	for _, w := range words {
		if m.least == 0 || len(w) < m.least {
			m.least = len(w)
		}
	}
	m.least = min(m.least, 255)
	for i := range m.shift {
		m.shift[i] = byte(max(m.least-1, 0))
	}
	for i, w := range words {
		for at := 1; at < m.least; at++ {
			b := block(w, at)
			m.shift[b] = min(m.shift[b], byte(m.least-1-at))
		}
		b := block(w, m.least-1)
		m.ends[b] = append(m.ends[b], i)
	}
	return m
}

func block(p []byte, at int) uint16 { return uint16(p[at-1])<<8 | uint16(p[at]) }

// find gives the first word from a place on, the longest where several begin
// there; at is -1 where there is none.
func (m *matcher) find(p []byte, from int) (at, size int) {
	if m.least < 2 {
		return -1, 0
	}
	for i := from + m.least - 1; i < len(p); {
		b := block(p, i)
		if s := m.shift[b]; s > 0 {
			i += int(s)
			continue
		}
		begin, size := i-m.least+1, 0
		for _, w := range m.ends[b] {
			if word := m.words[w]; len(word) > size && bytes.HasPrefix(p[begin:], word) {
				size = len(word)
			}
		}
		if size > 0 {
			return begin, size
		}
		i++
	}
	return -1, 0
}
