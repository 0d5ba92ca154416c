package capture

import (
	"crypto/tls"
	"errors"
	"net/http"
	"regexp"

	"aircheck/schema"
)

// http2 is asked for by a plan whose provider speaks nothing else, or speaks it
// otherwise. A goroutine of the transport reads the socket then, for all that the
// connection carries, so no read of the socket belongs to a frame: bytes are timed
// when they are handed out, by the read clock. There is still one request a
// connection at a time, and buffers are small, so that what the transport holds is
// little.
func (c *Client) http2(t *http.Transport, config *tls.Config) {
	config.NextProtos = []string{"h2"}
	t.Protocols = new(http.Protocols)
	t.Protocols.SetHTTP2(true)
	t.Protocols.SetUnencryptedHTTP2(true) // where the address is http:
	t.HTTP2 = &http.HTTP2Config{MaxReceiveBufferPerConnection: 512 << 10, MaxReceiveBufferPerStream: 256 << 10}
}

// handed is a read of the body, where it stands for a read of the socket. When its
// bytes came is not known, but that they have.
func (x *exchange) handed() stamp {
	x.reads++
	now := x.client.o.Clock.Now()
	return stamp{seq: x.reads, at: now, read: now, clock: schema.ClockRead}
}

var errNoHTTP2 = errors.New("the server does not speak HTTP/2, which the plan asks for")

// streamReset finds the code of a stream that the server reset.
var streamReset = regexp.MustCompile(`^stream error: stream ID \d+; ([A-Z0-9_]+); received from peer`)

// h2Codes are the error codes of RFC 9113, section 7, by their number.
var h2Codes = []string{"NO_ERROR", "PROTOCOL_ERROR", "INTERNAL_ERROR", "FLOW_CONTROL_ERROR", "SETTINGS_TIMEOUT", "STREAM_CLOSED", "FRAME_SIZE_ERROR",
	"REFUSED_STREAM", "CANCEL", "COMPRESSION_ERROR", "CONNECT_ERROR", "ENHANCE_YOUR_CALM", "INADEQUATE_SECURITY", "HTTP_1_1_REQUIRED"}

// resetCode is the HTTP/2 code of a reset; nil where the error is none.
func resetCode(err error) *int32 {
	m := streamReset.FindStringSubmatch(err.Error())
	if m == nil {
		return nil
	}
	for i, name := range h2Codes {
		if name == m[1] {
			return new(int32(i))
		}
	}
	return nil
}
