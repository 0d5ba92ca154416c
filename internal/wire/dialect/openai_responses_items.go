package dialect

import "strings"

// part reads a content part. It is empty when added and whole when done.
func (d *openAIResponses) part(s *stream, path string, output, at int32, obj []byte) {
	if isNull(obj) {
		return
	}
	kind := KindText
	switch s.typeOf(obj, "type") {
	case "reasoning_text":
		kind, at = KindReasoning, -1-at
	case "summary_text":
		kind = KindReasoning
	}
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "text", "transcript":
			if !empty(m.val) {
				d.whole(s, textKey{output, at, kind}, path+".text", m.val)
			}
		case "refusal":
			if !empty(m.val) {
				d.whole(s, textKey{output, at, KindRefusal}, path+".refusal", m.val)
			}
		case "type", "signature":
		case "logprobs": // listed with the deltas
		case "annotations", "data", "audio", "encrypted_content":
			s.metaIf(path+"."+string(m.key), 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

// wholeOutputOf is the output_index under which an item of the whole response was
// streamed. Where it was not, its position is taken.
func (d *openAIResponses) wholeOutputOf(s *stream, item []byte, position int32) int32 {
	if at, ok := d.outputs[string(s.decode(get(item, "id")))]; ok {
		return at
	}
	return position
}

// item reads an output item, as it is added or as it is done.
func (d *openAIResponses) item(s *stream, path string, output int32, obj []byte, done bool) {
	if kindOf(obj) != '{' {
		s.mismatch(path, obj)
		return
	}
	output = d.outputOf(s, get(obj, "id"), output)
	switch kind := s.typeOf(obj, "type"); {
	case kind == "message":
		d.messageItem(s, path, output, obj)
	case kind == "reasoning":
		d.reasoningItem(s, path, output, obj)
		if done && d.seen(textKey{output, 0, KindReasoning}).n == 0 && d.seen(textKey{output, -1, KindReasoning}).n == 0 {
			s.hidden(path+" reasoning", 0)
		}
	case kind == "function_call_output", strings.HasSuffix(kind, "_call_output"), strings.HasPrefix(kind, "mcp_list"),
		kind == "mcp_approval_response", kind == "compaction", strings.HasSuffix(kind, "_output"):
		s.metaAt(path+" "+kind, 0) // not the model's answer
	case strings.HasSuffix(kind, "_call"), kind == "program", kind == "mcp_approval_request":
		d.callItem(s, path, kind, output, obj, done)
	default:
		s.undecoded(path + " " + clip([]byte(kind)))
	}
}

func (d *openAIResponses) messageItem(s *stream, path string, output int32, obj []byte) {
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "content":
			d.parts(s, path+".content[]", output, m.val)
		case "id", "type", "status", "role", "phase":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

func (d *openAIResponses) reasoningItem(s *stream, path string, output int32, obj []byte) {
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "summary", "content":
			d.parts(s, path+"."+string(m.key)+"[]", output, m.val)
		case "encrypted_content":
			s.metaIf(path+".encrypted_content", 0, m.val)
		case "id", "type", "status", "signature", "format":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

func (d *openAIResponses) parts(s *stream, path string, output int32, list []byte) {
	if isNull(list) {
		return
	}
	i := int32(0)
	for e := s.array(path, list); e.next(); i++ {
		d.part(s, path, output, i, e.val)
	}
}

// callItem reads a call of any tool. Its name is the function's, or the tool's
// own type; its arguments are whatever the model wrote for it.
func (d *openAIResponses) callItem(s *stream, path, kind string, output int32, obj []byte, done bool) {
	var id, callID, name, args []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "id":
			id = m.val
		case "call_id":
			callID = m.val
		case "name":
			name = m.val
		case "arguments", "input", "code", "action", "queries", "operation":
			if !empty(m.val) || args == nil {
				args = m.val
			}
		case "type", "status", "caller", "container_id", "server_label", "approval_request_id", "execution", "fingerprint",
			"pending_safety_checks", "max_output_length", "namespace", "revised_prompt", "size", "quality", "background", "output_format",
			"environment", "created_by", "role", "content", "annotations", "logprobs", "phase":
		case "result":
			if kind == "image_generation_call" {
				s.media("image", path+".result", 0, m.val)
				continue
			}
			s.metaIf(path+".result", 0, m.val)
		case "output", "outputs", "results", "error", "tools":
			s.metaIf(path+"."+string(m.key), 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	if empty(callID) {
		callID = id
	}
	it := d.items[output]
	if it == nil || !it.call {
		if d.items == nil {
			d.items = map[int32]*responseItem{}
		}
		it = &responseItem{call: true, kind: kind, action: s.openCall(0, output, callID)}
		d.items[output] = it
		if empty(name) {
			name = []byte(`"` + kind + `"`)
		}
		s.toolName(it.action, name)
	}
	if action := s.str(get(args, "type")); done && kind == "web_search_call" {
		it.search = action == "" || action == "search"
	}
	switch {
	case !done && kindOf(args) == '{':
		it.print.begin(s, it, args) // not whole yet
	case it.print.end(s, it, args):
	case !empty(args) || done && kindOf(args) == '{' && len(args) == 2:
		d.whole(s, textKey{output, 0, KindTool}, path+".arguments", args)
	}
}

// X// stable, and the index that the event states otherwise.
func (d *openAIResponses) outputOf(s *stream, id []byte, output int32) int32 {
	const most = 256 // some servers encrypt the id again for each event
	name := s.decode(id)
	if len(name) == 0 {
		return output
	}
	if at, ok := d.outputs[string(name)]; ok {
		return at
	}
	if len(d.outputs) < most {
		if d.outputs == nil {
			d.outputs = map[string]int32{}
		}
		d.outputs[string(name)] = output
	}
	return output
}

// fees counts what is billed by the call, where the usage does not say it.
func (d *openAIResponses) fees(s *stream, obj []byte) {
	var searches, code, files int64
	for _, it := range d.items {
		switch {
		case it.kind == "web_search_call" && it.search:
			searches++
		case it.kind == "code_interpreter_call":
			code++
		case it.kind == "file_search_call":
			files++
		}
	}
	if n, ok := integer(get(get(get(obj, "tool_usage"), "web_search"), "num_requests")); ok {
		searches = n
	}
	u := &s.usage
	for _, c := range []struct {
		to **int64
		n  *int64
	}{{&u.Searches, &searches}, {&u.CodeExecutions, &code}, {&u.FileSearches, &files}} {
		if *c.to == nil && *c.n > 0 {
			*c.to = c.n
		}
	}
}
