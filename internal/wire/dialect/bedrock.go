package dialect

import "encoding/base64"

// bedrock reads Converse (its events are named by the AWS message, or wrap
// themselves in an object with their name), and invoke streams, whose messages
// carry another dialect's JSON.
type bedrock struct {
	calls map[int32]action // by index of the block
	inner map[string]messages
	body  []byte // of the invoke message now decoded
}

func (d *bedrock) message(s *stream, event string, obj []byte) {
	switch event {
	case "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop", "metadata":
		d.event(s, event, event, obj)
		return
	case "chunk":
		if data := get(obj, "bytes"); data != nil {
			d.chunk(s, obj)
			return
		}
	}
	if d.modelBody(s, obj) {
		return
	}
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "messageStart", "contentBlockStart", "contentBlockDelta", "contentBlockStop", "messageStop":
			d.event(s, string(m.key), string(m.key), m.val)
		case "metadata":
			if kindOf(m.val) == '{' {
				d.event(s, "metadata", "metadata", m.val)
			}
		case "output":
			d.output(s, m.val)
		case "stopReason":
			s.finish(0, m.val)
		case "usage":
			d.usage(s, m.val)
		case "metrics":
			s.timings("metrics", m.val)
		case "serviceTier":
			s.tier(get(m.val, "type"))
		case "p", "additionalModelResponseFields", "performanceConfig":
		case "trace":
			s.metaIf(string(m.key), 0, m.val)
		default:
			s.other(m.key, m.val)
		}
	}
}

