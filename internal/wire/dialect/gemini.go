package dialect

import "strings"

// gemini reads generateContent: as events, as a streamed array, or whole. The
// SDKs' own spelling with underscores is read, too.
type gemini struct {
	open     map[int32]*geminiCall // the call whose arguments are still streaming, by candidate
	searches int64                 // billed apart, as the grounding tells
}

type geminiCall struct {
	action action
	print  argsPrinter
}

func (d *gemini) message(s *stream, _ string, obj []byte) {
	var usage []byte
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "candidates":
			if isNull(m.val) {
				continue
			}
			for e := s.array("candidates", m.val); e.next(); {
				d.candidate(s, e.val)
			}
		case "usageMetadata", "usage_metadata":
			usage = m.val
		case "promptFeedback", "prompt_feedback":
			d.feedback(s, m.val)
		case "modelVersion", "model_version":
			s.note(&s.served.model, m.val)
		case "responseId", "response_id":
			s.note(&s.served.id, m.val)
		case "createTime", "create_time":
			s.varies(m.val)
		case "modelStatus", "model_status", "sdk_http_response", "automatic_function_calling_history", "parsed":
			s.metaIf(string(m.key), 0, m.val)
		default:
			s.other(m.key, m.val)
		}
	}
	if usage != nil && s.readUsage("usageMetadata", usage) {
		if d.searches > 0 && s.usage.Searches == nil {
			s.usage.Searches = &d.searches
		}
		s.giveUsage(usage)
	}
}

// grounded counts the searches behind an answer: its queries, or one where it
// rests on pages or places and names none. What was found in one's own files is
// billed by its tokens.
func (d *gemini) grounded(s *stream, val []byte) {
	var queries, places int64
	for m := s.object("candidates[].groundingMetadata", val); m.next(); {
		switch string(m.key) {
		case "webSearchQueries", "web_search_queries", "imageSearchQueries", "image_search_queries":
			queries += int64(count(m.val))
		case "groundingChunks", "grounding_chunks":
			for e := s.array("groundingChunks", m.val); e.next() && places == 0; {
				if get(e.val, "web") != nil || get(e.val, "maps") != nil {
					places = 1
				}
			}
		}
	}
	d.searches = max(d.searches, queries, places)
}

// feedback: a blocked prompt has no candidate to carry a finish reason.
func (d *gemini) feedback(s *stream, val []byte) {
	if isNull(val) {
		return
	}
	for m := s.object("promptFeedback", val); m.next(); {
		switch string(m.key) {
		case "blockReason", "block_reason":
			if reason := s.str(m.val); reason != "" && reason != "BLOCK_REASON_UNSPECIFIED" {
				s.finishAs(0, reason, FinishFilter)
			}
		case "safetyRatings", "safety_ratings", "blockReasonMessage", "block_reason_message":
			s.metaIf("promptFeedback."+string(m.key), 0, m.val)
		default:
			s.unknown("promptFeedback", m.key, m.val)
		}
	}
}

