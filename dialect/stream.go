package dialect

import (
	"bytes"
	"maps"
	"slices"
	"unicode/utf8"

	"aircheck/frame"
)

// messages is what a dialect is made of: it reads one JSON message of the
// stream, or the whole body of a response that was not streamed, and reports
// what it finds through the stream's methods.
type messages interface {
	// message reads one JSON object. event is the SSE event's or AWS message's
	// name, "" if there is none.
	message(s *stream, event string, obj []byte)
}

// stream decodes one response. It does what all dialects share: takes frames
// apart, keeps the choices' state, and gives out events.
type stream struct {
	meta    Meta
	api     string
	dialect messages
	chosen  bool // the data has said which dialect it speaks
	sse     frame.SSEReader
	inflate *inflater
	opened  bool // the first frame was seen

	emit func(*Event)
	ev   Event
	part int32 // events given of this frame

	first   choice // the only one, mostly
	choices map[int32]*choice
	last    *choice

	served   served
	err      StreamError // gathered over the top fields of one message
	errFound bool

	malformed  bool
	scratch    []byte // decoded strings of this frame
	nums       [24]int64
	numsUsed   int
	usage      Usage
	usageTimed bool // the usage object holds durations, too
	tool       Tool

	learn     lesson
	templates [4]template // frames that may come again, the last used first
}

// choice is the state of one choice (candidate) of the response.
type choice struct {
	index   int32
	think   think
	content bool // had any generated content
	calls   []*call
}

// served is what the response has said about its server so far.
type served struct {
	model, provider, fingerprint, tier, id string
}

// New makes the decoder of one response. api names the dialect that was
// called; where it is empty, or the data plainly speaks another dialect, the
// data decides.
func New(api string, m Meta) Decoder {
	s := &stream{meta: m, api: api}
	s.last = &s.first
	e := lookup(api)
	if e == nil {
		e = &table[0]
	}
	s.dialect = e.decode()
	return s
}

func (s *stream) begin(emit func(*Event)) {
	s.emit, s.part = emit, 0
	s.scratch, s.numsUsed = s.scratch[:0], 0
}

// Frame decodes one frame.
func (s *stream) Frame(raw []byte, emit func(*Event)) {
	s.begin(emit)
	if !s.opened {
		s.open(raw)
	}
	if s.inflate != nil {
		s.inflate.write(s, raw)
	} else {
		s.frame(raw)
	}
	if s.part == 0 {
		s.event(KindStart, 0)
	}
	s.emit = nil
}

// Close ends the response.
func (s *stream) Close(emit func(*Event)) {
	s.begin(emit)
	if s.inflate != nil {
		s.inflate.close(s)
	}
	s.flushThink(&s.first)
	for _, i := range slices.Sorted(maps.Keys(s.choices)) {
		s.flushThink(s.choices[i])
	}
	s.emit = nil
}

// open looks at the first bytes of the body.
func (s *stream) open(raw []byte) {
	if len(raw) == 0 {
		return
	}
	s.opened = true
	s.inflate = newInflater(s, raw)
}

