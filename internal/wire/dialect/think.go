package dialect

import (
	"bytes"
	"strings"
)

// Inline thinking: models without a parser behind them write their reasoning
// into the answer, between tags. Only tags before any answer text count; there
// may be several pairs (Bedrock wraps each piece of gpt-oss's thinking). The
// tags stay part of the reasoning text, so that reasoning and answer together
// are exactly what was sent.

type thinkMode uint8

const (
	thinkUnknown thinkMode = iota // no answer yet but white space
	thinkInside
	thinkOver // the answer
)

// think is the state of one choice.
type think struct {
	mode   thinkMode
	held   []byte // may become an opening tag
	closer string
	tail   []byte // the beginning of a closing tag, if the text so far ends with one
}

// thinkTags lists the spellings in use.
var thinkTags = []struct{ open, close string }{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<seed:think>", "</seed:think>"},
	{"[THINK]", "[/THINK]"},
	{"<reasoning>", "</reasoning>"},
}

// answer gives text of the answer's field: reasoning while a tag is open.
func (s *stream) answer(index int32, text []byte) {
	t := &s.choice(index).think
	switch t.mode {
	case thinkOver:
		s.over(index, t, text)
	case thinkInside:
		s.inside(index, t, text)
	default:
		s.beginning(index, t, text)
	}
}

// beginning looks for an opening tag, which may come in several frames.
func (s *stream) beginning(index int32, t *think, text []byte) {
	if len(t.held) > 0 {
		text = append(t.held, text...)
		t.held = nil
	}
	head := bytes.TrimLeft(text, " \t\r\n")
	if len(head) == 0 {
		s.generated(KindText, index, text)
		return
	}
	maybe := false
	for _, tag := range thinkTags {
		if rest, ok := bytes.CutPrefix(head, []byte(tag.open)); ok {
			t.mode, t.closer = thinkInside, tag.close
			s.insideFrom(index, t, text, len(text)-len(rest))
			return
		}
		maybe = maybe || strings.HasPrefix(tag.open, string(head))
	}
	if maybe {
		t.held = bytes.Clone(text)
		return
	}
	t.mode = thinkOver
	s.over(index, t, text)
}

// Unopened is the path of the meta event after a closing tag that nothing
// opened: the server's template had opened it in the prompt, and all text of
// the choice before that event was thinking. A stream cannot know it earlier.
const Unopened = "unopened " + bareCloser

const bareCloser = "</think>"

// over gives answer text, and the mark of a closing tag in it.
func (s *stream) over(index int32, t *think, text []byte) {
	if t.closer != "" || len(t.tail) == 0 && bytes.IndexByte(text, '<') < 0 {
		s.generated(KindText, index, text)
		return
	}
	window := text
	if len(t.tail) > 0 {
		window = append(t.tail, text...)
	}
	at := bytes.Index(window, []byte(bareCloser))
	if at < 0 {
		t.tail = append(t.tail[:0], begun(window, bareCloser)...)
		s.generated(KindText, index, text)
		return
	}
	rest := window[at+len(bareCloser):]
	t.closer, t.tail = bareCloser, nil
	s.generated(KindText, index, text[:len(text)-len(rest)])
	s.metaAt(Unopened, index)
	if len(rest) > 0 {
		s.generated(KindText, index, rest)
	}
}

func (s *stream) inside(index int32, t *think, text []byte) {
	s.insideFrom(index, t, text, 0)
}

// insideFrom gives reasoning up to the closing tag, and the answer after it.
// The tag is looked for from the given place on, and in what came before text.
func (s *stream) insideFrom(index int32, t *think, text []byte, from int) {
	window := text[from:]
	if len(t.tail) > 0 {
		window = append(t.tail, window...)
	}
	at := bytes.Index(window, []byte(t.closer))
	if at < 0 {
		t.tail = append(t.tail[:0], begun(window, t.closer)...)
		s.generated(KindReasoning, index, text)
		return
	}
	answer := window[at+len(t.closer):]
	t.mode, t.tail = thinkUnknown, nil
	s.generated(KindReasoning, index, text[:len(text)-len(answer)])
	if len(answer) > 0 {
		s.beginning(index, t, answer)
	}
}

// begun is the end of text in which the tag may have begun.
func begun(text []byte, tag string) []byte {
	for n := min(len(text), len(tag)-1); n > 0; n-- {
		if end := text[len(text)-n:]; strings.HasPrefix(tag, string(end)) {
			return end
		}
	}
	return nil
}

// flushThink gives what was held back and became no tag.
func (s *stream) flushThink(c *choice) {
	if held := c.think.held; len(held) > 0 {
		c.think.held, c.think.mode = nil, thinkOver
		s.generated(KindText, c.index, held)
	}
}
