package dialect

import (
	"bytes"
	"unicode/utf8"
)

// What dialects report with: each of these gives one event, if there is
// anything to give.

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
	changed(&e.Geo, s.served.geo, before.geo)
	s.give()
}

// blank clears the event for a new one. Nearly all are content, which sets no
// more than its text and perhaps its tool: clearing all of it would cost more
// than reading the frame.
func (s *stream) blank(kind Kind, choice int32) *Event {
	e := &s.ev
	if e.Kind.Content() {
		e.Kind, e.Choice, e.Text, e.Bytes, e.Chars, e.Tool = kind, choice, nil, 0, 0, nil
	} else {
		*e = Event{Kind: kind, Choice: choice}
	}
	return e
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

// media gives a piece of generated output that is no text.
func (s *stream) media(kind, path string, choice int32, val []byte) {
	if empty(val) {
		return
	}
	s.choice(choice).media = true
	e := s.blank(KindMeta, choice)
	e.Path, e.Media = path, kind
	s.give()
}

// hidden gives thinking that the provider does not show.
func (s *stream) hidden(path string, choice int32) {
	e := s.blank(KindMeta, choice)
	e.Path, e.Hidden = path, true
	s.give()
}

// unmarked tells once that nothing will mark the answer's end.
func (s *stream) unmarked() {
	if !s.endless {
		s.endless = true
		e := s.blank(KindMeta, 0)
		e.Path, e.Unmarked = "no end marker", true
		s.give()
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
		if len(key) == 0 {
			path += `""`
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
	d := action{kind: kind, choice: choice}
	s.draft.text(val, d)
	return s.whole(&d, val)
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
