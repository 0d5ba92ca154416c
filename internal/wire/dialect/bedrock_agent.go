package dialect

import "encoding/base64"

// bedrockAgent reads what Bedrock's agents and knowledge bases answer: text in
// whole pieces, and between them, where it was asked for, an agent's own record
// of the way to it. Nothing marks the end of such a stream but that record.
type bedrockAgent struct {
	input, output int64 // tokens of the steps so far
}

func (d *bedrockAgent) message(s *stream, event string, obj []byte) {
	switch event {
	case "trace":
		d.trace(s, obj)
		return
	case "returnControl", "files", "citation", "guardrail", "trailer":
		s.metaAt(event, 0)
		return
	}
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "bytes":
			text, err := base64.StdEncoding.AppendDecode(nil, s.decode(m.val))
			if err != nil {
				s.undecoded("chunk.bytes (base64)")
			} else if len(text) > 0 {
				s.answer(0, s.clean(text))
				s.unmarked()
			}
		case "text":
			s.text(0, "text", "", m.val)
			s.unmarked()
		case "output": // of a body that was not streamed
			s.text(0, "output", ".text", get(m.val, "text"))
			s.unmarked()
		case "guardrailAction":
			if s.str(m.val) == "INTERVENED" {
				s.finish(0, m.val)
			}
		case "attribution", "citations":
			s.metaIf(string(m.key), 0, m.val)
		case "sessionId", "p":
		default:
			s.other(m.key, m.val)
		}
	}
}

// trace reads one step: what its model used, which is summed, since each step is
// a call of its own; and whether the agent itself, and none that it asked, says
// that it is done.
func (d *bedrockAgent) trace(s *stream, obj []byte) {
	s.metaAt("trace", 0)
	for m := s.object("trace", get(obj, "trace")); m.next(); {
		if kindOf(m.val) != '{' {
			continue
		}
		usage := get(get(get(m.val, "modelInvocationOutput"), "metadata"), "usage")
		in, hasIn := integer(get(usage, "inputTokens"))
		out, hasOut := integer(get(usage, "outputTokens"))
		if hasIn && hasOut {
			d.input, d.output = d.input+in, d.output+out
			s.usage = Usage{InputTokens: &d.input, OutputTokens: &d.output}
			s.giveUsage(usage)
		}
		if done := get(get(m.val, "observation"), "type"); s.str(done) == "FINISH" && empty(get(obj, "collaboratorName")) {
			s.finish(0, done)
		}
	}
}
