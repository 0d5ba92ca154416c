package scrub

import (
	"regexp"
	"unicode/utf8"
)

// fillers stand for any character of so many bytes.
var fillers = [5]string{"", "x", "ß", "語", "😀"}

// fill replaces the characters of a JSON string, as it stands between its
// quotation marks, by others of the same kind: as many bytes and characters,
// decoded or not. White space and the marks of JSON stay.
func fill(literal []byte) {
	for i := 0; i < len(literal); {
		if literal[i] == '\\' {
			i += fillEscape(literal[i:])
			continue
		}
		r, n := utf8.DecodeRune(literal[i:])
		if r == utf8.RuneError && n == 1 || isSpace(r) {
			i += n
			continue
		}
		copy(literal[i:], fillers[n])
		i += n
	}
}

// fillEscape fills one escape sequence and gives its length.
func fillEscape(b []byte) int {
	if len(b) < 2 {
		return len(b)
	}
	if b[1] != 'u' {
		return 2 // \n, \" and the like
	}
	if len(b) < 6 {
		return len(b)
	}
	r := hex4(b[2:6])
	switch {
	case r < 0:
		return 2
	case r >= 0xD800 && r < 0xDC00 && len(b) >= 12 && b[6] == '\\' && b[7] == 'u':
		copy(b, `\ud83d\ude00`)
		return 12
	case r >= 0xD800 && r < 0xE000, isSpace(rune(r)), r < ' ':
	case r < 0x80:
		copy(b, `\u0078`)
	case r < 0x800:
		copy(b, `\u00df`)
	default:
		copy(b, `\u8a9e`)
	}
	return 6
}

func hex4(b []byte) int {
	n := 0
	for _, c := range b[:4] {
		switch {
		case c >= '0' && c <= '9':
			n = n<<4 | int(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			n = n<<4 | int(c|0x20-'a'+10)
		default:
			return -1
		}
	}
	return n
}

func isSpace(r rune) bool {
	switch r {
	case ' ', '\t', '\n', '\r', '\v', '\f', 0x85, 0xA0, 0x2028, 0x2029, 0x3000:
		return true
	}
	return false
}

// fillPlain fills text that is no JSON.
func fillPlain(text string) string {
	b := []byte(text)
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n == 1 || isSpace(r) {
			i += n
			continue
		}
		copy(b[i:], fillers[n])
		i += n
	}
	return string(b)
}

// thinkTag is a mark by which decoders tell thinking from an answer in one text.
// Nothing of a text is told by it.
var thinkTag = regexp.MustCompile(`(?:<|\\u003[cC])/?(?:think|thinking|thought|seed:think|reasoning)(?:>|\\u003[eE])|\[/?THINK\]`)

// fillAll fills the pieces of one text, and leaves marks of thinking, which may
// stand across several pieces.
func fillAll(pieces [][]byte) {
	var text []byte
	for _, p := range pieces {
		text = append(text, p...)
	}
	keep := thinkTag.FindAllIndex(text, -1)
	at := 0
	for _, p := range pieces {
		fill(p)
		for _, k := range keep {
			from, to := max(k[0], at), min(k[1], at+len(p))
			if from < to {
				copy(p[from-at:], text[from:to])
			}
		}
		at += len(p)
	}
}
