package dialect

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// A scanner over JSON bytes for decoders: it never allocates, walks one level
// at a time and hands out raw values. It takes what providers really send
// (invalid UTF-8, lone surrogates, NaN) and reports what has no structure.

// members walks an object. Use: for m := s.object(path, val); m.next(); { m.key, m.val }
type members struct {
	bad   *bool
	b     []byte
	i     int // < 0 when there is nothing left
	first bool
	key   []byte
	val   []byte
}

// object walks val, which should be an object. Null has no members; any other
// type is reported under path.
func (s *stream) object(path string, val []byte) members {
	if len(val) == 0 || val[0] != '{' {
		s.mismatch(path, val)
		return members{i: -1}
	}
	return membersOf(val, &s.malformed)
}

// membersOf walks an object and sets bad where it has no structure.
func membersOf(obj []byte, bad *bool) members {
	return members{bad: bad, b: obj, i: 1, first: true}
}

func (m *members) next() bool {
	if m.i < 0 {
		return false
	}
	i := skipSpace(m.b, m.i)
	if i < len(m.b) && m.b[i] == '}' {
		m.i = -1
		return false
	}
	if !m.first {
		if i >= len(m.b) || m.b[i] != ',' {
			return m.fail()
		}
		i = skipSpace(m.b, i+1)
	}
	m.first = false
	if i >= len(m.b) || m.b[i] != '"' {
		return m.fail()
	}
	end := skipString(m.b, i)
	if end < 0 {
		return m.fail()
	}
	m.key = m.b[i+1 : end-1]
	if bytes.IndexByte(m.key, '\\') >= 0 {
		m.key = unescape(nil, m.key)
	}
	i = skipSpace(m.b, end)
	if i >= len(m.b) || m.b[i] != ':' {
		return m.fail()
	}
	i = skipSpace(m.b, i+1)
	if end = skipValue(m.b, i); end < 0 {
		return m.fail()
	}
	m.val, m.i = m.b[i:end], end
	return true
}

func (m *members) fail() bool {
	m.i, *m.bad = -1, true
	return false
}

// elements walks an array.
type elements struct {
	bad   *bool
	b     []byte
	i     int
	first bool
	val   []byte
}

// array walks val, which should be an array; see object.
func (s *stream) array(path string, val []byte) elements {
	if len(val) == 0 || val[0] != '[' {
		s.mismatch(path, val)
		return elements{i: -1}
	}
	return elementsOf(val, &s.malformed)
}

// elementsOf walks an array and sets bad where it has no structure.
func elementsOf(array []byte, bad *bool) elements {
	return elements{bad: bad, b: array, i: 1, first: true}
}

func (e *elements) next() bool {
	if e.i < 0 {
		return false
	}
	i := skipSpace(e.b, e.i)
	if i < len(e.b) && e.b[i] == ']' {
		e.i = -1
		return false
	}
	if !e.first {
		if i >= len(e.b) || e.b[i] != ',' {
			return e.fail()
		}
		i = skipSpace(e.b, i+1)
	}
	e.first = false
	end := skipValue(e.b, i)
	if end < 0 {
		return e.fail()
	}
	e.val, e.i = e.b[i:end], end
	return true
}

func (e *elements) fail() bool {
	e.i, *e.bad = -1, true
	return false
}

// count is the number of elements of an array, 0 for anything else.
func count(val []byte) (n int32) {
	if kindOf(val) != '[' {
		return 0
	}
	var bad bool
	for e := elementsOf(val, &bad); e.next(); {
		n++
	}
	return n
}

// get finds a member of an object, nil if it is absent.
func get(obj []byte, key string) []byte {
	if kindOf(obj) != '{' {
		return nil
	}
	var bad bool
	for m := membersOf(obj, &bad); m.next(); {
		if string(m.key) == key {
			return m.val
		}
	}
	return nil
}

// kindOf is the first byte of a value: { [ " or that of a literal; 0 if absent.
func kindOf(val []byte) byte {
	if len(val) == 0 {
		return 0
	}
	return val[0]
}

func isNull(val []byte) bool { return len(val) == 0 || string(val) == "null" }

// empty reports whether a value says nothing: null, "", false, 0, [], {}, and
// lists and objects of such.
func empty(val []byte) bool {
	switch kindOf(val) {
	case 0:
		return true
	case '"':
		return len(val) <= 2
	case '{', '[':
		return emptyNested(val, 0)
	}
	switch string(val) {
	case "null", "false", "0", "0.0":
		return true
	}
	return false
}

func emptyNested(val []byte, depth int) bool {
	if depth > 32 {
		return false
	}
	var bad bool
	empties := true
	if val[0] == '[' {
		for e := elementsOf(val, &bad); empties && e.next(); {
			empties = isEmptyAt(e.val, depth)
		}
	} else {
		for m := membersOf(val, &bad); empties && m.next(); {
			empties = isEmptyAt(m.val, depth)
		}
	}
	return empties && !bad
}

func isEmptyAt(val []byte, depth int) bool {
	if k := kindOf(val); k == '{' || k == '[' {
		return emptyNested(val, depth+1)
	}
	return empty(val)
}

func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\r' || b[i] == '\t') {
		i++
	}
	return i
}

// skipString gives the index after the string that begins at i, -1 if it does
// not end.
func skipString(b []byte, i int) int {
	for j := i + 1; ; {
		n := bytes.IndexByte(b[j:], '"')
		if n < 0 {
			return -1
		}
		j += n
		back := j
		for back > i+1 && b[back-1] == '\\' {
			back--
		}
		j++
		if (j-1-back)%2 == 0 {
			return j
		}
	}
}

// skipValue gives the index after the value that begins at i, -1 if it does
// not end or is none. Brackets are counted, not matched: the walk inside finds
// out.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch c := b[i]; {
	case c == '"':
		return skipString(b, i)
	case c == '{' || c == '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				if i = skipString(b, i); i < 0 {
					return -1
				}
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return -1
	case c >= '0' && c <= '9' || c == '-' || c == 't' || c == 'f' || c == 'n' || c == 'N' || c == 'I':
		for i < len(b) && !literalEnd(b[i]) {
			i++
		}
		return i
	}
	return -1
}

func literalEnd(c byte) bool {
	return c == ',' || c == '}' || c == ']' || c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == '"' || c == '{' || c == '[' || c == ':'
}

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
