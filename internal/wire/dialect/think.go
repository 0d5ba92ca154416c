package dialect

import (
	"bytes"
	"strings"
)

// Inline thinking: models without a parser behind them write their reasoning
// into the answer, between tags. The tags stay part of the reasoning text, so
// that reasoning and answer together are exactly what was sent. A tag that is
// only spoken of, in code, in quotes or within a sentence, is text.

type thinkMode uint8

const (
	thinkOutside thinkMode = iota // the answer, or what comes before it
	thinkInside
	thinkHarmony // see harmony.go
)

// think is the state of one choice.
type think struct {
	mode     thinkMode
	held     []byte      // may be a tag, and is not given yet
	closer   string      // of the tag that is open, or was
	skip     int         // bytes of the opening tag at hand
	tail     []byte      // the beginning of a closing tag, given already
	before   tagContext  // of the tail
	asked    *tagContext // of a closing tag, if what follows it must tell whether it is meant
	follows  []byte
	unopened bool // a closing tag came that nothing had opened
	context  tagContext
	harmony  harmony
}

type thinkTag struct{ open, close string }

// thinkTags lists the spellings in use.
var thinkTags = []thinkTag{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<mm:think>", "</mm:think>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
	{"<reasoning>", "</reasoning>"},
	{"<|channel>thought", "<channel|>"},
	{"◁think▷", "◁/think▷"},
	// See harmony.go.
	{"<|channel|>analysis", ""}, {"<|channel|>final", ""}, {"<|channel|>commentary", ""}, {"<|start|>assistant", ""},
}

// bareClosers may end thinking whose opening tag the server's template had put
// into the prompt.
var bareClosers = []string{"</think>", "</mm:think>", "[/THINK]", "◁/think▷"}

// Unopened is the path of the meta event after a closing tag that nothing
// opened: all text of the choice before that event was thinking. A stream
// cannot know it earlier.
const Unopened = "unopened </think>"

// nextTag is where a tag may begin, −1 if nowhere.
func nextTag(text []byte) int {
	at := bytes.IndexByte(text, '<')
	for _, mark := range []string{"[", "◁"} {
		if at >= 0 {
			text = text[:at]
		}
		if i := bytes.Index(text, []byte(mark)); i >= 0 {
			at = i
		}
	}
	return at
}

// answer gives text of the answer's field: reasoning while a tag is open.
func (s *stream) answer(index int32, text []byte) {
	t := &s.choice(index).think
	if t.mode == thinkOutside && len(t.held) == 0 && len(t.tail) == 0 && t.asked == nil && nextTag(text) < 0 {
		t.context.pass(text)
		s.generated(KindText, index, text)
		return
	}
	if len(t.held) > 0 {
		text = append(t.held, text...)
		t.held = nil
	}
	s.scan(index, t, text, false)
}

// scan gives text piece by piece, as tags part it. over: nothing follows.
func (s *stream) scan(index int32, t *think, text []byte, over bool) {
	for len(text) > 0 {
		n := s.scanned(index, t, text, over)
		if n == 0 { // what is left may be a tag
			t.held = bytes.Clone(text)
			return
		}
		text = text[n:]
	}
}

// scanned gives the next piece, and returns its length.
func (s *stream) scanned(index int32, t *think, text []byte, over bool) int {
	switch t.mode {
	case thinkInside:
		return s.inside(index, t, text, over)
	case thinkHarmony:
		return s.harmonyText(index, t, text, over)
	}
	return s.outside(index, t, text, over)
}

// outside gives answer text up to the next tag, and returns how much it took.
func (s *stream) outside(index int32, t *think, text []byte, over bool) int {
	if t.asked != nil && s.undecided(index, t, text, over) {
		s.plain(index, t, text)
		return len(text)
	}
	if n := s.continued(index, t, text, over); n > 0 {
		return n
	}
	for at := 0; at < len(text); at++ {
		next := nextTag(text[at:])
		if next < 0 {
			break
		}
		at += next
		here := t.context
		here.pass(text[:at])
		switch open, kind := here.opening(text[at:], over); kind {
		case opens:
			s.plain(index, t, text[:at])
			t.context, t.mode = tagContext{}, thinkHarmony
			if open.close != "" {
				t.mode, t.closer, t.skip = thinkInside, open.close, len(open.open)
			}
			return at + s.scanned(index, t, text[at:], over)
		case maybeTag:
			s.plain(index, t, text[:at])
			return at
		}
		if t.unopened || t.closer != "" || here.inCode() {
			continue
		}
		for _, closer := range bareClosers {
			switch kind, _ := tagged(text[at:], closer, over); kind {
			case opens:
				if n := s.closed(index, t, here, text, at+len(closer), over); n > 0 {
					return n
				}
			case maybeTag: // the rest of it follows
				t.tail, t.before = append(t.tail[:0], text[at:]...), here
			}
		}
	}
	s.plain(index, t, text)
	return len(text)
}

