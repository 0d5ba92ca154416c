package decode

import (
	"encoding/json"
	"slices"
	"strings"

	"aircheck/internal/wire/dialect"
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

// target is what decoding must know of a request beside its frames. Most
// requests of a run have equal ones.
type target struct {
	api      string
	meta     dialect.Meta
	withheld bool // its bytes are not kept: its frames are sizes and times
}

// targets are those of a run, sorted by request.
type targets struct {
	ids      []int64
	which    []int32 // index into kinds
	kinds    []target
	reported bool // some request is backed by no frames but states an answer
}

func (t *targets) of(id int64) (target, bool) {
	i, ok := slices.BinarySearch(t.ids, id)
	if !ok {
		return target{}, false
	}
	return t.kinds[t.which[i]], true
}

// targetsOf reads how to decode each of the run's requests.
func targetsOf(ds *schema.Dataset, run *schema.Run) (*targets, error) {
	out := &targets{}
	known := map[target]int32{}
	err := ds.EachRequest(run, func(r *schema.Request) error {
		t := target{withheld: r.Detail == "requests"}
		if t.withheld {
			out.reported = true
		} else {
			t = targetOf(r)
		}
		k, ok := known[t]
		if !ok {
			k = int32(len(out.kinds))
			known[t], out.kinds = k, append(out.kinds, t)
		}
		out.ids, out.which = append(out.ids, r.RequestID), append(out.which, k)
		return nil
	}, "request_id", "detail", "api", "http_status", "content_encoding", "streamed", "response_headers")
	return out, err
}

func targetOf(r *schema.Request) (t target) {
	if r.API != nil {
		t.api = *r.API
	}
	if r.HTTPStatus != nil {
		t.meta.Status = int(*r.HTTPStatus)
	}
	if r.ContentEncoding != nil {
		t.meta.ContentEncoding = *r.ContentEncoding
	}
	if r.Streamed != nil {
		t.meta.Streamed = *r.Streamed
	}
	if r.ResponseHeaders != nil {
		t.meta.ContentType = contentType(*r.ResponseHeaders)
		t.meta.Frames = frame.KindFor(t.meta.ContentType, t.meta.Status, t.api)
	}
	return t
}

// contentType takes one header out of the JSON object of all: a string, or a list
// that begins with one. Reading the whole of it for a million requests would take
// seconds, and so would a regular expression.
func contentType(headers string) (value string) {
	const name = `content-type"`
	for rest := headers; ; {
		quote := strings.IndexByte(rest, '"')
		if quote < 0 || len(rest) < quote+1+len(name) {
			return ""
		}
		rest = rest[quote+1:]
		if !strings.EqualFold(rest[:len(name)], name) {
			continue
		}
		after, ok := strings.CutPrefix(strings.TrimLeft(rest[len(name):], space), ":")
		if !ok {
			continue
		}
		after = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(after, space), "["), space)
		if n := quotedLen(after); n > 0 {
			if json.Unmarshal([]byte(after[:n]), &value) != nil {
				return ""
			}
			return value
		}
	}
}

const space = " \t\n\f\r"

// quotedLen is the length of the JSON string that s begins with, 0 for none.
func quotedLen(s string) int {
	if s == "" || s[0] != '"' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
	return 0
}
