package dialect

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// decode gives a string value's text as valid UTF-8, in place where it can.
// Anything that is no string has no text.
func (s *stream) decode(val []byte) []byte {
	if kindOf(val) != '"' || len(val) < 2 {
		return nil
	}
	return s.decodeInner(val[1 : len(val)-1])
}

func (s *stream) decodeInner(in []byte) []byte {
	if bytes.IndexByte(in, '\\') < 0 && utf8.Valid(in) {
		return in
	}
	at := len(s.scratch)
	s.scratch = unescape(s.scratch, in)
	return s.scratch[at:len(s.scratch):len(s.scratch)]
}

// str gives a string value, or a literal as it stands, as a Go string.
func (s *stream) str(val []byte) string {
	switch kindOf(val) {
	case '"':
		return string(s.decode(val))
	case '{', '[', 0:
		return ""
	}
	if isNull(val) {
		return ""
	}
	return string(bytes.ToValidUTF8(val, []byte("\uFFFD")))
}

// word gives a short text of few spellings (names of events, types) without
// making it again each time.
func (s *stream) word(b []byte) string {
	const most = 64
	if w, ok := s.words[string(b)]; ok {
		return w
	}
	w := string(b)
	if len(s.words) < most && len(b) < most {
		if s.words == nil {
			s.words = map[string]string{}
		}
		s.words[w] = w
	}
	return w
}

// typeOf is the text of a field that names a message's or part's type.
func (s *stream) typeOf(obj []byte, key string) string { return s.word(s.decode(get(obj, key))) }

// unescape appends the text of a JSON string's inside to dst: escapes resolved,
// lone surrogates and invalid UTF-8 replaced by U+FFFD.
func unescape(dst, in []byte) []byte {
	for i := 0; i < len(in); {
		c := in[i]
		switch {
		case c == '\\' && i+1 < len(in):
			r, n := escape(in[i:])
			dst = utf8.AppendRune(dst, r)
			i += n
		case c < utf8.RuneSelf:
			dst = append(dst, c)
			i++
		default:
			r, n := utf8.DecodeRune(in[i:])
			dst = utf8.AppendRune(dst, r) // RuneError is U+FFFD
			i += n
		}
	}
	return dst
}

// escape reads the escape sequence at the head of in and its length.
func escape(in []byte) (rune, int) {
	switch in[1] {
	case 'n':
		return '\n', 2
	case 't':
		return '\t', 2
	case 'r':
		return '\r', 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'u':
		r := hex4(in)
		if r < 0 {
			return utf8.RuneError, 2
		}
		if utf16.IsSurrogate(r) {
			if len(in) >= 12 && in[6] == '\\' && in[7] == 'u' {
				if both := utf16.DecodeRune(r, hex4(in[6:])); both != utf8.RuneError {
					return both, 12
				}
			}
			return utf8.RuneError, 6
		}
		return r, 6
	}
	r, n := utf8.DecodeRune(in[1:]) // the quote, the solidus, or what should not be escaped
	return r, 1 + n
}

// hex4 reads the four digits of \uXXXX at the head of in, -1 if they are none.
func hex4(in []byte) rune {
	if len(in) < 6 {
		return -1
	}
	var r rune
	for _, c := range in[2:6] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return -1
		}
		r = r<<4 | rune(c)
	}
	return r
}

// integer reads a count: a whole number ≥ 0, bare or quoted. Providers write
// 12, 12.0 and "12"; a negative number means that there is none.
func integer(val []byte) (int64, bool) {
	if kindOf(val) == '"' && len(val) > 2 {
		val = val[1 : len(val)-1]
	}
	if len(val) == 0 || len(val) > 40 {
		return 0, false
	}
	var n int64
	for _, c := range val {
		if c < '0' || c > '9' || n > 1<<58 {
			f, err := strconv.ParseFloat(string(val), 64)
			if err != nil || f < 0 || f > 1<<53 || f != float64(int64(f)) {
				return 0, false
			}
			return int64(f), true
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

// index reads an index of a choice or tool call, ok only if it fits.
func index(val []byte) (int32, bool) {
	n, ok := integer(val)
	if !ok || n > 1<<30 {
		return 0, false
	}
	return int32(n), true
}

// quoteJSON appends valid UTF-8 text as the inside of a JSON string.
func quoteJSON(dst, text []byte) []byte {
	const hex = "0123456789abcdef"
	for _, c := range text {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < ' ':
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			dst = append(dst, c)
		}
	}
	return dst
}