// continued takes a closing tag whose beginning was given before text.
func (s *stream) continued(index int32, t *think, text []byte, over bool) int {
	if len(t.tail) == 0 {
		return 0
	}
	window := append(t.tail, text...)
	given := len(t.tail)
	t.tail = t.tail[:0]
	for _, closer := range bareClosers {
		switch kind, _ := tagged(window, closer, over); kind {
		case opens:
			return s.closed(index, t, t.before, text, len(closer)-given, over)
		case maybeTag:
			t.tail = window
			s.plain(index, t, text)
			return len(text)
		}
	}
	return 0
}

// closed gives text up to the end of a closing tag that nothing opened, and the
// mark of it. Nothing, where the tag is spoken of.
func (s *stream) closed(index int32, t *think, before tagContext, text []byte, end int, over bool) int {
	kind := before.closes(text[end:], over)
	if kind == noTag {
		return 0
	}
	if kind == maybeTag {
		t.asked, t.follows = &before, bytes.Clone(text[end:])
		end = len(text)
	}
	s.plain(index, t, text[:end])
	if kind != maybeTag {
		s.unopen(index, t)
	}
	return end
}

// undecided decides on a closing tag by the text that follows it, and reports
// whether more of that is needed.
func (s *stream) undecided(index int32, t *think, text []byte, over bool) bool {
	t.follows = append(t.follows, text...)
	switch t.asked.closes(t.follows, over) {
	case maybeTag:
		return true
	case closes:
		s.unopen(index, t)
	}
	t.asked, t.follows = nil, nil
	return false
}

func (s *stream) unopen(index int32, t *think) {
	s.metaAt(Unopened, index)
	t.unopened, t.context = true, tagContext{}
}

// plain gives answer text, if there is any.
func (s *stream) plain(index int32, t *think, text []byte) {
	if len(text) > 0 {
		t.context.pass(text)
		s.generated(KindText, index, text)
	}
}

// inside gives reasoning up to the closing tag, which may have begun before
// text. A closing tag between quotes is spoken of; which shows with what
// follows it.
func (s *stream) inside(index int32, t *think, text []byte, over bool) int {
	window, given := text, 0
	if given = len(t.tail); given > 0 {
		window = append(t.tail, text...)
		t.tail = nil
	}
	start := t.context // of the window
	if given > 0 {
		start = t.before
	}
	for at := t.skip; ; {
		next := bytes.Index(window[at:], []byte(t.closer))
		if next < 0 {
			break
		}
		end := at + next + len(t.closer)
		before := start
		before.pass(window[:at+next])
		if q := before.quote(); q != "" {
			if len(window)-end < len(q) && !over {
				break // kept below, as the beginning of a tag is
			}
			if bytes.HasPrefix(window[end:], []byte(q)) {
				at = end
				continue
			}
		}
		s.generated(KindReasoning, index, text[:end-given])
		t.mode, t.context, t.skip = thinkOutside, tagContext{}, 0
		return end - given
	}
	tail := begun(window, t.closer)
	if tail == nil && bytes.HasSuffix(window, []byte(t.closer)) {
		tail = []byte(t.closer)
	}
	t.before = start
	t.before.pass(window[:len(window)-len(tail)])
	t.tail = append(t.tail[:0], tail...)
	t.context.pass(text)
	t.skip = 0
	s.generated(KindReasoning, index, text)
	return len(text)
}

type tagKind uint8

const (
	noTag tagKind = iota
	maybeTag
	opens
	closes
)

// begun is the end of text in which the tag may have begun.
func begun(text []byte, tag string) []byte {
	for n := min(len(text), len(tag)-1); n > 0; n-- {
		if end := text[len(text)-n:]; strings.HasPrefix(tag, string(end)) {
			return end
		}
	}
	return nil
}

// flushThink gives what was held back, now that nothing follows.
func (s *stream) flushThink(c *choice) {
	t := &c.think
	if t.asked != nil && len(t.held) == 0 {
		s.undecided(c.index, t, nil, true)
	}
	if held := t.held; len(held) > 0 {
		t.held = nil
		s.scan(c.index, t, held, true)
	}
}
