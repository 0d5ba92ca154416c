package dialect

import "strings"

// cody reads Sourcegraph's completion streams: deltas, or in older versions
// the whole text so far in every event.
type cody struct {
	sofar string
}

func (d *cody) message(s *stream, event string, obj []byte) {
	if event == "done" {
		s.event(KindDone, 0)
		return
	}
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "deltaText":
			s.text(0, "deltaText", "", m.val)
		case "delta_thinking":
			s.reasoning(0, "delta_thinking", "", m.val)
		case "completion":
			text := s.str(m.val)
			if rest, ok := strings.CutPrefix(text, d.sofar); ok {
				if rest != "" {
					s.answer(0, []byte(rest))
				}
			} else {
				s.undecoded("completion (does not continue the text before it)")
			}
			d.sofar = text
		case "stopReason":
			s.finish(0, m.val)
		case "logprobs":
			s.metaIf("logprobs", 0, m.val)
		default:
			s.other(m.key, m.val)
		}
	}
}
