package dialect

import (
	"bytes"
	"encoding/binary"
	"math/bits"
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

// membersOf walks an object and sets bad, if there is one, where it has no
// structure.
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
	m.i = -1
	if m.bad != nil {
		*m.bad = true
	}
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

// elementsOf walks an array; see membersOf.
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
	e.i = -1
	if e.bad != nil {
		*e.bad = true
	}
	return false
}

// count is the number of elements of an array, 0 for anything else.
func count(val []byte) (n int32) {
	if kindOf(val) != '[' {
		return 0
	}
	for e := elementsOf(val, nil); e.next(); {
		n++
	}
	return n
}

// get finds a member of an object, nil if it is absent.
func get(obj []byte, key string) []byte {
	if kindOf(obj) != '{' {
		return nil
	}
	for m := membersOf(obj, nil); m.next(); {
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
	// Eight bytes at a time: m marks those that are a quote or a backslash (and,
	// above the first such byte only, perhaps others).
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	j := i + 1
	for j+8 <= len(b) {
		x := binary.LittleEndian.Uint64(b[j:])
		q, e := x^('"'*ones), x^('\\'*ones)
		m := ((q-ones)&^q | (e-ones)&^e) & highs
		if m == 0 {
			j += 8
			continue
		}
		j += bits.TrailingZeros64(m) >> 3
		if b[j] == '"' {
			return j + 1
		}
		j += 2
	}
	for ; j < len(b); j++ {
		switch b[j] {
		case '"':
			return j + 1
		case '\\':
			j++
		}
	}
	return -1
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