func (d *gemini) candidate(s *stream, obj []byte) {
	const path = "candidates[]"
	if kindOf(obj) != '{' {
		s.unknown(path, nil, obj)
		return
	}
	choice, _ := index(get(obj, "index"))
	var finish []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "content":
			d.content(s, choice, m.val)
		case "finishReason", "finish_reason":
			finish = m.val
		case "index", "avgLogprobs", "avg_logprobs", "tokenCount", "token_count":
		case "logprobsResult", "logprobs_result":
			s.listed(path+"."+string(m.key), choice, get(m.val, "chosenCandidates"))
		case "groundingMetadata", "grounding_metadata":
			s.metaIf(path+"."+string(m.key), choice, m.val)
			if kindOf(m.val) == '{' {
				d.grounded(s, m.val)
			}
		case "safetyRatings", "citationMetadata", "groundingAttributions", "urlContextMetadata",
			"finishMessage", "safety_ratings", "citation_metadata", "url_context_metadata",
			"url_retrieval_metadata", "finish_message", "groundingSupports":
			s.metaIf(path+"."+string(m.key), choice, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	if reason := s.str(finish); reason != "FINISH_REASON_UNSPECIFIED" {
		s.finish(choice, finish)
	}
}

func (d *gemini) content(s *stream, choice int32, val []byte) {
	const path = "candidates[].content"
	if isNull(val) {
		return
	}
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "parts":
			if isNull(m.val) {
				continue
			}
			for e := s.array(path+".parts", m.val); e.next(); {
				d.part(s, choice, e.val)
			}
		case "role":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

// part reads one part: text, thinking, a call, or what the server made of one.
func (d *gemini) part(s *stream, choice int32, obj []byte) {
	const path = "candidates[].content.parts[]"
	thought := string(get(obj, "thought")) == "true"
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "text":
			switch {
			case isNull(m.val):
			case thought:
				s.reasoning(choice, path, ".text", m.val)
			default:
				s.text(choice, path, ".text", m.val)
			}
		case "functionCall", "function_call":
			d.call(s, choice, m.val)
		case "executableCode", "executable_code":
			if isNull(m.val) {
				continue
			}
			c := s.openCall(choice, int32(len(s.choice(choice).calls)), get(m.val, "id"))
			s.toolName(c, []byte(`"code_execution"`))
			s.toolArgs(c, get(m.val, "code"))
		case "thought", "thoughtSignature", "thought_signature", "partMetadata":
		case "inlineData", "inline_data", "fileData", "file_data":
			s.media(mediaKind(s.str(either(get(m.val, "mimeType"), get(m.val, "mime_type")))), path+"."+string(m.key), choice, m.val)
		case "codeExecutionResult", "videoMetadata", "functionResponse", "toolCall", "toolResponse",
			"code_execution_result", "video_metadata", "function_response", "media_resolution":
			s.metaIf(path+"."+string(m.key), choice, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

// call reads a function call. Vertex can stream one: name first, then pieces
// of its arguments, each with the path where it belongs.
func (d *gemini) call(s *stream, choice int32, val []byte) {
	const path = "candidates[].content.parts[].functionCall"
	if isNull(val) {
		return
	}
	var id, name, args, partial []byte
	more := false
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "id":
			id = m.val
		case "name":
			name = m.val
		case "args":
			args = m.val
		case "partialArgs", "partial_args":
			partial = m.val
		case "willContinue", "will_continue":
			more = string(m.val) == "true"
		default:
			s.unknown(path, m.key, m.val)
		}
	}
	c, streaming := d.open[choice]
	if empty(name) && streaming {
		s.forget()
	} else {
		c = &geminiCall{action: s.openCall(choice, int32(len(s.choice(choice).calls)), id)}
		s.toolName(c.action, name)
	}
	s.toolArgs(c.action, args)
	if !empty(partial) {
		for e := s.array(path+".partialArgs", partial); e.next(); {
			d.print(s, c, c.print.piece(s, e.val))
		}
	}
	delete(d.open, choice)
	if !more {
		d.print(s, c, c.print.end())
		return
	}
	if d.open == nil {
		d.open = map[int32]*geminiCall{}
	}
	d.open[choice] = c
}

func (d *gemini) print(s *stream, c *geminiCall, text []byte) {
	if len(text) > 0 {
		s.toolText(c.action, ToolArguments, text)
	}
}

// finishAs gives a finish reason whose meaning the dialect knows.
func (s *stream) finishAs(choice int32, reason string, f Finish) {
	s.flushThink(s.choice(choice))
	e := s.blank(KindFinish, choice)
	e.FinishReason, e.Finish = reason, f
	s.give()
}

// join appends a field to a path that may be empty.
func join(path, field string) string {
	return strings.TrimPrefix(path+"."+field, ".")
}

// either is the first of two values that is there.
func either(a, b []byte) []byte {
	if a != nil {
		return a
	}
	return b
}

// mediaKind is the kind of media that a MIME type names; what it does not name
// is an image, which most are.
func mediaKind(mime string) string {
	switch kind, _, _ := strings.Cut(mime, "/"); kind {
	case "audio", "video":
		return kind
	}
	return "image"
}
