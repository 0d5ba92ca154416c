package jsonstream

import (
	"bufio"
	"bytes"
)

// lenient passes JSON through and turns the bare words NaN, Infinity and
// -Infinity, which Python writes and no JSON parser reads, into null: they say
// that there is no number.
type lenient struct {
	in       *bufio.Reader
	str, esc bool
	pending  string // rest of a null that did not fit
	replaced int
}

func (l *lenient) Read(p []byte) (int, error) {
	if n := copy(p, l.pending); n > 0 {
		l.pending = l.pending[n:]
		return n, nil
	}
	if _, err := l.in.Peek(1); err != nil {
		return 0, err
	}
	have, _ := l.in.Peek(min(l.in.Buffered(), len(p)))
	n := l.pass(have)
	copy(p, have[:n])
	l.in.Discard(n)
	if n > 0 {
		return n, nil
	}
	// A byte that may begin a bare word.
	b, _ := l.in.ReadByte()
	if b == 'N' && l.follows("aN") || b == 'I' && l.follows("nfinity") || b == '-' && l.follows("Infinity") {
		l.replaced++
		l.pending = "null"
		return l.Read(p)
	}
	p[0] = b
	return 1, nil
}

// pass is the number of bytes up to one that may begin a bare word.
func (l *lenient) pass(b []byte) int {
	for i := 0; i < len(b); i++ {
		if l.esc {
			l.esc = false
			continue
		}
		if l.str {
			// Inside a string only its end and escapes matter.
			end := bytes.IndexByte(b[i:], '"')
			if end < 0 {
				end = len(b) - i
			}
			if esc := bytes.IndexByte(b[i:i+end], '\\'); esc >= 0 {
				i += esc
				l.esc = true
				continue
			}
			if i += end; i < len(b) {
				l.str = false
			}
			continue
		}
		switch b[i] {
		case '"':
			l.str = true
		case 'N', 'I':
			return i
		case '-':
			if i+1 == len(b) || b[i+1] == 'I' {
				return i
			}
		}
	}
	return len(b)
}

// follows takes the rest of a word if it comes next.
func (l *lenient) follows(rest string) bool {
	next, _ := l.in.Peek(len(rest))
	if string(next) != rest {
		return false
	}
	l.in.Discard(len(rest))
	return true
}
