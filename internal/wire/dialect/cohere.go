package dialect

// cohere reads chat of version 2 (typed events with nested deltas) and of
// version 1 (event_type, and text at the top).
type cohere struct {
	calls map[int32]action // by index of the event
}

func (d *cohere) message(s *stream, _ string, obj []byte) {
	kind := s.typeOf(obj, "type")
	if kind == "" {
		kind = s.typeOf(obj, "event_type")
	}
	var at int32
	var finish []byte
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "index":
			at, _ = index(m.val)
		case "delta":
			if kind == "citation-start" {
				s.metaIf("delta.message.citations", 0, m.val)
				continue
			}
			finish = d.delta(s, kind, at, m.val, finish)
		case "message":
			if kindOf(m.val) == '{' {
				d.body(s, "message", at, m.val)
			} else {
				s.other(m.key, m.val)
			}
		case "text":
			d.top(s, kind, m.val)
		case "tool_call_delta":
			d.callDelta(s, m.val)
		case "tool_calls":
			d.topCalls(s, kind, m.val)
		case "response":
			if kindOf(m.val) == '{' {
				d.end(s, m.val)
			} else {
				s.other(m.key, m.val)
			}
		case "finish_reason":
			finish = m.val
		case "usage", "meta":
			s.cohereUsage(string(m.key), m.val)
		case "id", "generation_id", "response_id":
			s.note(&s.served.id, m.val)
		case "model":
			s.note(&s.served.model, m.val)
		case "logprobs":
			s.logprobs("logprobs", 0, m.val)
		case "type", "event_type", "is_finished", "is_search_required", "prompt":
		case "citations", "documents", "search_queries", "search_results", "chat_history", "generations":
			s.metaIf(string(m.key), 0, m.val)
		default:
			s.other(m.key, m.val)
		}
	}
	s.finish(0, finish)
	if kind == "message-end" || kind == "stream-end" {
		s.event(KindDone, 0)
	}
}

