package dialect

import (
	"bytes"
	"strings"
)

// Harmony is the format in which gpt-oss writes: messages, each with a header
// that names its channel. A server that does not parse it sends it as it is:
//
//	<|channel|>analysis<|message|>thinking<|end|><|start|>assistant<|channel|>final<|message|>answer<|return|>
//
// The channels part text from thinking and calls; the marks themselves are
// neither, and stand in the raw frames.

type harmony struct {
	header []byte // of the message that begins
	in     harmonyPart
	call   action
}

type harmonyPart uint8

const (
	harmonyHeader harmonyPart = iota
	harmonyThought
	harmonyAnswer
	harmonyCall
)

var harmonyTokens = []string{"<|start|>", "<|channel|>", "<|message|>", "<|end|>", "<|return|>", "<|call|>", "<|constrain|>"}

// harmonyText gives text up to the next mark, or reads the mark.
func (s *stream) harmonyText(index int32, t *think, text []byte, over bool) int {
	h := &t.harmony
	at := bytes.Index(text, []byte("<|"))
	if at < 0 {
		at = len(text)
		if !over && text[at-1] == '<' {
			at--
		}
	}
	if at > 0 {
		s.harmonyGive(index, h, text[:at])
		return at
	}
	for _, token := range harmonyTokens {
		if bytes.HasPrefix(text, []byte(token)) {
			s.harmonyMark(index, h, token)
			return len(token)
		}
		if !over && strings.HasPrefix(token, string(text)) {
			return 0
		}
	}
	n := min(2, len(text)) // no mark
	s.harmonyGive(index, h, text[:n])
	return n
}

func (s *stream) harmonyGive(index int32, h *harmony, text []byte) {
	switch h.in {
	case harmonyThought:
		s.generated(KindReasoning, index, text)
	case harmonyAnswer:
		s.generated(KindText, index, text)
	case harmonyCall:
		s.toolText(h.call, ToolArguments, text)
	default:
		h.header = append(h.header, text...)
	}
}

func (s *stream) harmonyMark(index int32, h *harmony, token string) {
	s.metaAt("harmony "+token, index)
	if token != "<|message|>" {
		if h.in != harmonyHeader {
			h.header = h.header[:0]
		}
		h.in = harmonyHeader
		h.header = append(h.header, ' ')
		return
	}
	header := strings.Fields(string(h.header))
	h.header, h.in = h.header[:0], harmonyAnswer
	for _, word := range header {
		name, isCall := strings.CutPrefix(word, "to=")
		switch {
		case isCall:
			h.in = harmonyCall
			h.call = s.openCall(index, int32(len(s.choice(index).calls)), nil)
			s.toolName(h.call, []byte(`"`+strings.TrimPrefix(name, "functions.")+`"`))
			return
		case word == "analysis":
			h.in = harmonyThought
		}
	}
}
