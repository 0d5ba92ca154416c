package dialect

import (
	"bytes"
	"html"
	"regexp"
)

// other takes a top field that the dialect itself does not know: the many
// spellings of an error, ids of the request, or something unknown.
func (s *stream) other(key, val []byte) {
	switch string(key) {
	case "error", "errors", "detail", "exception":
		s.errorValue(val)
	case "message", "msg", "error_message", "error_msg", "Message", "errorMessage", "error_description", "title":
		if text := s.str(val); text != "" {
			s.errFound = true
			if s.err.Message == "" {
				s.err.Message = text
			}
		}
	case "amazon-bedrock-invocationMetrics":
		s.invocationMetrics(val)
	case "amazon-bedrock-guardrailAction":
		if s.str(val) == "INTERVENED" { // no stop reason says so in an invoke stream
			s.finish(0, val)
		}
	case "amazon-bedrock-trace", "amazon-bedrock-guardrailAssessment":
		s.metaIf(string(key), 0, val)
	case "code", "status", "statusCode", "status_code", "error_code", "errorCode", "error_type", "__type", "type":
		s.errorField(string(key), val)
	case "request_id", "requestId", "request-id", "RequestId", "trace_id", "timestamp", "path", "success", "param", "documentation_url", "originalStatusCode", "originalMessage":
	default:
		s.unknown("", key, val)
	}
}

// errorValue reads the value of an error field: a text, an object, or a list
// of either.
func (s *stream) errorValue(val []byte) {
	if empty(val) {
		return
	}
	s.errFound = true
	switch kindOf(val) {
	case '{':
		for m := s.object("error", val); m.next(); {
			switch string(m.key) {
			case "message", "msg", "detail", "details", "error", "reason", "description", "title":
				if s.err.Message == "" {
					if kindOf(m.val) == '"' {
						s.err.Message = s.str(m.val)
					} else {
						s.errorValue(m.val)
					}
				}
			case "type", "code", "status", "statusCode", "http_code":
				s.errorField(string(m.key), m.val)
			}
		}
	case '[':
		for e := s.array("error", val); e.next(); {
			s.errorValue(e.val)
		}
	default:
		if s.err.Message == "" {
			s.err.Message = s.str(val)
		}
	}
}

// errorField keeps the first type and code; a status in words is a type.
func (s *stream) errorField(key string, val []byte) {
	text := s.str(val)
	word := text != "" && (text[0] < '0' || text[0] > '9')
	switch {
	case text == "":
	case key == "type" || key == "__type" || key == "error_type" || key == "status" && word:
		if s.err.Type == "" || s.err.Type == "error" {
			s.err.Type = text
		}
	case s.err.Code == "":
		s.err.Code = text
	}
}

// isErrorLine reports whether a line of an event stream is the field that several
// servers of open models end a failed stream with.
func isErrorLine(line []byte) bool { return bytes.HasPrefix(line, []byte("error:")) }

// errorLine reads such a line.
func (s *stream) errorLine(line []byte) bool {
	if !isErrorLine(line) {
		return false
	}
	val := bytes.TrimSpace(line[len("error:"):])
	s.err, s.errFound = StreamError{Type: "error"}, true
	if kindOf(val) == '{' && skipValue(val, 0) == len(val) {
		if inner := get(val, "error"); inner != nil {
			val = inner
		}
		s.errorValue(val)
	} else {
		s.err.Message = clip(val)
	}
	s.flushError()
	return true
}

// flushError gives the error that a message's fields made up. A type or code
// without any word of an error is no error, but not known either.
func (s *stream) flushError() {
	if s.errFound {
		s.err.Message = clip([]byte(s.err.Message))
		s.blank(KindError, 0).Error = &s.err
		s.give()
	} else if s.err != (StreamError{}) {
		s.undecoded("code or type")
	}
	s.err, s.errFound = StreamError{}, false
}

var (
	htmlTitle = regexp.MustCompile(`(?is)<title[^>]*>(.*?)</title>`)
	htmlSkip  = regexp.MustCompile(`(?is)<(style|script)[^>]*>.*?</(style|script)>|<[^>]*>`)
)

// textBody takes a frame that is neither JSON nor an event: a gateway's error
// page, or a word of plain text.
func (s *stream) textBody(raw []byte) {
	text := bytes.TrimSpace(raw)
	markup := kindOf(text) == '<'
	if !markup && s.meta.Status < 400 {
		s.undecoded("$ (plain text)")
		return
	}
	e := StreamError{Type: "text"}
	if markup {
		e.Type = "html"
		if m := htmlTitle.FindSubmatch(text); m != nil {
			text = m[1]
		} else {
			text = htmlSkip.ReplaceAll(text, []byte(" "))
		}
		text = []byte(html.UnescapeString(string(bytes.Join(bytes.Fields(text), []byte(" ")))))
	}
	e.Message = clip(text)
	s.err, s.errFound = e, true
	s.flushError()
}
