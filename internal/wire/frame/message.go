package frame

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

// Message is an AWS event-stream message: the headers that matter and the
// payload.
type Message struct {
	Type        string // of :message-type: event, exception or error
	Event       string // of :event-type, or :exception-type
	ContentType string
	ErrorCode   string // of :error-code and :error-message, for type error
	ErrorText   string
	Payload     []byte
}

// IsMessage reports whether raw begins with a valid event-stream prelude.
func IsMessage(raw []byte) bool {
	if len(raw) < preludeLen {
		return false
	}
	_, ok := messageLen(raw)
	return ok
}

// Reseal puts the checksum of a message right after its payload was changed in
// place. What is no message stays as it is.
func Reseal(raw []byte) {
	if len(raw) < preludeLen {
		return
	}
	if n, ok := messageLen(raw); ok && int(n) == len(raw) {
		binary.BigEndian.PutUint32(raw[n-messageCRCLen:], crc32.ChecksumIEEE(raw[:n-messageCRCLen]))
	}
}

// ParseMessage reads one event-stream message and verifies its checksums.
func ParseMessage(raw []byte) (Message, error) {
	r := bytes.NewReader(raw)
	msg, err := eventstream.NewDecoder().Decode(r, nil)
	if err != nil {
		return Message{}, fmt.Errorf("event-stream message: %w", err)
	}
	if r.Len() > 0 {
		return Message{}, fmt.Errorf("event-stream message: %d bytes after its end", r.Len())
	}
	m := Message{Payload: msg.Payload}
	for _, h := range msg.Headers {
		switch h.Name {
		case ":message-type":
			m.Type = h.Value.String()
		case ":event-type", ":exception-type":
			m.Event = h.Value.String()
		case ":content-type":
			m.ContentType = h.Value.String()
		case ":error-code":
			m.ErrorCode = h.Value.String()
		case ":error-message":
			m.ErrorText = h.Value.String()
		}
	}
	return m, nil
}
