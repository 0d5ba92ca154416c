package dialect

// parts reads typed content: a text, a part with a type, or a list of either,
// nested as Mistral's thinking is. thinking says whether text in it is
// reasoning; a part's own type and field can say so, too.
func (s *stream) parts(choice int32, path string, val []byte, thinking bool) {
	s.partsAt(choice, path, val, thinking, 0)
}

func (s *stream) partsAt(choice int32, path string, val []byte, thinking bool, depth int) {
	const deepest = 8
	switch {
	case isNull(val):
	case depth > deepest:
		s.undecoded(path + " (too deep)")
	case kindOf(val) == '[':
		for e := s.array(path, val); e.next(); {
			s.partsAt(choice, path+"[]", e.val, thinking, depth+1)
		}
	case kindOf(val) == '{':
		s.typedPart(choice, path, val, thinking, depth)
	case thinking:
		s.reasoning(choice, path, "", val)
	default:
		s.text(choice, path, "", val)
	}
}

func (s *stream) typedPart(choice int32, path string, val []byte, thinking bool, depth int) {
	switch kind := get(val, "type"); s.str(kind) {
	case "":
		if kind == nil && get(val, "text") == nil && get(val, "thinking") == nil {
			// An answer in JSON that the server parsed: the object is the text.
			s.answer(choice, s.clean(val))
			return
		}
	case "redacted_thinking", "reasoning.encrypted":
		s.hidden(path+" redacted", choice)
	case "thinking", "reasoning", "reasoning.text", "reasoning.summary", "summary_text", "reasoning_text":
		thinking = true
	}
	for m := s.object(path, val); m.next(); {
		field := path + "." + string(m.key)
		switch string(m.key) {
		case "text", "content":
			s.partsAt(choice, field, m.val, thinking, depth+1)
		case "thinking", "summary", "reasoning", "reasoning_content":
			s.partsAt(choice, field, m.val, true, depth+1)
		case "refusal":
			s.refusal(choice, field, "", m.val)
		case "type", "id", "index", "format", "signature", "closed", "cache_control", "provider", "status":
		case "image_url", "image", "b64_json":
			s.media("image", field, choice, m.val)
		case "audio_url":
			s.media("audio", field, choice, m.val)
		case "video_url":
			s.media("video", field, choice, m.val)
		case "data", "encrypted_content", "reference_ids", "document_url", "input_audio",
			"citations", "annotations", "logprobs", "file", "file_id", "file_name", "file_type", "tool", "title", "url",
			"favicon", "description", "source":
			s.metaIf(field, choice, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}
