package frame

import "bytes"

// Splitter cuts a body that arrives in pieces into frames. Where the pieces
// end does not matter: the same bytes give the same frames, and the frames
// concatenated give the bytes. It needs no memory beyond the frame that is
// still open, and sets no limit to its size.
type Splitter struct {
	kind Kind
	scan scanner
	buf  []byte // the open frame's bytes of earlier pieces
}

// scanner finds the ends of frames in one kind of body. It keeps what it must
// know of the bytes it has seen.
type scanner interface {
	// next looks at p, which follows what it has seen before, and gives the
	// number of its bytes that end the open frame, or -1 when the frame goes on
	// past p. It has then seen those bytes (all of p for -1). Zero says that the
	// frame had ended before p.
	next(p []byte) int
	// whole says, at the end of the body, whether the bytes of the open frame
	// lack nothing.
	whole() bool
}

// NewSplitter makes a splitter for bodies of a kind.
func NewSplitter(kind Kind) *Splitter {
	s := &Splitter{kind: kind}
	switch kind {
	case SSE:
		s.scan = newSSEScanner()
	case NDJSON:
		s.scan = &lineScanner{}
	case JSONArray:
		s.scan = &arrayScanner{}
	case EventStream:
		s.scan = &messageScanner{}
	default:
		s.scan = &wholeScanner{}
	}
	return s
}

// Kind says what the splitter was made for.
func (s *Splitter) Kind() Kind { return s.kind }

// Pending is the number of bytes received of the frame that is still open.
func (s *Splitter) Pending() int { return len(s.buf) }

// Open is what has arrived of the frame that is still open.
func (s *Splitter) Open() []byte { return s.buf }

// Drop forgets the first n bytes of the open frame, fewer than there are: the
// caller has taken them, and what is emitted next continues them.
func (s *Splitter) Drop(n int) { s.buf = append(s.buf[:0], s.buf[n:]...) }

// Write takes the next piece of the body and emits the frames that it ends.
// A frame's bytes are valid until emit returns.
func (s *Splitter) Write(p []byte, emit func(raw []byte)) {
	if s.kind == Reads {
		if len(p) > 0 {
			emit(p)
		}
		return
	}
	for len(p) > 0 {
		n := s.scan.next(p)
		if n < 0 {
			s.buf = append(s.buf, p...)
			return
		}
		if len(s.buf) == 0 {
			emit(p[:n])
		} else {
			s.buf = append(s.buf, p[:n]...)
			emit(s.buf)
			s.buf = s.buf[:0]
		}
		p = p[n:]
	}
}

// Close ends the body and emits what is left, if anything. The frame is
// complete if nothing is missing from it: a whole body, or the blank bytes
// after the last frame.
func (s *Splitter) Close(emit func(raw []byte, complete bool)) {
	if len(s.buf) > 0 {
		emit(s.buf, s.scan.whole())
		s.buf = s.buf[:0]
	}
}

// lineScanner ends a frame after each LF. Blank lines lead the next frame.
type lineScanner struct{ content bool }

func (l *lineScanner) next(p []byte) int {
	seen := 0
	for {
		i := bytes.IndexByte(p[seen:], '\n')
		line := p[seen:]
		if i >= 0 {
			line = line[:i]
		}
		if !l.content && len(bytes.Trim(line, " \t\r")) > 0 {
			l.content = true
		}
		if i < 0 {
			return -1
		}
		seen += i + 1
		if l.content {
			l.content = false
			return seen
		}
	}
}

func (l *lineScanner) whole() bool { return !l.content }
