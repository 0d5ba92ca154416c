package scrub

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"unicode/utf8"

	"aircheck/internal/kit/jsonscan"
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

// response scrubs the frames of one response in place. Each keeps its length. Of
// one that failed all is said of the failure.
func (s *scrubber) response(frames []schema.Chunk, failed bool) {
	texts := newTexts()
	texts.faults = failed
	for i := range frames {
		s.frame(frames[i].Raw, texts)
	}
	texts.fill()
}

// texts gathers the pieces of text under each key, so that a text can be filled
// as a whole.
type texts struct {
	faults bool // what is said is said of a failure
	order  []string
	byKey  map[string][][]byte
	after  []func() // once the pieces are filled
}

func newTexts() *texts { return &texts{byKey: map[string][][]byte{}} }

func (t *texts) add(key string, literal []byte) {
	if _, known := t.byKey[key]; !known {
		t.order = append(t.order, key)
	}
	t.byKey[key] = append(t.byKey[key], literal)
}

func (t *texts) fill() {
	for _, k := range t.order {
		fillAll(t.byKey[k])
	}
	for _, f := range t.after { // what stands inside before what holds it
		f()
	}
}

// frame scrubs one frame: a message of AWS's event streams, or lines of an event
// stream, or JSON, or what is none of these.
func (s *scrubber) frame(raw []byte, t *texts) {
	if frame.IsMessage(raw) {
		s.message(raw, t)
		return
	}
	body := bytes.TrimLeft(bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF")), " \t\r\n,")
	switch {
	case len(body) == 0:
	case body[0] == '{', body[0] == '[', body[0] == ']', body[0] == '"':
		s.json(raw, t)
	case isEventStream(body):
		for line := range bytes.Lines(raw) {
			s.line(line, t)
		}
	default: // a page of a proxy, a body that was cut in its middle
		s.loose(raw)
	}
}

// line scrubs one line of an event stream.
func (s *scrubber) line(line []byte, t *texts) {
	name, value, ok := bytes.Cut(line, []byte(":"))
	switch {
	case !ok:
		if v := bytes.TrimSpace(line); len(v) > 0 && !fieldNames[string(v)] {
			s.loose(line)
		}
	case len(name) == 0, string(name) == "id": // a comment; a place in the stream
		s.loose(value)
	case string(name) == "event", string(name) == "retry":
	case string(name) == "data":
		v := bytes.TrimSpace(value)
		if len(v) > 0 && (v[0] == '{' || v[0] == '[' && string(v) != "[DONE]" || v[0] == '"') {
			s.json(value, t)
		} else if string(v) != "[DONE]" {
			s.loose(value)
		}
	default:
		s.loose(line)
	}
}

var fieldNames = map[string]bool{"data": true, "event": true, "id": true, "retry": true}

func isEventStream(b []byte) bool {
	for _, f := range []string{":", "data:", "event:", "id:", "retry:"} {
		if bytes.HasPrefix(b, []byte(f)) {
			return true
		}
	}
	return false
}

// json scrubs the strings of a document.
func (s *scrubber) json(doc []byte, t *texts) {
	jsonscan.Strings(doc, func(p *jsonscan.Place, literal []byte) {
		how := treat(p, literal)
		if how == text && t.faults {
			how = fault
		}
		switch how {
		case word:
			s.id.word(literal)
		case number:
			copy(literal, s.id.token(literal))
		case fault:
			s.id.hide(literal)
		case provider:
			s.id.word(literal)
		case nested:
			s.nested(literal, t)
		default:
			t.add(p.Key, literal)
		}
	}, func(p *jsonscan.Place, literal []byte) {
		if ownNames(p) {
			t.add("", literal)
		}
	})
}

// nested scrubs JSON in base64; its length stays, so that of its code does.
func (s *scrubber) nested(literal []byte, t *texts) {
	inner, err := base64.StdEncoding.DecodeString(string(literal))
	if err != nil {
		return
	}
	if trimmed := bytes.TrimSpace(inner); len(trimmed) > 0 && trimmed[0] == '{' {
		s.json(inner, t)
	} else {
		inner = []byte(fillPlain(string(inner)))
	}
	t.after = append(t.after, func() { base64.StdEncoding.Encode(literal, inner) })
}

// message scrubs the payload of a message of AWS's event streams and puts its
// checksum right.
func (s *scrubber) message(raw []byte, t *texts) {
	m, err := frame.ParseMessage(raw)
	if err != nil || len(raw) < 16+len(m.Payload) {
		s.loose(raw)
		return
	}
	if m.Type != "event" && m.Type != "" {
		defer func(was bool) { t.faults = was }(t.faults)
		t.faults = true
	}
	payload := raw[len(raw)-4-len(m.Payload) : len(raw)-4]
	s.json(payload, t)
	t.after = append(t.after, func() {
		binary.BigEndian.PutUint32(raw[len(raw)-4:], crc32.ChecksumIEEE(raw[:len(raw)-4]))
	})
}

// loose fills bytes that are no JSON; punctuation, by which it is told what they
// are, stays.
func (s *scrubber) loose(b []byte) {
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		switch {
		case n > 1 && !isSpace(r):
			copy(b[i:], fillers[n])
		case r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z':
			b[i] = 'x'
		}
		i += n
	}
}
