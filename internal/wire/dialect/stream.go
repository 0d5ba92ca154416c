package dialect

import (
	"bytes"
	"maps"
	"slices"

	"aircheck/internal/wire/frame"
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
	opened  bool   // the first bytes were seen
	head    []byte // first bytes that are too few to tell

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
	endless    bool              // it was told that no marker ends it
	scratch    []byte            // decoded strings of this frame
	words      map[string]string // see word
	halves     map[halfKey][escapeLen]byte
	nums       [24]int64
	numsUsed   int
	usage      Usage
	usageTimed bool // the usage object holds durations, too
	byok       bool // the usage is of the caller's own key, and upstream what that key was charged
	upstream   string
	tool       Tool

	draft     draft
	templates [4]template // frames that may come again, the last used first
}

// choice is the state of one choice (candidate) of the response.
type choice struct {
	index   int32
	think   think
	content bool // had any generated content
	media   bool // had any that is no text
	calls   []*call
}

// served is what the response has said about its server so far.
type served struct {
	model, provider, fingerprint, tier, id, geo string
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

// Spoken is the dialect that the data of a response speak, as far as they were
// decoded; "" where they do not say.
func Spoken(d Decoder) string {
	if s, ok := d.(*stream); ok && s.chosen {
		return s.api
	}
	return ""
}

func (s *stream) begin(emit func(*Event)) {
	s.emit, s.part = emit, 0
	s.scratch, s.numsUsed = s.scratch[:0], 0
}

// Frame decodes one frame.
func (s *stream) Frame(raw []byte, emit func(*Event)) {
	s.begin(emit)
	if !s.opened {
		raw = s.open(raw)
	}
	s.body(raw)
	if s.part == 0 {
		s.event(KindStart, 0)
	}
	s.emit = nil
}

// Close ends the response.
func (s *stream) Close(emit func(*Event)) {
	s.begin(emit)
	if !s.opened && len(s.head) > 0 {
		s.body(s.head)
	}
	if s.inflate != nil {
		s.inflate.close(s)
	}
	s.flushHalves()
	s.flushThink(&s.first)
	for _, i := range slices.Sorted(maps.Keys(s.choices)) {
		s.flushThink(s.choices[i])
	}
	s.emit = nil
}

// body decodes bytes of the body as they came.
func (s *stream) body(raw []byte) {
	switch {
	case len(raw) == 0:
	case s.inflate != nil:
		s.inflate.write(s, raw)
	default:
		s.frame(raw)
	}
}

// open looks at the first bytes of the body. A read of a compressed body can
// be too short to tell: it is held back and put before the next one.
func (s *stream) open(raw []byte) []byte {
	const enough = 4
	if enc := s.meta.ContentEncoding; s.meta.Frames == frame.Reads || enc != "" && enc != "identity" {
		if s.head = append(s.head, raw...); len(s.head) < enough {
			return nil
		}
		raw = s.head
	}
	if len(raw) > 0 {
		s.opened = true
		s.inflate = newInflater(s, raw)
	}
	return raw
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
		s.draft.begin(raw)
		s.document("", head)
		s.keepTemplate()
	case '<':
		s.textBody(raw)
	default:
		s.sseFrame(raw)
	}
}

// sseFrame decodes a server-sent event.
func (s *stream) sseFrame(raw []byte) {
	e := s.sse.Parse(raw)
	if !e.HasData && !e.Comments && len(e.Other) > 0 && len(e.Name) == 0 && !isErrorLine(e.Other) {
		s.textBody(raw)
		return
	}
	if e.Comments {
		s.event(KindComment, 0)
	}
	if len(e.Other) > 0 && !s.errorLine(e.Other) {
		s.undecoded("$ (line without a known field)")
	}
	name := s.word(e.Name)
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
			s.draft.begin(raw)
		}
		s.document(name, data)
		s.keepTemplate()
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
