package dialect

import "strings"

// openAIResponses reads the Responses API. Its stream says everything several
// times: in deltas, again whole when a part, an item and the response end.
// Deltas count; what ends them only counts where no delta came before, and
// else must agree with them.
type openAIResponses struct {
	items   map[int32]*responseItem // by output_index
	outputs map[string]int32        // output_index by the item's id
	texts   map[textKey]*seenText
}

type responseItem struct {
	action action // of a tool call
	call   bool
	kind   string
	search bool // a web search, and not the opening of a page that it found
	print  callPrinter
}

// textKey names one running text of the response.
type textKey struct {
	output, part int32
	kind         Kind
}

// seenText is what deltas made of a text so far: enough to compare it.
type seenText struct {
	n     int
	sum   uint64
	wrong bool // it differs from the whole, and that was told
}

const fnvOffset, fnvPrime = 14695981039346656037, 1099511628211

func (v *seenText) add(text []byte) {
	if v.n == 0 {
		v.sum = fnvOffset
	}
	v.n += len(text)
	for _, c := range text {
		v.sum = (v.sum ^ uint64(c)) * fnvPrime
	}
}

// after is the rest of a text that begins with what was seen, nil if it does not.
func (v *seenText) after(text []byte) []byte {
	var begin seenText
	if v.n >= len(text) {
		return nil
	}
	if begin.add(text[:v.n]); begin.sum != v.sum {
		return nil
	}
	return text[v.n:]
}

func (d *openAIResponses) seen(k textKey) *seenText {
	v := d.texts[k]
	if v == nil {
		if d.texts == nil {
			d.texts = map[textKey]*seenText{}
		}
		v = &seenText{}
		d.texts[k] = v
	}
	return v
}

// responseEvent is what the handlers need of an event.
type responseEvent struct {
	output, content, summary      int32
	item, part, delta, text, args []byte
	response                      []byte
}

func (d *openAIResponses) message(s *stream, event string, obj []byte) {
	kind := s.typeOf(obj, "type")
	if kind == "" {
		kind = event
	}
	if string(get(obj, "object")) == `"response"` {
		d.response(s, "", obj, "response.completed")
		return
	}
	var e responseEvent
	var item []byte
	if kind == "error" {
		s.err.Type, s.errFound = "error", true
		for m := s.object("", obj); m.next(); {
			if string(m.key) != "type" && string(m.key) != "sequence_number" {
				s.other(m.key, m.val)
			}
		}
		return
	}
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "type":
		case "response":
			e.response = m.val
		case "item":
			e.item = m.val
		case "part":
			e.part = m.val
		case "delta":
			e.delta = m.val
		case "text", "refusal", "transcript":
			e.text = m.val
		case "arguments", "input", "code":
			e.args = m.val
		case "output_index":
			e.output, _ = index(m.val)
		case "content_index":
			e.content, _ = index(m.val)
		case "summary_index":
			e.summary, _ = index(m.val)
		case "sequence_number", "obfuscation":
			s.varies(m.val)
		case "item_id":
			item = m.val
		case "copilot_usage", "call_id", "name", "event_id", "status", "command_index":
		case "logprobs":
			if strings.HasSuffix(kind, ".delta") {
				s.listed("logprobs", 0, m.val)
			}
		case "annotation", "annotations", "partial_image_b64", "partial_image_index", "diff", "command", "rate_limits", "metadata",
			"size", "quality", "background", "output_format", "queries", "results", "output", "annotation_index", "signature",
			"credits", "plan_type", "code_review_rate_limits", "additional_rate_limits", "promo", "headers":
			s.metaIf(string(m.key), 0, m.val)
		default:
			s.other(m.key, m.val)
		}
	}
	e.output = d.outputOf(s, item, e.output)
	d.event(s, kind, &e)
}

