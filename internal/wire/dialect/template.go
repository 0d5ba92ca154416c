package dialect

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// Frames of one stream repeat: but for the text, and perhaps a sequence number
// or padding, one is byte for byte the one before. After a full parse in which
// a frame said exactly one thing, its fixed bytes are remembered; a frame with
// the same fixed bytes says the same thing with other text. That is exact, not
// a guess: fixed bytes must be equal, a text hole holds one JSON string's
// inside and nothing else, and whatever a template could not know (a new tool
// call, a change of server) makes all templates void.

type holeKind uint8

const (
	holeText   holeKind = iota // the inside of the string that the frame is about
	holeString                 // the inside of a string that means nothing
	holeNumber                 // digits that mean nothing
	holeSame                   // the inside of a string that repeats the text
)

// action is the one thing that a frame does with its text.
type action struct {
	kind                Kind
	choice              int32
	call                *call
	inferred, ambiguous bool
	seen                *seenText // what a dialect compares the text with, if it does
}

const maxHoles = 4

type hole struct {
	kind     holeKind
	from, to int
}

// draft gathers, during a full parse, what a template is made of.
type draft struct {
	raw    []byte // nil: this frame makes no template
	holes  [maxHoles]hole
	n      int
	texts  int
	action action
	seen   *seenText // set before the text is noted
}

func (l *draft) begin(raw []byte) { *l = draft{raw: raw} }

// text notes a string that is about to be given out.
func (l *draft) text(val []byte, d action) {
	if l.raw == nil || len(val) <= 2 {
		return
	}
	l.texts++
	l.action, l.action.seen = d, l.seen
	l.hole(holeText, val[1:len(val)-1])
}

// hole notes a place of the frame by the slice that lies there.
func (l *draft) hole(kind holeKind, val []byte) {
	from := cap(l.raw) - cap(val)
	if l.n == maxHoles || len(val) == 0 || from < 0 || from+len(val) > len(l.raw) || &l.raw[from] != &val[0] {
		l.raw = nil
		return
	}
	h := &l.holes[l.n]
	h.kind, h.from, h.to = kind, from, from+len(val)
	l.n++
}

// varies notes a field that changes from frame to frame and means nothing.
func (s *stream) varies(val []byte) {
	if s.draft.raw == nil {
		return
	}
	switch kindOf(val) {
	case '"':
		if len(val) > 2 {
			s.draft.hole(holeString, val[1:len(val)-1])
		}
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		s.draft.hole(holeNumber, val)
	}
}

// same notes a string that repeats the text of the frame's one action.
func (s *stream) same(val []byte) {
	if s.draft.raw != nil && kindOf(val) == '"' && len(val) > 2 {
		s.draft.hole(holeSame, val[1:len(val)-1])
	}
}

// template is a frame that may come again.
type template struct {
	fixed  []byte // the pieces between the holes, one after the other
	ends   [maxHoles + 1]int
	kinds  [maxHoles]holeKind
	n      int // holes; 0 for no template
	action action
}

// keepTemplate makes a template of the frame just parsed, if it said one thing only.
func (s *stream) keepTemplate() {
	l := &s.draft
	if l.raw == nil || l.texts != 1 || s.part != 1 || !s.ev.Kind.Content() || s.malformed {
		l.raw = nil
		return
	}
	last := len(s.templates) - 1
	t := s.templates[last]
	copy(s.templates[1:], s.templates[:last])
	t.fixed, t.n, t.action = t.fixed[:0], l.n, l.action
	at := 0
	holes := l.holes[:l.n]
	slices.SortFunc(holes, func(a, b hole) int { return a.from - b.from })
	for i, h := range holes {
		if h.from < at { // the same place twice: a key that came twice
			t.n = 0
			break
		}
		t.fixed = append(t.fixed, l.raw[at:h.from]...)
		t.ends[i], t.kinds[i] = len(t.fixed), h.kind
		at = h.to
	}
	if t.n > 0 {
		t.fixed = append(t.fixed, l.raw[at:]...)
		t.ends[t.n] = len(t.fixed)
	}
	s.templates[0] = t
	l.raw = nil
}

// once keeps the frame from becoming a template: what it says depends on what
// came before it.
func (s *stream) once() { s.draft.raw = nil }

// forget makes all templates void.
func (s *stream) forget() {
	for i := range s.templates {
		s.templates[i].n = 0
	}
	s.draft.raw = nil
}

// repeats decodes a frame that a template fits.
func (s *stream) repeats(raw []byte) bool {
	for i := range s.templates {
		t := &s.templates[i]
		text, plain := t.match(raw)
		if text == nil {
			continue
		}
		if !plain || len(s.halves) > 0 {
			text = s.wholeInner(&t.action, text)
		}
		if len(text) > 0 {
			s.do(&t.action, text)
		}
		if i > 0 {
			s.templates[0], s.templates[i] = s.templates[i], s.templates[0]
		}
		return true
	}
	return false
}

// match gives the text's place in a frame that fits, nil if it does not. Text
// that is plain stands there as it is meant: ASCII without an escape.
func (t *template) match(raw []byte) (text []byte, plain bool) {
	if t.n == 0 {
		return nil, false
	}
	begin := 0
	var same [maxHoles][]byte
	for i := 0; ; i++ {
		piece := t.fixed[begin:t.ends[i]]
		if !bytes.HasPrefix(raw, piece) {
			return nil, false
		}
		begin, raw = t.ends[i], raw[len(piece):]
		if i == t.n {
			break
		}
		n, ascii := holeLen(t.kinds[i], raw)
		if n <= 0 {
			return nil, false
		}
		switch t.kinds[i] {
		case holeText:
			text, plain = raw[:n], ascii
		case holeSame:
			same[i] = raw[:n]
		}
		raw = raw[n:]
	}
	if len(raw) > 0 {
		return nil, false
	}
	for i := range t.n {
		if t.kinds[i] == holeSame && !bytes.Equal(same[i], text) {
			return nil, false
		}
	}
	return text, plain
}

// holeLen is how far a hole reaches: to the quote that ends the string (a raw
// control byte, which could end an SSE line, is none of it), or over digits. It
// tells whether a string is ASCII without an escape.
func holeLen(kind holeKind, b []byte) (n int, plain bool) {
	if kind == holeNumber {
		for i, c := range b {
			if c < '0' || c > '9' {
				return i, false
			}
		}
		return -1, false
	}
	plain = true
	for i := 0; i < len(b); i++ {
		switch c := b[i]; {
		case c == '"':
			return i, plain
		case c == '\\':
			plain = false
			i++
			if i < len(b) && b[i] < ' ' {
				return -1, false
			}
		case c < ' ':
			return -1, false
		case c >= utf8.RuneSelf:
			plain = false
		}
	}
	return -1, false
}

// do gives out text as the frame that the template was made of did.
func (s *stream) do(d *action, text []byte) {
	if d.seen != nil {
		d.seen.add(text)
	}
	switch d.kind {
	case KindText:
		s.answer(d.choice, text)
	case KindTool:
		s.toolText(*d, ToolArguments, text)
	default:
		s.generated(d.kind, d.choice, text)
	}
}
