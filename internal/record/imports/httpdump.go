package imports

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http/httputil"
	"net/textproto"
	"strings"
	"time"
)

// httprr reads Go's httprr traces: after a line of magic, "reqlen resplen"
// lines, each followed by a request and a response as they stand on the wire.
func httprr(data []byte, emit func(*Exchange) error) error {
	_, rest, _ := bytes.Cut(data, []byte("\n"))
	for line := 2; len(rest) > 0; {
		sizes, body, _ := bytes.Cut(rest, []byte("\n"))
		var n, m int
		if _, err := fmt.Sscanf(string(sizes), "%d %d", &n, &m); err != nil || n < 0 || m < 0 || n+m > len(body) {
			return &notThis{line, "broken httprr trace: " + clip(sizes)}
		}
		x, err := onWire(body[:n], body[n:n+m])
		if err != nil {
			return &notThis{line, err.Error()}
		}
		x.Line = line
		x.dated()
		if err := emit(x); err != nil {
			return err
		}
		line += 1 + bytes.Count(body[:n+m], []byte("\n"))
		rest = body[n+m:]
	}
	return nil
}

// tracelab reads a file of llm-tracelab: a line of JSON about the lengths, then
// request and response as they stand on the wire.
func tracelab(data []byte, emit func(*Exchange) error) error {
	head, rest, _ := bytes.Cut(data, []byte("\n"))
	var h struct {
		Meta struct {
			RequestID  string  `json:"request_id"`
			Time       string  `json:"time"`
			DurationMs float64 `json:"duration_ms"`
			TTFTMs     float64 `json:"ttft_ms"`
		} `json:"meta"`
		Layout struct {
			ReqHeader int  `json:"req_header_len"`
			ReqBody   int  `json:"req_body_len"`
			ResHeader int  `json:"res_header_len"`
			ResBody   int  `json:"res_body_len"`
			Stream    bool `json:"is_stream"`
		} `json:"layout"`
	}
	if err := json.Unmarshal(head, &h); err != nil {
		return &notThis{1, "its first line is no JSON"}
	}
	n := h.Layout.ReqHeader + h.Layout.ReqBody
	m := h.Layout.ResHeader + h.Layout.ResBody
	if n < 0 || m < 0 || n > len(rest) {
		return &notThis{1, "its lengths do not fit the file"}
	}
	request, response := rest[:n], bytes.TrimPrefix(rest[n:], []byte("\n"))
	if m > len(response) {
		return &notThis{1, "its lengths do not fit the file"}
	}
	x, err := onWire(request, response[:m])
	if err != nil {
		return &notThis{2, err.Error()}
	}
	x.Line, x.RequestID, x.Streamed = 1, h.Meta.RequestID, &h.Layout.Stream
	x.Started = moment(h.Meta.Time)
	x.EndNs, x.TTFTNs = fromMs(h.Meta.DurationMs), fromMs(h.Meta.TTFTMs)
	return emit(x)
}

// fromMs is a duration, nil where it is not positive: recorders put 0 or -1
// where they do not know.
func fromMs(ms float64) *int64 {
	if ms <= 0 {
		return nil
	}
	return new(int64(time.Duration(ms * float64(time.Millisecond))))
}

// onWire reads a request and a response of HTTP/1. Content-Length is not
// trusted: recorders change bodies and leave it.
func onWire(request, response []byte) (*Exchange, error) {
	x := &Exchange{}
	line, head, body, err := message(request)
	if err != nil {
		return nil, fmt.Errorf("request: %w", err)
	}
	f := strings.Fields(line)
	if len(f) < 2 {
		return nil, fmt.Errorf("request: no request line: %q", line)
	}
	x.Method, x.URL, x.Host, x.RequestBody = f[0], f[1], head.Get("Host"), body
	if line, head, body, err = message(response); err != nil {
		return nil, fmt.Errorf("response: %w", err)
	}
	proto, status, ok := strings.Cut(line, " ")
	if !ok || !strings.HasPrefix(proto, "HTTP/") {
		return nil, fmt.Errorf("response: no status line: %q", line)
	}
	x.Proto, x.Status, x.Header, x.Body = proto, statusOf(status), map[string][]string(head), body
	if strings.EqualFold(head.Get("Transfer-Encoding"), "chunked") {
		if whole, err := io.ReadAll(httputil.NewChunkedReader(bytes.NewReader(body))); err == nil {
			x.Body = whole // else the recorder has taken the chunks off already
		}
	}
	return x, nil
}

func message(b []byte) (line string, head textproto.MIMEHeader, body []byte, err error) {
	src := bytes.NewReader(b)
	in := bufio.NewReader(src)
	r := textproto.NewReader(in)
	if line, err = r.ReadLine(); err != nil {
		return "", nil, nil, io.ErrUnexpectedEOF
	}
	if head, err = r.ReadMIMEHeader(); err != nil {
		return "", nil, nil, fmt.Errorf("headers: %w", err)
	}
	return line, head, b[len(b)-src.Len()-in.Buffered():], nil
}
