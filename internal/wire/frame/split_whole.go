package frame

import "bytes"

// wholeScanner never ends a frame before the body does, unless the body begins
// as an event stream: gateways send streams under other content types, and the
// arrival of each event must not be lost for a label.
type wholeScanner struct {
	events  *sseScanner // from the beginning, until the bytes have decided
	head    []byte      // the first bytes that are not blank
	decided bool
}

const headLen = 16

func (w *wholeScanner) next(p []byte) int {
	lead := 0
	if !w.decided {
		if w.events == nil {
			w.events = newSSEScanner()
		}
		lead = w.decide(p)
	}
	if w.events == nil || lead == len(p) {
		return -1
	}
	n := w.events.next(p[lead:])
	if n < 0 {
		return -1
	}
	return lead + n
}

// decide looks whether the body begins with a field of an event stream. It gives
// the number of bytes of p that come before that beginning: blanks and a byte
// order mark end no frame, as long as it is not known whether there are frames.
func (w *wholeScanner) decide(p []byte) (lead int) {
	if len(begun(w.head)) == 0 {
		all := append(w.head[:len(w.head):len(w.head)], p...)
		lead = max(0, len(p)-len(begun(all)))
	}
	if len(w.head) == 0 {
		p = bytes.TrimLeft(p, blank)
	}
	w.head = append(w.head, p[:min(len(p), headLen-len(w.head))]...)
	if bytes.HasPrefix(bom, w.head) { // nothing yet, or a part of the mark
		return lead
	}
	head := begun(w.head)
	maybe := len(w.head) < headLen && len(head) == 0
	for _, field := range []string{":", "data:", "event:"} {
		if bytes.HasPrefix(head, []byte(field)) {
			w.decided = true
			return lead
		}
		maybe = maybe || bytes.HasPrefix([]byte(field), head)
	}
	if !maybe {
		w.decided, w.events = true, nil
	}
	return lead
}

const blank = " \t\r\n"

// begun is a body without what leads it: blanks, a byte order mark or what may
// become one, and blanks again.
func begun(body []byte) []byte {
	body = bytes.TrimLeft(body, blank)
	if bytes.HasPrefix(bom, body) {
		return nil
	}
	return bytes.TrimLeft(bytes.TrimPrefix(body, bom), blank)
}

func (w *wholeScanner) whole() bool { return w.events == nil || !w.decided || w.events.whole() }
