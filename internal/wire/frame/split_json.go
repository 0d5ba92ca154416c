package frame

// arrayScanner ends a frame after each object, array or string that is an
// element of the top-level array; plain literals go with what follows them. A
// body whose first byte is not "[" is never cut.
type arrayScanner struct {
	state  arrayState
	depth  int // open brackets inside the array
	str    bool
	escape bool
	closed bool // the array's own bracket was closed
	blank  bool // nothing but white space since the last frame
}

type arrayState uint8

const (
	arrayStart arrayState = iota // before the first byte that is not blank
	arrayInside
	arrayNone // no array
)

func (a *arrayScanner) next(p []byte) int {
	for i, c := range p {
		space := c == ' ' || c == '\n' || c == '\r' || c == '\t'
		if !space {
			a.blank = false
		}
		switch a.state {
		case arrayNone:
			return -1
		case arrayStart:
			switch {
			case c == '[':
				a.state = arrayInside
			case !space && c != 0xEF && c != 0xBB && c != 0xBF: // a byte order mark may lead
				a.state = arrayNone
			}
			continue
		}
		switch {
		case a.closed:
		case a.str:
			switch {
			case a.escape:
				a.escape = false
			case c == '\\':
				a.escape = true
			case c == '"':
				a.str = false
				if a.depth == 0 {
					return a.end(i)
				}
			}
		case c == '"':
			a.str = true
		case c == '{' || c == '[':
			a.depth++
		case c == '}' || c == ']':
			if a.depth == 0 {
				a.closed = c == ']'
				if a.closed {
					return a.end(i)
				}
				continue
			}
			if a.depth--; a.depth == 0 {
				return a.end(i)
			}
		}
	}
	return -1
}

func (a *arrayScanner) end(i int) int {
	a.blank = true
	return i + 1
}

func (a *arrayScanner) whole() bool {
	return a.state != arrayInside || a.closed && a.blank
}
