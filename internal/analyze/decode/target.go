package decode

import (
	"encoding/json"
	"regexp"
	"slices"

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

var contentTypeField = regexp.MustCompile(`(?i)"content-type"\s*:\s*\[?\s*("(?:[^"\\]|\\.)*")`)

// contentType takes one header out of the JSON object of all: reading the whole
// of it for a million requests would take seconds.
func contentType(headers string) (value string) {
	if m := contentTypeField.FindStringSubmatch(headers); m != nil {
		if json.Unmarshal([]byte(m[1]), &value) != nil {
			return ""
		}
	}
	return value
}
