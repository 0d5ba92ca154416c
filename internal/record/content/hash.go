// Package content decides how much of prompts and answers reaches the disk:
// all of it, keyed hashes in its place, or sizes and times alone.
//
// A hashed text has as many bytes and characters as it had, piece by piece, and
// equal pieces have equal hashes. So frames keep their sizes and still decode,
// and whatever is computed from sizes, times, usage and endings comes out as it
// would have. Short pieces have short hashes, and these collide.
package content

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"slices"
	"unicode/utf8"
)

// Hasher puts keyed hashes in the place of the texts of one response. It is for
// one goroutine.
type Hasher struct {
	mac hash.Hash
	sum []byte
	at  int
	n   uint32

	fields map[string]*fieldText // by the name of the field
}

// fieldText is what a field has held so far, in pieces, and its hashes. Streams that
// end by saying everything once more must say the same.
type fieldText struct {
	text, hash []byte
	ends       []int // of the pieces
}

// fieldBytes bounds what is kept of a field.
const fieldBytes = 1 << 20

// sofar are fields that may hold the whole text so far, in each frame again.
var sofar = set("completion")

// NewHasher makes a hasher. Who has the key can tell whether a text that he
// guesses is the one that was hashed.
func NewHasher(key []byte) *Hasher { return &Hasher{mac: hmac.New(sha256.New, key)} }

// Name hashes a text that identifies something, such as a prompt's hash.
func (h *Hasher) Name(text string) string {
	h.begin([]byte(text))
	return hex.EncodeToString(h.sum[:16])
}

func (h *Hasher) begin(text []byte) {
	h.mac.Reset()
	h.mac.Write(text)
	h.sum, h.at, h.n = h.mac.Sum(h.sum[:0]), 0, 0
}

// next gives one of 32 values; the hash is drawn out for as long as needed.
func (h *Hasher) next() byte {
	if h.at == len(h.sum) {
		h.n++
		h.mac.Reset()
		h.mac.Write(h.sum)
		h.mac.Write(binary.BigEndian.AppendUint32(nil, h.n))
		h.sum, h.at = h.mac.Sum(h.sum[:0]), 0
	}
	c := h.sum[h.at] & 31
	h.at++
	return c
}

const letters = "abcdefghijklmnopqrstuvwxyz234567"

// thinkTags mark thinking within an answer's text; where they stand decides what
// is answer, so they stay.
var thinkTags = []string{"<think>", "</think>", "<thinking>", "</thinking>"}

// text hashes the inside of a string of JSON, in place: each character becomes
// one of as many bytes, each escape an escape. A blank string stays blank.
func (h *Hasher) text(p []byte) {
	if blank(p) {
		return
	}
	h.begin(p)
	for i := 0; i < len(p); {
		if n := tag(p[i:]); n > 0 {
			i += n
			continue
		}
		c := p[i]
		switch {
		case c == '\\' && i+1 < len(p) && p[i+1] == 'u' && i+6 <= len(p):
			i += h.unicode(p[i:])
		case c == '\\':
			if i+1 < len(p) {
				p[i+1] = 'n'
			}
			i += 2
		case c < utf8.RuneSelf:
			p[i] = letters[h.next()]
			i++
		default:
			i += h.rune(p[i:])
		}
	}
}

// field hashes the string of a field. One that joins what came in pieces becomes
// the hashes of the pieces.
func (h *Hasher) field(name, p []byte) {
	s := h.fields[string(name)]
	if s != nil && sofar[string(name)] && bytes.HasPrefix(p, s.text) {
		text := bytes.Clone(p)
		copy(p, s.hash)
		h.text(p[len(s.text):])
		*s = fieldText{text: text, hash: bytes.Clone(p)}
		return
	}
	for _, s := range h.fields {
		if s.again(p) {
			return
		}
	}
	text := bytes.Clone(p)
	h.text(p)
	if s == nil {
		s = &fieldText{}
		if h.fields == nil {
			h.fields = map[string]*fieldText{}
		}
		h.fields[string(name)] = s
	}
	if len(s.text)+len(p) <= fieldBytes {
		s.text, s.hash = append(s.text, text...), append(s.hash, p...)
		s.ends = append(s.ends, len(s.text))
	}
}

// again looks for a text that is several whole pieces, one after the other, and
// puts their hashes in its place.
func (s *fieldText) again(p []byte) bool {
	if len(s.ends) < 2 || len(p) == 0 {
		return false
	}
	for from := 0; ; {
		i := bytes.Index(s.text[from:], p)
		if i < 0 {
			return false
		}
		at := from + i
		first, begins := 0, at == 0
		if !begins {
			first, begins = slices.BinarySearch(s.ends, at)
			first++
		}
		last, ends := slices.BinarySearch(s.ends, at+len(p))
		if begins && ends && last > first {
			copy(p, s.hash[at:])
			return true
		}
		from = at + 1
	}
}

// unicode hashes an escape in hex, or a pair of them that make one character.
func (h *Hasher) unicode(p []byte) (size int) {
	if len(p) >= 12 && (p[2] == 'd' || p[2] == 'D') && p[3] >= '8' && p[6] == '\\' && p[7] == 'u' {
		copy(p, `\ud83d\ude00`)
		p[11] = "0123456789abcdef"[h.next()&15]
		return 12
	}
	copy(p[2:], "0061")
	p[5] = "123456789abcdef1"[h.next()&15]
	return 6
}

// rune hashes a character of several bytes into one of as many.
func (h *Hasher) rune(p []byte) int {
	_, n := utf8.DecodeRune(p)
	switch n {
	case 2:
		p[0], p[1] = 0xc3, 0xa0|h.next()&15
	case 3:
		p[0], p[1], p[2] = 0xe4, 0xb8, 0x80|h.next()
	case 4:
		p[0], p[1], p[2], p[3] = 0xf0, 0x9f, 0x98, 0x80|h.next()
	default:
		p[0] = '?'
	}
	return n
}

// blank: nothing but white space, as it is or escaped.
func blank(p []byte) bool {
	for i := 0; i < len(p); i++ {
		switch p[i] {
		case ' ', '\t', '\n', '\r':
		case '\\':
			i++
			if i < len(p) && p[i] != 'n' && p[i] != 't' && p[i] != 'r' {
				return false
			}
		default:
			return false
		}
	}
	return true
}

func tag(p []byte) int {
	if p[0] != '<' {
		return 0
	}
	for _, t := range thinkTags {
		if len(p) >= len(t) && string(p[:len(t)]) == t {
			return len(t)
		}
	}
	return 0
}