func (d *cohere) delta(s *stream, kind string, at int32, val, finish []byte) []byte {
	const path = "delta"
	if isNull(val) {
		return finish
	}
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "message":
			if !isNull(m.val) {
				d.body(s, path+".message", at, m.val)
			}
		case "finish_reason":
			finish = m.val
		case "usage":
			s.cohereUsage(path+".usage", m.val)
		case "error":
			s.errorValue(m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	return finish
}

// body reads a message: a fragment in which one field is set, or a whole one.
func (d *cohere) body(s *stream, path string, at int32, obj []byte) {
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "content":
			if !isNull(m.val) {
				s.parts(0, path+".content", m.val, false)
			}
		case "tool_plan":
			if !isNull(m.val) {
				s.reasoning(0, path, ".tool_plan", m.val)
			}
		case "tool_calls":
			if kindOf(m.val) == '{' {
				d.call(s, path+".tool_calls", at, m.val)
			} else if !isNull(m.val) {
				i := int32(0)
				for e := s.array(path+".tool_calls", m.val); e.next(); i++ {
					d.call(s, path+".tool_calls[]", i, e.val)
				}
			}
		case "role":
		case "citations":
			s.metaIf(path+".citations", 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

func (d *cohere) call(s *stream, path string, at int32, obj []byte) {
	var id, name, args []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "id":
			id = m.val
		case "name":
			name = m.val
		case "parameters":
			args = m.val
		case "function":
			for f := s.object(path+".function", m.val); f.next(); {
				switch string(f.key) {
				case "name":
					name = f.val
				case "arguments":
					args = f.val
				default:
					s.unknown(path+".function", f.key, f.val)
				}
			}
		case "type":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	c, ok := d.calls[at]
	if !ok || !empty(id) {
		c = s.openCall(0, at, id)
		if d.calls == nil {
			d.calls = map[int32]action{}
		}
		d.calls[at] = c
	}
	s.toolName(c, name)
	s.toolArgs(c, args)
}

// top reads text at the top: a fragment, a plan for tools, or a whole answer.
func (d *cohere) top(s *stream, kind string, val []byte) {
	if kind != "text-generation" {
		s.once()
	}
	switch {
	case isNull(val):
	case kind == "tool-calls-chunk", kind == "tool-calls-generation":
		if !s.choice(0).content || kind == "tool-calls-chunk" {
			s.reasoning(0, "text", "", val)
		}
	case kind == "stream-end" && s.choice(0).content: // the answer once more
	default:
		s.text(0, "text", "", val)
	}
}

// callDelta reads a fragment of a call in version 1.
func (d *cohere) callDelta(s *stream, obj []byte) {
	if isNull(obj) {
		return
	}
	at, _ := index(get(obj, "index"))
	c, ok := d.calls[at]
	if !ok {
		c = s.openCall(0, at, nil)
		if d.calls == nil {
			d.calls = map[int32]action{}
		}
		d.calls[at] = c
	}
	for m := s.object("tool_call_delta", obj); m.next(); {
		switch string(m.key) {
		case "name":
			s.toolName(c, m.val)
		case "parameters":
			s.toolArgs(c, m.val)
		case "index":
		case "text":
			if !isNull(m.val) {
				s.reasoning(0, "tool_call_delta", ".text", m.val)
			}
		default:
			s.unknown("tool_call_delta", m.key, m.val)
		}
	}
}

// topCalls reads the whole calls of version 1, which repeat fragments.
func (d *cohere) topCalls(s *stream, kind string, val []byte) {
	if isNull(val) || len(d.calls) > 0 {
		return
	}
	i := int32(0)
	for e := s.array("tool_calls", val); e.next(); i++ {
		d.call(s, "tool_calls[]", i, e.val)
	}
}

// end reads the whole response that ends a version 1 stream: its text and
// calls repeat what was streamed.
func (d *cohere) end(s *stream, obj []byte) {
	for m := s.object("response", obj); m.next(); {
		switch string(m.key) {
		case "meta":
			s.cohereUsage("response.meta", m.val)
		case "text":
			d.top(s, "stream-end", m.val)
		case "tool_calls":
			d.topCalls(s, "stream-end", m.val)
		case "response_id", "generation_id", "finish_reason", "prompt":
		case "citations", "documents", "search_queries", "search_results", "chat_history":
			s.metaIf("response."+string(m.key), 0, m.val)
		default:
			s.unknown("response", m.key, m.val)
		}
	}
}

// cohereUsage: billed units are what counts; tokens with the template's own
// stand beside them, and so do cached ones.
func (s *stream) cohereUsage(path string, val []byte) {
	s.usage = Usage{}
	if isNull(val) {
		return
	}
	u := &s.usage
	var tokens, billed []byte
	any := false
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "tokens":
			tokens, any = m.val, true
		case "billed_units":
			billed, any = m.val, true
		case "cached_tokens":
			s.number(&u.CachedTokens, m.val)
			any = true
		case "api_version":
		case "warnings":
			s.metaIf(path+".warnings", 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	for _, part := range [][]byte{tokens, billed} {
		if kindOf(part) != '{' {
			continue
		}
		for m := s.object(path, part); m.next(); {
			switch string(m.key) {
			case "input_tokens":
				s.number(&u.InputTokens, m.val)
			case "output_tokens":
				s.number(&u.OutputTokens, m.val)
			case "reasoning_tokens":
				s.number(&u.ReasoningTokens, m.val)
			case "search_units":
				s.number(&u.Searches, m.val)
			case "classifications", "image_tokens", "images":
			default:
				s.unknown(path, m.key, m.val)
			}
		}
	}
	if any {
		u.CachedDisjoint = billed != nil && u.CachedTokens != nil && u.InputTokens != nil && *u.CachedTokens > *u.InputTokens
		s.giveUsage(val)
	}
}
