package dialect

import "strings"

// geminiInteractions reads Google's Interactions API: numbered steps (thought,
// model_output, calls), each with deltas.
type geminiInteractions struct {
	calls map[int32]action // by index of the step
}

func (d *geminiInteractions) message(s *stream, event string, obj []byte) {
	kind := s.typeOf(obj, "event_type")
	if kind == "" {
		kind = event
	}
	at, _ := index(get(obj, "index"))
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "interaction":
			d.interaction(s, kind, m.val)
		case "step":
			d.piece(s, "step", at, m.val)
		case "delta":
			d.piece(s, "delta", at, m.val)
		case "metadata":
			if usage := get(m.val, "usage"); usage != nil {
				s.usageObject("metadata.usage", usage)
			}
		case "event_type", "index", "interaction_id", "status", "event_id":
		default:
			s.other(m.key, m.val)
		}
	}
}

// interaction reads what is said of the whole: server, usage, and its status
// at the end.
func (d *geminiInteractions) interaction(s *stream, kind string, obj []byte) {
	const path = "interaction"
	over := strings.HasSuffix(kind, "completed") || strings.HasSuffix(kind, "failed") || strings.HasSuffix(kind, "cancelled")
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "id":
			s.note(&s.served.id, m.val)
		case "model":
			s.note(&s.served.model, m.val)
		case "service_tier":
			s.note(&s.served.tier, m.val)
		case "usage":
			s.usageObject(path+".usage", m.val)
		case "status":
			if over {
				s.finish(0, m.val)
			}
		case "error":
			s.errorValue(m.val)
		case "steps", "outputs": // what was streamed, once more
			s.once()
			if !s.choice(0).content && kindOf(m.val) == '[' {
				i := int32(0)
				for e := s.array(path+"."+string(m.key), m.val); e.next(); i++ {
					d.piece(s, path+"."+string(m.key)+"[]", i, e.val)
				}
			}
		case "object", "created", "updated", "role", "agent", "previous_interaction_id":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	if over {
		s.event(KindDone, 0)
	}
}

// piece reads a step as it starts, or a delta of one.
func (d *geminiInteractions) piece(s *stream, path string, at int32, obj []byte) {
	kind := s.typeOf(obj, "type")
	thinking := strings.HasPrefix(kind, "thought")
	var id, name, args []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "text", "content", "summary":
			if strings.HasSuffix(kind, "_result") {
				s.metaIf(path+" "+kind, 0, m.val)
				continue
			}
			s.parts(0, path+"."+string(m.key), m.val, thinking)
		case "id":
			id = m.val
		case "name":
			name = m.val
		case "arguments":
			args = m.val
		case "type", "signature", "call_id", "is_error", "server_name":
		case "data", "uri":
			s.media(mediaKind(s.str(get(obj, "mime_type"))), path+"."+string(m.key), 0, m.val)
		case "result", "annotations", "mime_type":
			s.metaIf(path+"."+string(m.key), 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	if !strings.HasSuffix(kind, "_call") && kind != "arguments_delta" {
		return
	}
	c, ok := d.calls[at]
	if !ok || !empty(id) {
		c = s.openCall(0, at, id)
		if d.calls == nil {
			d.calls = map[int32]action{}
		}
		d.calls[at] = c
		if empty(name) && kind != "arguments_delta" {
			name = []byte(`"` + kind + `"`)
		}
	}
	s.toolName(c, name)
	if !empty(args) {
		s.toolArgs(c, args)
	}
}
