package dialect

// openAICompletions reads the older text completions.
type openAICompletions struct{}

func (d *openAICompletions) message(s *stream, _ string, obj []byte) {
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "choices":
			if isNull(m.val) {
				continue
			}
			for e := s.array("choices", m.val); e.next(); {
				d.choice(s, e.val)
			}
		case "value": // Writer's chunks are no more than this
			s.text(0, "value", "", m.val)
			s.unmarked()
		case "usage":
			s.usageObject("usage", m.val)
		case "model":
			s.note(&s.served.model, m.val)
		case "id":
			s.note(&s.served.id, m.val)
		case "system_fingerprint":
			s.note(&s.served.fingerprint, m.val)
		case "service_tier":
			s.note(&s.served.tier, m.val)
		case "provider":
			s.note(&s.served.provider, m.val)
		case "created", "obfuscation", "p":
			s.varies(m.val)
		case "object", "nonce", "prompt", "metadata":
		case "timings", "time_info":
			s.timings(string(m.key), m.val)
		case "prompt_filter_results", "kv_transfer_params", "warning", "warnings":
			s.metaIf(string(m.key), 0, m.val)
		case "x_groq":
			s.groq(m.val)
		default:
			s.other(m.key, m.val)
		}
	}
}

func (d *openAICompletions) choice(s *stream, obj []byte) {
	const path = "choices[]"
	choice, _ := index(get(obj, "index"))
	var finish []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "text":
			if !isNull(m.val) {
				s.text(choice, path, ".text", m.val)
			}
		case "reasoning", "reasoning_content":
			if !empty(m.val) {
				s.reasoning(choice, path, "."+string(m.key), m.val)
			}
		case "finish_reason":
			finish = m.val
		case "logprobs":
			s.logprobs(path+".logprobs", choice, m.val)
		case "token_ids":
			s.listed(path+".token_ids", choice, m.val)
		case "index", "native_finish_reason", "matched_stop", "stop_reason", "seed", "content_filter_offsets", "hidden_states":
		case "content_filter_results", "content_filter_result", "prompt_logprobs", "prompt_token_ids":
			s.metaIf(path+"."+string(m.key), choice, m.val)
		case "error":
			s.errorValue(m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	s.finish(choice, finish)
}
