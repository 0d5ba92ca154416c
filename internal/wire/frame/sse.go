package frame

import "bytes"

// SSEEvent is what one frame of an event stream says. Its slices are valid
// until the next Parse.
type SSEEvent struct {
	Name     []byte // of the event field, nil where absent
	Data     []byte // data lines joined by LF
	HasData  bool   // there is a data field, empty or not
	ID       []byte
	Comment  []byte // comment lines joined by LF, without their colons
	Comments bool   // there is a comment line
	Other    []byte // lines of no known field, joined by LF
	// DataAt is where Data lies in the frame, -1 where it was joined of several lines.
	DataAt int
}

// SSEReader parses the frames of one event stream. It strips the byte order
// mark that may lead a stream, once.
type SSEReader struct {
	started              bool
	data, comment, other []byte
}

var bom = []byte("\xEF\xBB\xBF")

// Parse reads one frame: all its lines, whether or not a blank line ends it.
// Lines end with LF, CR or CRLF and nothing else.
func (r *SSEReader) Parse(raw []byte) (e SSEEvent) {
	e.DataAt = -1
	r.data, r.comment, r.other = r.data[:0], r.comment[:0], r.other[:0]
	at := 0
	if !r.started {
		r.started = true
		if bytes.HasPrefix(raw, bom) {
			at = len(bom)
		}
	}
	for at < len(raw) {
		line := raw[at:]
		next := len(raw)
		if n := lineEnd(line); n >= 0 {
			line = line[:n]
			next = at + n + 1 // the LF of CRLF reads as a blank line
		}
		if len(line) > 0 {
			r.line(&e, line, at)
		}
		at = next
	}
	return e
}

// line takes one line, which begins at the given place of the frame.
func (r *SSEReader) line(e *SSEEvent, line []byte, at int) {
	if line[0] == ':' {
		r.comment = join(r.comment, &e.Comment, line[1:], e.Comments)
		e.Comments = true
		return
	}
	name, value := line, line[len(line):]
	if n := bytes.IndexByte(line, ':'); n >= 0 {
		name, value = line[:n], line[n+1:]
		if len(value) > 0 && value[0] == ' ' {
			value = value[1:]
		}
	}
	switch string(name) {
	case "data":
		r.data = join(r.data, &e.Data, value, e.HasData)
		e.DataAt = at + len(line) - len(value)
		if e.HasData {
			e.DataAt = -1
		}
		e.HasData = true
	case "event":
		e.Name = value
	case "id":
		e.ID = value
	case "retry":
	default:
		r.other = join(r.other, &e.Other, line, len(e.Other) > 0)
	}
}

// join adds a line to a field: the first one is used where it lies, more are
// gathered in buf.
func join(buf []byte, field *[]byte, line []byte, more bool) []byte {
	if !more {
		*field = line
		return buf
	}
	if len(buf) == 0 {
		buf = append(buf, *field...)
	}
	buf = append(append(buf, '\n'), line...)
	*field = buf
	return buf
}