// frame decodes one frame of the uncompressed body.
func (s *stream) frame(raw []byte) {
	if s.repeats(raw) {
		return
	}
	if len(raw) > 0 && raw[0] == 0 && frame.IsMessage(raw) {
		s.awsMessage(raw)
		return
	}
	head := bytes.TrimLeft(bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF")), " \t\r\n")
	switch kindOf(head) {
	case 0:
		s.event(KindComment, 0)
	case '{', '[', ',', ']', '}':
		s.learn.begin(raw)
		s.document("", head)
		s.learnt()
	case '<':
		s.textBody(raw)
	default:
		s.sseFrame(raw)
	}
}

// sseFrame decodes a server-sent event.
func (s *stream) sseFrame(raw []byte) {
	e := s.sse.Parse(raw)
	if !e.HasData && !e.Comments && len(e.Other) > 0 && len(e.Name) == 0 {
		s.textBody(raw)
		return
	}
	if e.Comments {
		s.event(KindComment, 0)
	}
	if len(e.Other) > 0 {
		s.undecoded("$ (line without a known field)")
	}
	name := string(e.Name) // small and mostly of few spellings
	switch name {
	case "ping", "heartbeat", "keepalive", "keep-alive":
		s.event(KindPing, 0)
		return
	}
	data := bytes.TrimSpace(e.Data)
	switch {
	case len(data) == 0 && name == "error":
		s.err, s.errFound = StreamError{Type: "error"}, true
		s.flushError()
	case len(data) == 0 && name != "":
		s.document(name, []byte("{}"))
	case len(data) == 0:
		if s.part == 0 {
			s.event(KindComment, 0)
		}
	case name == "error" && data[0] != '{' && data[0] != '[':
		s.err, s.errFound = StreamError{Type: "error", Message: clip(data)}, true
		if data[0] == '"' {
			s.err.Message = s.str(data)
		}
		s.flushError()
	case data[0] != '{' && data[0] != '[':
		if string(data) == "null" {
			break
		}
		s.undecoded("$ (not json)")
	default:
		if e.DataAt >= 0 && s.part == 0 {
			s.learn.begin(raw)
		}
		s.document(name, data)
		s.learnt()
	}
}

// document reads a payload: one JSON message, or several beside each other or
// in an array, whose brackets may have come in earlier frames.
func (s *stream) document(event string, b []byte) {
	if isDone(b) {
		s.event(KindDone, 0)
		return
	}
	for i := 0; i < len(b); {
		switch b[i] {
		case ' ', '\t', '\r', '\n', ',', '[', ']', '\x1e': // RS leads texts of application/json-seq
			i++
			continue
		}
		end := skipValue(b, i)
		if end < 0 {
			reason := "$ (malformed json)"
			if b[i] == '{' || b[i] == '"' {
				reason = "$ (truncated json)"
			}
			s.undecoded(reason)
			return
		}
		if b[i] != '{' {
			s.unknown("$", nil, b[i:end])
		} else {
			s.message(event, b[i:end])
		}
		i = end
	}
}

// isDone recognises [DONE], which is no JSON.
func isDone(b []byte) bool { return string(bytes.TrimSpace(b)) == "[DONE]" }

// message gives one JSON object to the dialect.
func (s *stream) message(event string, obj []byte) {
	s.malformed = false
	before := s.served
	if !s.chosen {
		s.choose(event, obj)
	}
	s.dialect.message(s, event, obj)
	s.flushError()
	s.tellServed(before)
	if s.malformed {
		s.undecoded("$ (malformed json)")
	}
}

// choose takes the dialect that the data speaks, once it can be told.
func (s *stream) choose(event string, obj []byte) {
	name := detect(event, obj)
	if name == "" {
		return
	}
	s.chosen = true
	if e := lookup(name); e != nil && name != s.api {
		s.api, s.dialect = name, e.decode()
	}
}

// note keeps one field about the server, if it says something new.
func (s *stream) note(field *string, val []byte) {
	if kindOf(val) != '"' || len(val) <= 2 {
		return
	}
	if text := s.decode(val); string(text) != *field {
		*field = string(text)
	}
}

// tellServed gives what this message changed of what is known of the server.
func (s *stream) tellServed(before served) {
	if s.served == before {
		return
	}
	s.forget()
	e := s.blank(KindMeta, 0)
	changed := func(dst *string, now, was string) {
		if now != was {
			*dst = now
		}
	}
	changed(&e.ServedModel, s.served.model, before.model)
	changed(&e.ServedProvider, s.served.provider, before.provider)
	changed(&e.Fingerprint, s.served.fingerprint, before.fingerprint)
	changed(&e.ServiceTier, s.served.tier, before.tier)
	changed(&e.ResponseID, s.served.id, before.id)
	s.give()
}

// blank clears the event for a new one.
func (s *stream) blank(kind Kind, choice int32) *Event {
	s.ev = Event{Kind: kind, Choice: choice}
	return &s.ev
}

// give gives the event out.
func (s *stream) give() {
	s.ev.Part = s.part
	s.part++
	s.emit(&s.ev)
}

// event gives an event that is no more than its kind.
func (s *stream) event(kind Kind, choice int32) {
	s.blank(kind, choice)
	s.give()
}

// metaAt gives a known field that is no token.
func (s *stream) metaAt(path string, choice int32) {
	s.blank(KindMeta, choice).Path = path
	s.give()
}

// metaIf does so where the value is not empty.
func (s *stream) metaIf(path string, choice int32, val []byte) {
	if !empty(val) {
		s.metaAt(path, choice)
	}
}

// listed gives the number of tokens that a frame lists one by one.
func (s *stream) listed(path string, choice int32, list []byte) {
	if empty(list) {
		return
	}
	e := s.blank(KindMeta, choice)
	e.Path, e.ListedTokens = path, count(list)
	s.give()
}

// timings gives the provider's own timing report.
func (s *stream) timings(path string, val []byte) {
	if empty(val) {
		return
	}
	e := s.blank(KindMeta, 0)
	e.Path, e.Timings = path, val
	s.give()
}

// undecoded gives what could not be read.
func (s *stream) undecoded(path string) {
	s.blank(KindUndecoded, 0).Path = path
	s.give()
}

// unknown gives a field that the dialect does not know, if it says anything.
func (s *stream) unknown(path string, key, val []byte) {
	if empty(val) {
		return
	}
	if key != nil {
		if path != "" {
			path += "."
		}
		path += string(bytes.ToValidUTF8(key, []byte("\uFFFD")))
	}
	s.undecoded(path)
}

// mismatch gives a known field whose value has another type than it should.
func (s *stream) mismatch(path string, val []byte) {
	if s.emit != nil && !empty(val) {
		s.undecoded(path + " (type)")
	}
}

// finish gives a finish reason, if there is one.
func (s *stream) finish(choice int32, val []byte) {
	reason := s.str(val)
	if reason == "" {
		return
	}
	s.flushThink(s.choice(choice))
	e := s.blank(KindFinish, choice)
	e.FinishReason, e.Finish = reason, finishOf(reason)
	s.give()
}

// choice finds or makes the state of a choice.
func (s *stream) choice(i int32) *choice {
	if s.last.index == i {
		return s.last
	}
	c := s.choices[i]
	switch {
	case i == 0:
		c = &s.first
	case c == nil:
		if s.choices == nil {
			s.choices = map[int32]*choice{}
		}
		c = &choice{index: i}
		s.choices[i] = c
	}
	s.last = c
	return c
}

// text gives visible answer text: a string value, in which inline thinking is
// told apart.
func (s *stream) text(choice int32, path, field string, val []byte) {
	if t := s.content(KindText, choice, path, field, val); len(t) > 0 {
		s.answer(choice, t)
	}
}

// reasoning gives thinking text.
func (s *stream) reasoning(choice int32, path, field string, val []byte) {
	if t := s.content(KindReasoning, choice, path, field, val); len(t) > 0 {
		s.generated(KindReasoning, choice, t)
	}
}

// refusal gives text of a refusal.
func (s *stream) refusal(choice int32, path, field string, val []byte) {
	if t := s.content(KindRefusal, choice, path, field, val); len(t) > 0 {
		s.generated(KindRefusal, choice, t)
	}
}

// content decodes a value that should be text. An empty string and null are
// none.
func (s *stream) content(kind Kind, choice int32, path, field string, val []byte) []byte {
	if kindOf(val) != '"' {
		s.mismatch(path+field, val)
		return nil
	}
	s.learn.text(val, deed{kind: kind, choice: choice})
	return s.decode(val)
}

// generated gives content that is not empty.
func (s *stream) generated(kind Kind, choice int32, text []byte) {
	s.choice(choice).content = true
	s.blank(kind, choice)
	s.fill(text)
	s.give()
}

// fill sets the event's text and sizes.
func (s *stream) fill(text []byte) {
	s.ev.Text, s.ev.Bytes, s.ev.Chars = text, int32(len(text)), int32(utf8.RuneCount(text))
}

// clean gives a raw JSON value as valid UTF-8.
func (s *stream) clean(val []byte) []byte {
	if utf8.Valid(val) {
		return val
	}
	return bytes.ToValidUTF8(val, []byte("\uFFFD"))
}

// number keeps a count of the usage for as long as the frame is decoded.
func (s *stream) number(dst **int64, val []byte) {
	n, ok := integer(val)
	if !ok {
		return
	}
	if s.numsUsed == len(s.nums) {
		*dst = new(n)
		return
	}
	s.nums[s.numsUsed] = n
	*dst = &s.nums[s.numsUsed]
	s.numsUsed++
}

func clip(b []byte) string {
	const most = 2000 // of a message: enough to read, small enough for a table
	b = bytes.ToValidUTF8(bytes.TrimSpace(b), []byte("\uFFFD"))
	if len(b) > most {
		b = bytes.ToValidUTF8(b[:most], nil)
	}
	return string(b)
}