// event reads the fields of one Converse event.
func (d *bedrock) event(s *stream, name, path string, obj []byte) {
	at, _ := index(get(obj, "contentBlockIndex"))
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "delta":
			d.block(s, path+".delta", at, m.val, true)
		case "start":
			d.block(s, path+".start", at, m.val, true)
		case "stopReason":
			s.finish(0, m.val)
		case "usage":
			d.usage(s, m.val)
		case "metrics":
			s.timings("metrics", m.val)
		case "serviceTier":
			s.tier(get(m.val, "type"))
		case "contentBlockIndex", "role", "p", "performanceConfig", "additionalModelResponseFields", "conversationId":
		case "trace", "promptVariables":
			s.metaIf(path+"."+string(m.key), 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

// output reads the message of a response that was not streamed.
func (d *bedrock) output(s *stream, val []byte) {
	const path = "output.message"
	for m := s.object(path, get(val, "message")); m.next(); {
		switch string(m.key) {
		case "content":
			i := int32(0)
			for e := s.array(path+".content", m.val); e.next(); i++ {
				d.block(s, path+".content[]", i, e.val, false)
			}
		case "role":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

// block reads a content block or a fragment of one.
func (d *bedrock) block(s *stream, path string, at int32, obj []byte, streaming bool) {
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "text":
			s.text(0, path, ".text", m.val)
		case "reasoningContent":
			d.reasoning(s, path+".reasoningContent", m.val)
		case "toolUse":
			d.toolUse(s, path+".toolUse", at, m.val, streaming)
		case "image", "video", "audio":
			s.media(string(m.key), path+"."+string(m.key), 0, m.val)
		case "document", "citation", "citationsContent", "toolResult", "guardContent", "cachePoint":
			s.metaIf(path+"."+string(m.key), 0, m.val)
			if string(m.key) == "citationsContent" {
				s.citedText(path, m.val)
			}
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

// citedText is answer text that stands beside its citations.
func (s *stream) citedText(path string, val []byte) {
	content := get(val, "content")
	if kindOf(content) != '[' {
		return
	}
	for e := s.array(path, content); e.next(); {
		if text := get(e.val, "text"); text != nil {
			s.text(0, path, ".citationsContent.content[].text", text)
		}
	}
}

func (d *bedrock) reasoning(s *stream, path string, obj []byte) {
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "text":
			s.reasoning(0, path, ".text", m.val)
		case "reasoningText":
			d.reasoning(s, path+".reasoningText", m.val)
		case "signature":
		case "redactedContent":
			if !empty(m.val) {
				s.hidden(path+".redactedContent", 0)
			}
		case "data":
			s.metaIf(path+".data", 0, m.val)
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

func (d *bedrock) toolUse(s *stream, path string, at int32, obj []byte, streaming bool) {
	var id, name, input []byte
	for m := s.object(path, obj); m.next(); {
		switch string(m.key) {
		case "toolUseId":
			id = m.val
		case "name":
			name = m.val
		case "input":
			input = m.val
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
	if !streaming || !empty(input) {
		s.toolArgs(c, input)
	}
}

// usage: cached input stands beside inputTokens when the total says so, and
// where there is no total.
func (d *bedrock) usage(s *stream, val []byte) {
	if !s.readUsage("usage", val) {
		return
	}
	s.usage.decideCached()
	s.giveUsage(val)
}

// decideCached decides by the identity of the total whether cached input is
// counted inside the input.
func (u *Usage) decideCached() {
	var cached int64
	for _, n := range []*int64{u.CachedTokens, u.CacheWriteTokens} {
		if n != nil {
			cached += *n
		}
	}
	u.CachedDisjoint = true
	if u.TotalTokens != nil && u.InputTokens != nil && u.OutputTokens != nil && cached > 0 {
		u.CachedDisjoint = *u.TotalTokens != *u.InputTokens+*u.OutputTokens
	}
}

// chunk reads an invoke message: another dialect's JSON in base64.
func (d *bedrock) chunk(s *stream, obj []byte) {
	for m := s.object("chunk", obj); m.next(); {
		switch string(m.key) {
		case "bytes":
			coded := s.decode(m.val)
			d.body = grow(d.body, base64.StdEncoding.DecodedLen(len(coded)))
			n, err := base64.StdEncoding.Decode(d.body, coded)
			if err != nil {
				s.undecoded("chunk.bytes (base64)")
				continue
			}
			d.payload(s, d.body[:n])
		case "p":
		default:
			s.unknown("chunk", m.key, m.val)
		}
	}
}

func grow(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}

func (d *bedrock) payload(s *stream, b []byte) {
	if kindOf(b) != '{' || skipValue(b, 0) != len(b) {
		if len(b) > 0 {
			s.answer(0, s.clean(b))
		}
		return
	}
	name := detect("", b)
	if name == "" || name == "bedrock-converse" || name == "bedrock-invoke" {
		d.message(s, "", b)
		return
	}
	in := d.inner[name]
	if in == nil {
		in = lookup(name).decode()
		if d.inner == nil {
			d.inner = map[string]messages{}
		}
		d.inner[name] = in
	}
	in.message(s, "", b)
}

// isModelBody recognises the formats that modelBody reads.
func isModelBody(obj []byte) bool {
	for _, key := range []string{"generation", "outputText", "completionReason", "is_finished"} {
		if get(obj, key) != nil {
			return true
		}
	}
	return get(firstOf(get(obj, "outputs")), "stop_reason") != nil || get(firstOf(get(obj, "outputs")), "text") != nil && get(obj, "id") == nil ||
		get(firstOf(get(obj, "results")), "outputText") != nil || get(firstOf(get(obj, "completions")), "data") != nil
}

// firstOf is the first element of a list, nil where there is none.
func firstOf(list []byte) []byte {
	if kindOf(list) != '[' {
		return nil
	}
	e := elementsOf(list, nil)
	if !e.next() {
		return nil
	}
	return e.val
}

// modelBody reads the own formats of models that speak no other dialect: Meta
// (generation), Amazon Titan (outputText), Mistral (outputs), Cohere and AI21
// text. It reports whether the object was of these.
func (d *bedrock) modelBody(s *stream, obj []byte) bool {
	if !isModelBody(obj) {
		return false
	}
	s.usage = Usage{}
	usage := false
	for m := s.object("", obj); m.next(); {
		switch string(m.key) {
		case "generation", "outputText", "text":
			if !isNull(m.val) {
				s.text(0, string(m.key), "", m.val)
			}
		case "outputs":
			i := int32(0)
			for e := s.array("outputs", m.val); e.next(); i++ {
				s.text(i, "outputs[]", ".text", get(e.val, "text"))
				s.finish(i, get(e.val, "stop_reason"))
			}
		case "results": // Titan, not streamed
			i, total := int32(0), int64(0)
			for e := s.array("results", m.val); e.next(); i++ {
				s.text(i, "results[]", ".outputText", get(e.val, "outputText"))
				s.finish(i, get(e.val, "completionReason"))
				if n, ok := integer(get(e.val, "tokenCount")); ok {
					total += n
					s.usage.OutputTokens, usage = &total, true
				}
			}
		case "completions": // AI21, not streamed
			i := int32(0)
			for e := s.array("completions", m.val); e.next(); i++ {
				s.text(i, "completions[].data", ".text", get(get(e.val, "data"), "text"))
				s.finish(i, get(get(e.val, "finishReason"), "reason"))
			}
		case "stop_reason", "completionReason", "finish_reason":
			s.finish(0, m.val)
		case "prompt_token_count", "inputTextTokenCount":
			s.number(&s.usage.InputTokens, m.val)
			usage = usage || s.usage.InputTokens != nil
		case "generation_token_count", "totalOutputTextTokenCount":
			s.number(&s.usage.OutputTokens, m.val)
			usage = usage || s.usage.OutputTokens != nil
		case "index", "is_finished", "id", "prompt":
		default:
			s.other(m.key, m.val)
		}
	}
	if usage {
		s.giveUsage(obj)
	}
	return true
}

// invocationMetrics are Bedrock's own counts, beside another dialect's last
// message. Where the model reports its usage, too, the two may differ.
func (s *stream) invocationMetrics(val []byte) {
	if isNull(val) {
		return
	}
	s.usage = Usage{}
	for m := s.object("amazon-bedrock-invocationMetrics", val); m.next(); {
		switch string(m.key) {
		case "inputTokenCount":
			s.number(&s.usage.MeteredInput, m.val)
		case "outputTokenCount":
			s.number(&s.usage.MeteredOutput, m.val)
		case "cacheReadInputTokenCount":
			s.number(&s.usage.CachedTokens, m.val)
		case "cacheWriteInputTokenCount":
			s.number(&s.usage.CacheWriteTokens, m.val)
		case "invocationLatency", "firstByteLatency":
		default:
			s.unknown("amazon-bedrock-invocationMetrics", m.key, m.val)
		}
	}
	s.usage.CachedDisjoint = true
	s.giveUsage(val)
	s.timings("amazon-bedrock-invocationMetrics", val)
}
