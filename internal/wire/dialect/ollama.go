package dialect

import "encoding/json"

// ollama reads /api/chat and /api/generate, streamed as lines or whole.
type ollama struct{}

// ollamaDurations are the server's timings, nanoseconds, in the last line.
type ollamaDurations struct {
	Total      json.RawMessage `json:"total_duration,omitempty"`
	Load       json.RawMessage `json:"load_duration,omitempty"`
	PromptEval json.RawMessage `json:"prompt_eval_duration,omitempty"`
	Eval       json.RawMessage `json:"eval_duration,omitempty"`
}

func (d *ollama) message(s *stream, _ string, obj []byte) {
	var reason []byte
	var times ollamaDurations
	done, usage, timed := false, false, false
	s.usage = Usage{}
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "message":
			if kindOf(m.val) == '{' {
				d.chat(s, m.val)
			} else {
				s.other(m.key, m.val)
			}
		case "response":
			s.text(0, "response", "", m.val)
		case "thinking":
			s.reasoning(0, "thinking", "", m.val)
		case "tool_calls":
			d.calls(s, "tool_calls", m.val)
		case "model":
			s.note(&s.served.model, m.val)
		case "created_at":
			s.varies(m.val)
		case "done":
			done = string(m.val) == "true"
		case "done_reason":
			reason = m.val
		case "prompt_eval_count":
			s.number(&s.usage.InputTokens, m.val)
			usage = true
		case "eval_count":
			s.number(&s.usage.OutputTokens, m.val)
			usage = true
		case "total_duration":
			times.Total, timed = m.val, true
		case "load_duration":
			times.Load, timed = m.val, true
		case "prompt_eval_duration":
			times.PromptEval, timed = m.val, true
		case "eval_duration":
			times.Eval, timed = m.val, true
		case "remote_host":
			s.note(&s.served.provider, m.val)
		case "logprobs":
			s.listed("logprobs", 0, m.val)
		case "context", "remote_model", "image", "status", "digest", "total", "completed":
			s.metaIf(string(m.key), 0, m.val)
		default:
			s.other(m.key, m.val)
		}
	}
	s.finish(0, reason)
	if usage {
		s.giveUsage(obj)
	}
	if timed {
		if b, err := json.Marshal(times); err == nil {
			s.timings("durations", b)
		}
	}
	if done {
		s.event(KindDone, 0)
	}
}

func (d *ollama) chat(s *stream, obj []byte) {
	const path = "message"
	var content []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "content":
			content = m.val
		case "thinking":
			s.reasoning(0, path, ".thinking", m.val)
		case "tool_calls":
			d.calls(s, path+".tool_calls", m.val)
		case "role", "tool_name":
		case "images":
			s.metaIf(path+".images", 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	if content != nil {
		s.text(0, path, ".content", content)
	}
}

// calls are whole, each in one line.
func (d *ollama) calls(s *stream, path string, val []byte) {
	if isNull(val) {
		return
	}
	for e := s.array(path, val); e.next(); {
		if kindOf(e.val) == '{' {
			d.call(s, path+"[]", e.val)
		} else {
			s.unknown(path+"[]", nil, e.val)
		}
	}
}

func (d *ollama) call(s *stream, path string, obj []byte) {
	var id, name, args []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "id":
			id = m.val
		case "function":
			for f := s.object(path+".function", m.val); f.next(); {
				switch string(f.key) {
				case "name":
					name = f.val
				case "arguments":
					args = f.val
				case "index": // counts from 0 in each line: no key over the stream
				default:
					s.unknown(path+".function", f.key, f.val)
				}
			}
		case "type":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	c := s.openCall(0, int32(len(s.choice(0).calls)), id)
	s.toolName(c, name)
	s.toolArgs(c, args)
}
