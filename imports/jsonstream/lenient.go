package jsonstream

import (
	"bufio"
	"io"
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
	n := copy(p, l.pending)
	l.pending = l.pending[n:]
	for n < len(p) {
		if n > 0 && l.in.Buffered() == 0 {
			return n, nil // do not wait for more while there is something to give
		}
		b, err := l.in.ReadByte()
		if err != nil {
			if n > 0 && err == io.EOF {
				return n, nil
			}
			return n, err
		}
		switch {
		case l.str:
			switch {
			case l.esc:
				l.esc = false
			case b == '\\':
				l.esc = true
			case b == '"':
				l.str = false
			}
		case b == '"':
			l.str = true
		case b == 'N' && l.follows("aN"), b == 'I' && l.follows("nfinity"), b == '-' && l.follows("Infinity"):
			l.replaced++
			m := copy(p[n:], "null")
			n += m
			l.pending = "null"[m:]
			continue
		}
		p[n] = b
		n++
	}
	return n, nil
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

// lineCounter remembers where lines end among the bytes that the decoder has
// read ahead, so that an offset can be told as a line.
type lineCounter struct {
	in     io.Reader
	at     int64   // bytes passed on
	before int     // line ends that have been let go
	ends   []int64 // offsets of the others, ascending
}

func (c *lineCounter) Read(p []byte) (int, error) {
	n, err := c.in.Read(p)
	for i, b := range p[:n] {
		if b == '\n' {
			c.ends = append(c.ends, c.at+int64(i))
		}
	}
	c.at += int64(n)
	return n, err
}

// line is the line, from 1, of an offset not below any asked for before.
func (c *lineCounter) line(offset int64) int {
	i := 0
	for i < len(c.ends) && c.ends[i] < offset {
		i++
	}
	c.ends = c.ends[:copy(c.ends, c.ends[i:])]
	c.before += i
	return c.before + 1
}
