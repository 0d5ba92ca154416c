package dialect

import "bytes"

// openAIChat reads chat completions: OpenAI's own and those of all who follow
// it. What they add (reasoning in several spellings, cost, timings, content
// lists) is known by its name, not by who sends it.
type openAIChat struct{}

func (d *openAIChat) message(s *stream, _ string, obj []byte) {
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "choices":
			s.chatChoices(m.val)
		case "usage":
			s.usageObject("usage", m.val)
		case "model", "model_id":
			s.note(&s.served.model, m.val)
		case "id":
			s.note(&s.served.id, m.val)
		case "system_fingerprint":
			s.note(&s.served.fingerprint, m.val)
		case "service_tier":
			s.note(&s.served.tier, m.val)
		case "provider":
			s.note(&s.served.provider, m.val)
		case "created", "created_at", "obfuscation", "p":
			s.varies(m.val)
		case "object", "nonce", "prompt", "metadata", "model_version", "stream_options", "generationId", "copilot_usage", "channel":
		case "x_groq":
			s.groq(m.val)
		case "timings", "time_info", "sla_metrics", "latency_checkpoint":
			s.timings(string(m.key), m.val)
		case "prompt_filter_results", "prompt_annotations", "content_filter_results", "citations", "search_results",
			"images", "related_questions", "web_search", "prompt_logprobs", "prompt_token_ids", "kv_transfer_params",
			"warning", "warnings", "moderation", "copilot_annotations", "copilot_references", "status_details", "videos":
			s.metaIf(string(m.key), 0, m.val)
		case "__verbose", "system", "stats", "model_info", "cost":
			s.metaIf(string(m.key), 0, m.val)
		default:
			s.other(m.key, m.val)
		}
	}
}

// groq reads x_groq: usage with queue times, ids, and errors of a stream.
func (s *stream) groq(val []byte) {
	if isNull(val) {
		return
	}
	for m := s.object("x_groq", val); m.next(); {
		switch string(m.key) {
		case "usage":
			s.usageObject("x_groq.usage", m.val)
		case "error":
			s.errorValue(m.val)
		case "id", "seed":
		case "debug", "usage_breakdown":
			s.metaIf("x_groq."+string(m.key), 0, m.val)
		default:
			s.unknown("x_groq", m.key, m.val)
		}
	}
}

func (s *stream) chatChoices(val []byte) {
	if isNull(val) {
		return
	}
	for e := s.array("choices", val); e.next(); {
		if kindOf(e.val) == '{' {
			s.chatChoice(e.val)
		} else {
			s.unknown("choices[]", nil, e.val)
		}
	}
}

func (s *stream) chatChoice(obj []byte) {
	choice, _ := index(get(obj, "index"))
	var delta, message, text, finish []byte
	for m := s.object("choices[]", obj); m.next(); {
		switch string(m.key) {
		case "delta":
			delta = m.val
		case "message":
			message = m.val
		case "text":
			text = m.val
		case "finish_reason":
			finish = m.val
		case "index", "native_finish_reason", "matched_stop", "stop_reason", "seed", "content_filter_offsets",
			"hidden_states", "finish_details", "routed_experts":
		case "logprobs":
			s.logprobs("choices[].logprobs", choice, m.val)
		case "obfuscation":
			s.varies(m.val)
		case "token_ids":
			s.listed("choices[].token_ids", choice, m.val)
		case "content_filter_results", "content_filter_result", "annotations", "citations", "prompt_token_ids",
			"prompt_logprobs", "content_filter", "moderation":
			s.metaIf("choices[]."+string(m.key), choice, m.val)
		case "usage":
			s.usageObject("choices[].usage", m.val)
		case "error":
			s.errorValue(m.val)
		default:
			s.unknown("choices[]", m.key, m.val)
		}
	}
	if !isNull(delta) {
		s.chatDelta(choice, "choices[].delta", delta)
	}
	// Beside deltas, message and text repeat what was streamed.
	if !s.choice(choice).content && (!isNull(message) || !isNull(text)) {
		s.once()
		if !isNull(message) {
			s.chatDelta(choice, "choices[].message", message)
		}
		if !s.choice(choice).content && !isNull(text) {
			s.text(choice, "choices[].text", "", text)
		}
	}
	s.finish(choice, finish)
}

// logprobs gives how many tokens a frame lists.
func (s *stream) logprobs(path string, choice int32, val []byte) {
	if empty(val) {
		return
	}
	list := val
	if kindOf(val) == '{' {
		for _, name := range []string{"content", "tokens", "refusal", "token_logprobs"} {
			if list = get(val, name); !empty(list) {
				break
			}
		}
	}
	e := s.blank(KindMeta, choice)
	e.Path, e.ListedTokens = path, count(list)
	s.give()
}

