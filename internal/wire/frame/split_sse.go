package frame

import "bytes"

// sseScanner ends a frame after the blank line that ends an event. A line ends
// with LF, CR or CRLF; blank lines before an event lead its frame.
//
// After a CR the line end may go on with an LF that has not arrived. A blank
// line is therefore complete
//   - at its LF;
//   - at its CR, when the line before it ended with a lone CR too: the sender
//     writes CR, and waiting for an LF would delay every event until the next.
//     Should an LF follow after all, it leads the next frame as a blank line;
//   - else one byte after its CR: the sender writes LF or CRLF, and the LF of
//     this line end belongs to this frame.
//
// The rule looks at bytes only, so where reads end changes no frame.
type sseScanner struct {
	content bool // the frame has a line that is not blank
	bol     bool // at the beginning of a line
	afterCR bool // the last byte was the CR that ended a line
	wait    bool // a blank line ended with CR; an LF now would belong to it
	mark    int  // bytes seen of the byte order mark that may lead the stream; past for none
}

const past = -1

func newSSEScanner() *sseScanner { return &sseScanner{bol: true} }

func (s *sseScanner) next(p []byte) int {
	i := 0
	if s.wait {
		if p[0] == '\n' {
			i = 1
		}
		s.reset()
		return i
	}
	for ; s.mark != past && i < len(p); i++ {
		if p[i] != bom[s.mark] {
			s.bol, s.content = s.mark == 0, s.mark > 0
			s.mark = past
			break
		}
		if s.mark++; s.mark == len(bom) {
			s.mark = past
		}
	}
	for i < len(p) {
		if !s.bol {
			// Inside a line only its end matters.
			n := lineEnd(p[i:])
			if n < 0 {
				return -1
			}
			i += n
		}
		c := p[i]
		i++
		switch {
		case c != '\n' && c != '\r':
			s.bol, s.afterCR, s.content = false, false, true
		case c == '\n' && s.afterCR:
			s.afterCR = false // second half of CRLF
		case !s.bol:
			s.bol, s.afterCR = true, c == '\r'
		case !s.content:
			// A blank line before any event.
		case c == '\n' || s.afterCR:
			s.reset()
			return i
		case i < len(p):
			if p[i] == '\n' {
				i++
			}
			s.reset()
			return i
		default:
			s.wait = true
		}
	}
	return -1
}

func (s *sseScanner) reset() { *s = sseScanner{bol: true, mark: past} }

// whole: nothing but blank lines is left, or a blank line that ended with CR.
func (s *sseScanner) whole() bool { return !s.content || s.wait }

// lineEnd is the index of the first CR or LF, -1 if there is none.
func lineEnd(p []byte) int {
	n := bytes.IndexByte(p, '\n')
	if n >= 0 {
		p = p[:n]
	}
	if m := bytes.IndexByte(p, '\r'); m >= 0 {
		return m
	}
	return n
}
