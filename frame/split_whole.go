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
	if !w.decided {
		if w.events == nil {
			w.events = newSSEScanner()
		}
		w.decide(p)
	}
	if w.events == nil {
		return -1
	}
	return w.events.next(p)
}

// decide looks whether the body begins with a field of an event stream.
func (w *wholeScanner) decide(p []byte) {
	if len(w.head) == 0 {
		p = bytes.TrimLeft(p, " \t\r\n")
	}
	w.head = append(w.head, p[:min(len(p), headLen-len(w.head))]...)
	head := bytes.TrimLeft(bytes.TrimPrefix(w.head, bom), " \t\r\n")
	if bytes.HasPrefix(bom, w.head) { // nothing yet, or a part of the mark
		return
	}
	maybe := len(w.head) < headLen && len(head) == 0
	for _, field := range []string{":", "data:", "event:"} {
		if bytes.HasPrefix(head, []byte(field)) {
			w.decided = true
			return
		}
		maybe = maybe || bytes.HasPrefix([]byte(field), head)
	}
	if !maybe {
		w.decided, w.events = true, nil
	}
}

func (w *wholeScanner) whole() bool { return w.events == nil || !w.decided || w.events.whole() }