// chatDelta reads a delta, or the message of a response that was not streamed.
// Thinking comes first, as the model wrote it first.
func (s *stream) chatDelta(choice int32, path string, obj []byte) {
	var spellings [5][]byte // of reasoning, as plain text
	var details, blocks, content, refusal, calls, function []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "role", "name", "tool_call_id", "padding", "reasoning_signature", "reasoning_opaque", "refusal_code",
			"channel", "cot_id", "extra_content", "thought_signature", "id", "token_id", "phase", "partial", "prefix", "type", "status":
		case "content":
			content = m.val
		case "reasoning_content":
			spellings[0] = m.val
		case "reasoning":
			spellings[1] = m.val
		case "reasoning_text":
			spellings[2] = m.val
		case "thinking":
			spellings[3] = m.val
		case "cot_summary":
			spellings[4] = m.val
		case "reasoning_details":
			details = m.val
		case "thinking_blocks":
			blocks = m.val
		case "refusal":
			refusal = m.val
		case "tool_calls":
			calls = m.val
		case "function_call":
			function = m.val
		case "annotations", "citations", "provider_specific_fields", "provider_metadata", "executed_tools",
			"search_results", "code_results", "content_filter_results", "mcp_list_tools", "reasoning_steps", "context",
			"tool_results", "audio_tokens", "graph_data", "llm_data", "translation_data", "planner":
			s.metaIf(path+"."+string(m.key), choice, m.val)
		case "audio":
			s.audio(choice, path+".audio", m.val)
		case "images", "image":
			s.media("image", path+"."+string(m.key), choice, m.val)
		case "videos":
			s.media("video", path+".videos", choice, m.val)
		case "encrypted_content":
			if !empty(m.val) {
				s.hidden(path+".encrypted_content", choice)
			}
		case "token_ids":
			s.listed(path+".token_ids", choice, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	s.chatReasoning(choice, path, spellings[:], details, blocks)
	if !isNull(content) {
		s.chatContent(choice, path, content)
	}
	if !isNull(refusal) {
		s.refusal(choice, path, ".refusal", refusal)
	}
	if !isNull(calls) {
		for e := s.array(path+".tool_calls", calls); e.next(); {
			s.chatCall(choice, path+".tool_calls[]", e.val)
		}
	}
	if !isNull(function) && !empty(function) {
		s.functionCall(choice, path+".function_call", function)
	}
}

// chatReasoning gives thinking once, however many fields repeat it.
func (s *stream) chatReasoning(choice int32, path string, spellings [][]byte, details, blocks []byte) {
	names := [...]string{".reasoning_content", ".reasoning", ".reasoning_text", ".thinking", ".cot_summary"}
	var first []byte
	for i, val := range spellings {
		switch {
		case empty(val):
		case first != nil && bytes.Equal(s.decode(first), s.decode(val)):
			s.same(val)
		default:
			first = val
			if kindOf(val) == '"' {
				s.reasoning(choice, path, names[i], val)
			} else {
				s.parts(choice, path+names[i], val, true)
			}
		}
	}
	for i, list := range [][]byte{details, blocks} {
		if empty(list) {
			continue
		}
		name := path + [...]string{".reasoning_details", ".thinking_blocks"}[i]
		switch {
		case first == nil:
			first = list
			s.parts(choice, name, list, true)
		case kindOf(first) != '"' || !s.repeated(list, first):
			s.undecoded(name + " (differs from the reasoning beside it)")
		}
	}
}

// repeated reports whether the texts of a list of details repeat those of another
// field, or the list holds none (signatures, encrypted thinking).
func (s *stream) repeated(list, first []byte) bool {
	if kindOf(list) != '[' {
		return false
	}
	var text []byte
	var only []byte
	n := 0
	for e := s.array("", list); e.next(); {
		for _, name := range []string{"text", "summary", "thinking"} {
			if val := get(e.val, name); !empty(val) {
				text = append(text, s.decode(val)...)
				only = val
				n++
			}
		}
	}
	if n == 1 {
		s.same(only)
	}
	return n == 0 || bytes.Equal(text, s.decode(first))
}

func (s *stream) chatContent(choice int32, path string, val []byte) {
	if kindOf(val) == '"' {
		s.text(choice, path, ".content", val)
		return
	}
	s.parts(choice, path+".content", val, false)
}

// audio reads spoken answers: the transcript is their text.
func (s *stream) audio(choice int32, path string, val []byte) {
	if isNull(val) {
		return
	}
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "transcript":
			s.text(choice, path, ".transcript", m.val)
		case "data":
			s.media("audio", path+".data", choice, m.val)
		case "id", "expires_at":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

// chatCall reads one element of tool_calls.
func (s *stream) chatCall(choice int32, path string, val []byte) {
	var at, id, name, args []byte
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "index":
			at = m.val
		case "id":
			id = m.val
		case "function", "custom":
			if isNull(m.val) {
				continue
			}
			for f := s.object(path+"."+string(m.key), m.val); f.next(); {
				switch string(f.key) {
				case "name":
					name = f.val
				case "arguments", "input":
					args = f.val
				case "description", "parameters", "strict", "outputs", "output":
					s.metaIf(path+"."+string(m.key)+"."+string(f.key), choice, f.val)
				default:
					s.unknown(path+"."+string(m.key), f.key, f.val)
				}
			}
		case "type", "extra_content", "thought_signature", "provider_specific_fields", "caller":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	d := s.toolCall(choice, at, id, name, !empty(args))
	s.toolName(d, name)
	s.toolArgs(d, args)
}

// functionCall reads the one call of the older form.
func (s *stream) functionCall(choice int32, path string, val []byte) {
	var name, args []byte
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "name":
			name = m.val
		case "arguments":
			args = m.val
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	d := s.toolCall(choice, []byte("0"), nil, name, !empty(args))
	s.toolName(d, name)
	s.toolArgs(d, args)
}
