package dialect

import "unicode/utf16"

// A character beyond the basic plane is two escapes in JSON, and a server that
// cuts its text by escapes sends them in two frames. The first half is held
// back until the second one comes.

// halfKey names the running text that a half belongs to.
type halfKey struct {
	kind   Kind
	choice int32
	call   *call
}

const escapeLen = len(`\ud83d`)

// whole decodes a string value, with the half that an earlier one left before it.
func (s *stream) whole(d *action, val []byte) []byte {
	if kindOf(val) != '"' || len(val) < 2 {
		return nil
	}
	return s.wholeInner(d, val[1:len(val)-1])
}

// wholeInner does so with the inside of a string.
func (s *stream) wholeInner(d *action, in []byte) []byte {
	if len(in) == 0 {
		return nil
	}
	key := halfKey{d.kind, d.choice, d.call}
	if held, ok := s.halves[key]; ok {
		delete(s.halves, key)
		in = append(append(make([]byte, 0, escapeLen+len(in)), held[:]...), in...)
	}
	if n := len(in) - escapeLen; n >= 0 && in[n] == '\\' && in[n+1] == 'u' && !escaped(in[:n]) {
		if r := hex4(in[n:]); r >= 0xd800 && r < 0xdc00 && utf16.IsSurrogate(r) {
			if s.halves == nil {
				s.halves = map[halfKey][escapeLen]byte{}
			}
			s.halves[key] = [escapeLen]byte(in[n:])
			in = in[:n]
		}
	}
	return s.decodeInner(in)
}

// escaped reports whether what follows b is escaped by a backslash at its end.
func escaped(b []byte) bool {
	odd := false
	for i := len(b) - 1; i >= 0 && b[i] == '\\'; i-- {
		odd = !odd
	}
	return odd
}

// flushHalves gives the halves whose other half did not come.
func (s *stream) flushHalves() {
	for key := range s.halves {
		d := action{kind: key.kind, choice: key.choice, call: key.call}
		delete(s.halves, key)
		s.do(&d, []byte("\uFFFD"))
	}
}