// event handles one event by what its name ends with.
func (d *openAIResponses) event(s *stream, kind string, e *responseEvent) {
	name := strings.TrimPrefix(kind, "response.")
	switch name {
	case "created", "in_progress", "queued", "completed", "incomplete", "failed", "cancelled", "done":
		d.response(s, "response", e.response, kind)
	case "output_item.added":
		d.item(s, "item", e.output, e.item, false)
	case "output_item.done":
		d.item(s, "item", e.output, e.item, true)
	case "content_part.added", "content_part.done":
		d.part(s, "part", e.output, e.content, e.part)
	case "reasoning_summary_part.added", "reasoning_summary_part.done":
		d.part(s, "part", e.output, e.summary, e.part)
	case "output_text.delta", "audio.transcript.delta", "audio_transcript.delta", "text.delta":
		d.delta(s, textKey{e.output, e.content, KindText}, e.delta)
	case "reasoning_text.delta", "reasoning.delta", "reasoning_summary_text.delta", "reasoning_summary.delta":
		d.delta(s, textKey{e.output, e.reasoningPart(name), KindReasoning}, e.delta)
	case "refusal.delta":
		d.delta(s, textKey{e.output, e.content, KindRefusal}, e.delta)
	case "output_text.done", "audio.transcript.done", "audio_transcript.done", "text.done":
		d.whole(s, textKey{e.output, e.content, KindText}, "text", e.text)
	case "reasoning_text.done", "reasoning.done", "reasoning_summary_text.done", "reasoning_summary.done":
		d.whole(s, textKey{e.output, e.reasoningPart(name), KindReasoning}, "text", e.text)
	case "refusal.done":
		d.whole(s, textKey{e.output, e.content, KindRefusal}, "refusal", e.text)
	case "audio.delta":
		s.metaIf("delta", 0, e.delta)
	case "keepalive", "ping":
		s.event(KindPing, 0)
	case "":
	default:
		d.toolEvent(s, name, e)
	}
}

// reasoningPart keeps summaries and full thinking of one item apart.
func (e *responseEvent) reasoningPart(name string) int32 {
	if strings.HasPrefix(name, "reasoning_summary") {
		return e.summary
	}
	return -1 - e.content
}

// toolEvent handles the events of tool calls of every type: deltas of their
// arguments, code or input, the end of those, and changes of state.
func (d *openAIResponses) toolEvent(s *stream, name string, e *responseEvent) {
	switch {
	case strings.HasPrefix(name, "shell_call_command."), strings.HasPrefix(name, "apply_patch_call_operation_diff."):
		d.printed(s, name, e)
	case strings.HasSuffix(name, ".delta") && strings.Contains(name, "call"):
		d.delta(s, textKey{e.output, 0, KindTool}, e.delta)
	case strings.HasSuffix(name, ".done") && strings.Contains(name, "call"):
		if !empty(e.args) {
			d.whole(s, textKey{e.output, 0, KindTool}, "arguments", e.args)
		}
	case strings.HasSuffix(name, ".in_progress"), strings.HasSuffix(name, ".completed"), strings.HasSuffix(name, ".failed"),
		strings.HasSuffix(name, "ing"), // searching, interpreting, generating
		strings.HasPrefix(name, "output_text.annotation"), strings.HasSuffix(name, ".partial_image"),
		strings.Contains(name, "rate_limits"), strings.HasSuffix(name, ".incomplete"), strings.HasSuffix(name, "metadata"):
	default:
		s.undecoded("type " + clip([]byte(name)))
	}
}

// delta gives a fragment and keeps what tells whether the whole agrees.
func (d *openAIResponses) delta(s *stream, k textKey, val []byte) {
	text := val
	if kindOf(val) == '{' { // {"text": "…"} in early versions
		text = get(val, "text")
	}
	v := d.seen(k)
	s.draft.seen = v
	decoded := s.decode(text)
	if k.kind == KindTool {
		s.toolArgs(d.callAt(s, k.output), text)
	} else if decoded = s.content(k.kind, 0, "delta", "", text); len(decoded) > 0 {
		if k.kind == KindText {
			s.answer(0, decoded)
		} else {
			s.generated(k.kind, 0, decoded)
		}
	}
	v.add(decoded)
}

