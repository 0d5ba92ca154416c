package dialect

import "aircheck/internal/wire/frame"

// awsMessage decodes an AWS event-stream message.
func (s *stream) awsMessage(raw []byte) {
	m, err := frame.ParseMessage(raw)
	if err != nil {
		s.undecoded("$ (" + err.Error() + ")")
		return
	}
	switch m.Type {
	case "exception":
		s.err, s.errFound = StreamError{Type: m.Event}, true
		if kindOf(m.Payload) == '{' {
			s.errorValue(m.Payload)
		} else {
			s.err.Message = string(m.Payload)
		}
		s.flushError()
	case "error":
		s.err, s.errFound = StreamError{Type: "error", Code: m.ErrorCode, Message: m.ErrorText}, true
		s.flushError()
	default:
		if len(m.Payload) == 0 {
			m.Payload = []byte("{}")
		}
		s.document(m.Event, m.Payload)
	}
}
