package dialect

import "strings"

// anthropic reads Messages streams and bodies, and the older text completions.
type anthropic struct {
	blocks  map[int32]action // tool calls by the index of their block
	thought map[int32]bool   // blocks whose thinking was shown
}

func (d *anthropic) message(s *stream, event string, obj []byte) {
	kind := s.typeOf(obj, "type")
	if kind == "" {
		kind = event
	}
	switch kind {
	case "ping":
		s.event(KindPing, 0)
		return
	case "message":
		d.body(s, "", obj)
		return
	}
	var at int32
	var block, delta []byte
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "type":
			if kind == "error" {
				s.err.Type = "error"
			}
		case "index":
			at, _ = index(m.val)
		case "message":
			if kindOf(m.val) == '{' {
				d.body(s, "message", m.val)
			} else {
				s.other(m.key, m.val)
			}
		case "content_block":
			block = m.val
		case "delta":
			delta = m.val
		case "usage":
			d.usage(s, m.val)
		case "completion":
			s.text(0, "completion", "", m.val)
		case "stop_reason":
			s.finish(0, m.val)
		case "model":
			s.note(&s.served.model, m.val)
		case "id":
			s.note(&s.served.id, m.val)
		case "context_management", "fallback_credit":
			s.metaIf(string(m.key), 0, m.val)
		case "stop", "log_id", "truncated", "exception", "stop_sequence", "p":
		default:
			s.other(m.key, m.val)
		}
	}
	switch kind {
	case "content_block_start":
		d.block(s, "content_block", at, block, true)
	case "content_block_delta":
		d.delta(s, at, delta)
	case "message_delta":
		d.messageDelta(s, delta)
	case "message_stop":
		s.event(KindDone, 0)
	case "message_start", "content_block_stop", "completion", "error":
	case "":
	default:
		s.undecoded("type " + clip([]byte(kind)))
	}
}

// body reads a message object: the opening one of a stream, or a whole answer.
func (d *anthropic) body(s *stream, path string, obj []byte) {
	var stop []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "model":
			s.note(&s.served.model, m.val)
		case "id":
			s.note(&s.served.id, m.val)
		case "content":
			if isNull(m.val) {
				continue
			}
			i := int32(0)
			for e := s.array(path+".content", m.val); e.next(); i++ {
				d.block(s, "content[]", i, e.val, false)
			}
		case "usage":
			d.usage(s, m.val)
		case "stop_reason":
			stop = m.val
		case "type", "role", "stop_sequence":
		case "container", "context_management", "stop_details", "diagnostics", "fallback_credit":
			s.metaIf(join(path, string(m.key)), 0, m.val)
		default:
			if path == "" {
				s.other(m.key, m.val)
			} else {
				s.unknown(path, m.key, m.val)
			}
		}
	}
	s.finish(0, stop)
}

// usage: cached and cache-writing input stand beside input_tokens.
func (d *anthropic) usage(s *stream, val []byte) {
	if !s.readUsage("usage", val) {
		return
	}
	s.usage.CachedDisjoint = true
	s.giveUsage(val)
}

// block reads a content block. Those that open in a stream are mostly empty.
func (d *anthropic) block(s *stream, path string, at int32, val []byte, opening bool) {
	if kindOf(val) != '{' {
		s.mismatch(path, val)
		return
	}
	kind := s.typeOf(val, "type")
	switch {
	case kind == "text", kind == "thinking":
		s.anthropicText(path, val)
		if !opening && kind == "thinking" && empty(get(val, "thinking")) {
			s.hidden(path+" thinking", 0)
		}
	case kind == "redacted_thinking":
		s.hidden(path+" "+kind, 0)
	case strings.HasSuffix(kind, "tool_use"):
		d.toolUse(s, path, at, val, opening)
	case strings.HasSuffix(kind, "_tool_result"), kind == "tool_result", kind == "compaction", kind == "container_upload":
		s.metaAt(path+" "+kind, 0) // not the model's answer
	case kind == "fallback":
		s.note(&s.served.model, get(get(val, "to"), "model"))
		s.metaAt(path+" "+kind, 0)
	default:
		s.undecoded(path + " " + clip([]byte(kind)))
	}
}

func (s *stream) anthropicText(path string, val []byte) {
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "text":
			s.text(0, path, ".text", m.val)
		case "thinking":
			s.reasoning(0, path, ".thinking", m.val)
		case "type", "signature", "cache_control":
		case "citations":
			s.metaIf(path+"."+string(m.key), 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

func (d *anthropic) toolUse(s *stream, path string, at int32, val []byte, opening bool) {
	var id, name, input []byte
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "id":
			id = m.val
		case "name":
			name = m.val
		case "input":
			input = m.val
		case "type", "caller", "server_name", "cache_control":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	call := s.openCall(0, at, id)
	if d.blocks == nil {
		d.blocks = map[int32]action{}
	}
	d.blocks[at] = call
	s.toolName(call, name)
	if !opening || !empty(input) {
		s.toolArgs(call, input)
	}
}

func (d *anthropic) delta(s *stream, at int32, val []byte) {
	const path = "delta"
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "text":
			s.text(0, path, ".text", m.val)
		case "thinking":
			s.reasoning(0, path, ".thinking", m.val)
			if !empty(m.val) && !d.thought[at] {
				if d.thought == nil {
					d.thought = map[int32]bool{}
				}
				d.thought[at] = true
				s.once()
			}
		case "signature":
			if !empty(m.val) && !d.thought[at] {
				s.hidden(path+" thinking", 0)
			}
		case "partial_json":
			call, ok := d.blocks[at]
			if !ok {
				call = s.toolCall(0, nil, nil, nil, true)
			}
			s.toolArgs(call, m.val)
		case "type", "estimated_tokens":
		case "citation", "content", "encrypted_content":
			s.metaIf(path+"."+string(m.key), 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

func (d *anthropic) messageDelta(s *stream, val []byte) {
	const path = "delta"
	if isNull(val) {
		return
	}
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "stop_reason":
			s.finish(0, m.val)
		case "stop_sequence", "type":
		case "stop_details", "container", "context_management", "fallback_credit":
			s.metaIf(path+"."+string(m.key), 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}