// whole gives a text of which no delta was seen, else compares the two.
func (d *openAIResponses) whole(s *stream, k textKey, path string, val []byte) {
	s.once()
	if kindOf(val) != '"' {
		if k.kind == KindTool && !isNull(val) && d.seen(k).n == 0 {
			s.toolArgs(d.callAt(s, k.output), val)
			d.seen(k).add(val)
		} else if k.kind != KindTool {
			s.mismatch(path, val)
		}
		return
	}
	text := s.decode(val)
	v := d.seen(k)
	if v.n == 0 {
		d.delta(s, k, val)
		return
	}
	var w seenText
	w.add(text)
	if len(text) == 0 || v.wrong || w.n == v.n && w.sum == v.sum {
		return
	}
	if rest := v.after(text); k.kind == KindTool && rest != nil { // its last deltas did not come
		v.add(rest)
		s.toolText(d.callAt(s, k.output), ToolArguments, rest)
		return
	}
	v.wrong = true
	s.undecoded(path + " (differs from its deltas)")
}

func (d *openAIResponses) callAt(s *stream, output int32) action {
	if it := d.items[output]; it != nil && it.call {
		return it.action
	}
	return s.toolCall(0, nil, nil, nil, true)
}

// response reads the response object: what it says of the server, and at the
// end usage, status and, where nothing was streamed, the output.
func (d *openAIResponses) response(s *stream, path string, obj []byte, event string) {
	if isNull(obj) {
		return
	}
	var status, incomplete, usage, failure []byte
	over := event != "response.created" && event != "response.in_progress" && event != "response.queued"
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "model":
			s.note(&s.served.model, m.val)
		case "id":
			s.note(&s.served.id, m.val)
		case "service_tier":
			s.note(&s.served.tier, m.val)
		case "system_fingerprint":
			s.note(&s.served.fingerprint, m.val)
		case "provider":
			s.note(&s.served.provider, m.val)
		case "usage":
			usage = m.val
		case "status":
			status = m.val
		case "incomplete_details":
			incomplete = m.val
		case "error":
			failure = m.val
		case "output":
			if over && !isNull(m.val) {
				i := int32(0)
				for e := s.array(join(path, "output"), m.val); e.next(); i++ {
					d.item(s, join(path, "output[]"), d.wholeOutputOf(s, e.val, i), e.val, true)
				}
			}
		case "output_text": // a convenience of the SDKs
		case "object", "created_at", "completed_at", "background", "frequency_penalty", "instructions", "max_output_tokens",
			"max_tool_calls", "parallel_tool_calls", "presence_penalty", "previous_response_id", "prompt", "prompt_cache_key",
			"prompt_cache_retention", "reasoning", "safety_identifier", "store", "temperature", "text", "tool_choice", "tools",
			"top_logprobs", "top_p", "truncation", "user", "metadata", "conversation", "modalities", "billing", "verbosity",
			"tool_usage", "context_management", "cost_token", "include", "stream", "top_k", "min_p", "seed", "stop", "n",
			"request_id", "created_by", "agent_reference", "session_id", "prompt_cache_options", "previous_interaction_id":
		case "content_filters", "moderation", "citations", "debug_output", "timings":
			s.metaIf(join(path, string(m.key)), 0, m.val)
		default:
			if path == "" {
				s.other(m.key, m.val)
			} else {
				s.unknown(path, m.key, m.val)
			}
		}
	}
	s.errorValue(failure)
	s.flushError()
	if over {
		d.end(s, event, s.str(status), incomplete)
	}
	if !isNull(usage) && s.readUsage(join(path, "usage"), usage) {
		if over {
			d.fees(s, obj)
		}
		s.giveUsage(usage)
	}
	if over {
		s.event(KindDone, 0)
	}
}

// end gives the finish reason: the response's status, or why it is incomplete.
func (d *openAIResponses) end(s *stream, event, status string, incomplete []byte) {
	if status == "" {
		status = strings.TrimPrefix(event, "response.")
	}
	switch status {
	case "in_progress", "queued":
		return
	case "incomplete":
		reason := s.str(get(incomplete, "reason"))
		if reason == "" {
			reason = status
		}
		s.finishAs(0, reason, finishOf(reason))
		return
	case "completed":
		for _, c := range s.choice(0).calls {
			if !strings.HasSuffix(c.name, "_call") && c.name != "program" {
				s.finishAs(0, status, FinishTool)
				return
			}
		}
	}
	s.finishAs(0, status, finishOf(status))
}
