package scrub

import (
	"encoding/json"
	"regexp"
	"strings"

	"aircheck/internal/kit/jsonscan"
	"aircheck/internal/rules/names"
	"aircheck/schema"
)

// row scrubs one request in place.
func (s *scrubber) row(q *schema.Request) {
	known := names.Provider(deref(q.Host)) == q.Provider
	for _, p := range []**string{&q.CallerRequestID, &q.SessionID, &q.PromptHash} {
		s.hash(p)
	}
	if q.Host != nil && (s.aliased() || !known) {
		s.hash(&q.Host)
	}
	if q.Window != nil && !plainWindow.MatchString(*q.Window) {
		s.hash(&q.Window)
	}
	q.Provider = s.id.provider(q.Provider)
	q.Model = s.wordOf(q.Model)
	change := func(f func(string) string, columns ...**string) {
		for _, p := range columns {
			if *p != nil {
				*p = new(f(**p))
			}
		}
	}
	change(s.wordOf, &q.ModelID, &q.Scenario, &q.Campaign)
	change(s.hidden, &q.ErrorText, &q.ReportedError)
	change(fillPlain, &q.ReportedText)
	change(s.document, &q.RequestBody)
	change(s.settings, &q.Params)
	change(s.labels, &q.Labels)
	q.Checks = nil // they quote what answers must hold
	q.ResponseHeaders = harmless(q.ResponseHeaders)
}

// plainWindow tells nothing: the round of a plan, an hour, a date.
var plainWindow = regexp.MustCompile(`^[A-Za-z]{0,6}[0-9T:. _-]{1,40}Z?$`)

func deref(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}

func (s *scrubber) hash(p **string) {
	if *p != nil {
		v := string(s.id.token([]byte(**p)))
		*p = &v
	}
}

func (s *scrubber) wordOf(v string) string {
	b := []byte(v)
	s.id.word(b)
	return string(b)
}

func (s *scrubber) hidden(v string) string {
	b := []byte(v)
	s.id.hide(b)
	return string(b)
}

// document scrubs a request's body.
func (s *scrubber) document(body string) string {
	b := []byte(body)
	t := newTexts()
	s.frame(b, t)
	t.fill()
	return string(b)
}

var setting = regexp.MustCompile(`^[A-Za-z0-9_.-]{0,24}$`)

// settings keeps the words of parameters, which tell cells apart, and hashes
// what may be text.
func (s *scrubber) settings(params string) string {
	b := []byte(params)
	jsonscan.Strings(b, func(p *jsonscan.Place, literal []byte) {
		if !setting.Match(literal) || p.Key == "stop" {
			copy(literal, s.id.token(literal))
		} else {
			s.id.word(literal)
		}
	}, func(*jsonscan.Place, []byte) {})
	return string(b)
}

// ownLabels are those that importers set; they tell of the source's form.
var ownLabels = map[string]bool{"body": true, "request_body": true, "started_at": true, "clock_s": true, "stage": true, "engine": true, "variant": true, "router": true}

func (s *scrubber) labels(labels string) string {
	b := []byte(labels)
	jsonscan.Strings(b, func(p *jsonscan.Place, literal []byte) {
		if !ownLabels[p.Key] {
			copy(literal, s.id.token(literal))
		}
	}, func(*jsonscan.Place, []byte) {})
	return string(b)
}

// harmless keeps the headers that say how a body was sent, and how much more may be asked.
func harmless(headers *string) *string {
	if headers == nil {
		return nil
	}
	var h map[string]any
	if json.Unmarshal([]byte(*headers), &h) != nil {
		return nil
	}
	for name := range h {
		lower := strings.ToLower(name)
		if lower != "content-type" && lower != "retry-after" && lower != "transfer-encoding" && lower != "content-encoding" && !strings.Contains(lower, "ratelimit") {
			delete(h, name)
		}
	}
	b, err := json.Marshal(h)
	if err != nil {
		return nil
	}
	return new(string(b))
}
