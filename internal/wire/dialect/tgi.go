package dialect

// tgi reads what Text Generation Inference sends in its own dialect: a token a
// message, and with the last one the whole text and its details.
type tgi struct{}

func (d *tgi) message(s *stream, _ string, obj []byte) {
	var whole, details []byte
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "token":
			d.token(s, m.val)
		case "generated_text":
			whole = m.val
		case "details":
			details = m.val
		case "index":
		case "top_tokens", "prefill":
			s.metaIf(string(m.key), 0, m.val)
		default:
			s.other(m.key, m.val)
		}
	}
	if kindOf(whole) == '"' && !s.choice(0).content { // else it was streamed
		s.once()
		s.text(0, "generated_text", "", whole)
	}
	if kindOf(details) == '{' {
		d.details(s, details)
	} else if kindOf(whole) == '"' {
		s.unmarked()
	}
}

func (d *tgi) token(s *stream, val []byte) {
	if isNull(val) {
		return
	}
	special := string(get(val, "special")) == "true"
	for m := s.object("token", val); m.next(); {
		switch string(m.key) {
		case "text":
			if special { // a mark of the template, and no text
				s.metaIf("token.text", 0, m.val)
			} else {
				s.text(0, "token", ".text", m.val)
			}
		case "id", "logprob":
			s.varies(m.val)
		case "special":
		default:
			s.unknown("token", m.key, m.val)
		}
	}
}

func (d *tgi) details(s *stream, val []byte) {
	var finish []byte
	s.usage = Usage{}
	for m := s.object("details", val); m.next(); {
		switch string(m.key) {
		case "finish_reason":
			finish = m.val
		case "generated_tokens":
			s.number(&s.usage.OutputTokens, m.val)
		case "input_length":
			s.number(&s.usage.InputTokens, m.val)
		case "seed":
		case "prefill", "tokens", "top_tokens", "best_of_sequences":
			s.metaIf("details."+string(m.key), 0, m.val)
		default:
			s.unknown("details", m.key, m.val)
		}
	}
	s.finish(0, finish)
	if !s.usage.empty() {
		s.giveUsage(val)
	}
}
