package scrub

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zstd"

	"aircheck/internal/kit/limits"
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

// inflate gives the frames of a body that arrived compressed as they would have
// been, each with the time of the read that completed it; texts in a compressed
// body cannot be filled. The row says that it was done.
func (s *scrubber) inflate(q *schema.Request, frames []schema.Chunk) ([]schema.Chunk, error) {
	if q.ContentEncoding == nil || len(frames) == 0 {
		return frames, nil
	}
	coding := strings.ToLower(strings.TrimSpace(*q.ContentEncoding))
	var body []byte
	for _, f := range frames {
		body = append(body, f.Raw...)
	}
	whole := inflated(coding, body)
	if whole == nil {
		return frames, nil // it is not compressed, whatever its header says
	}
	contentType := ""
	if q.ResponseHeaders != nil {
		var h map[string][]string
		if json.Unmarshal([]byte(*q.ResponseHeaders), &h) == nil && len(h["Content-Type"]) > 0 {
			contentType = h["Content-Type"][0]
		}
	}
	kind := frame.Sniff(whole)
	if contentType != "" {
		status := 0
		if q.HTTPStatus != nil {
			status = int(*q.HTTPStatus)
		}
		kind = frame.KindFor(contentType, status, deref(q.API))
	}
	var out []schema.Chunk
	read, end, have := 0, 0, 0
	upTo := len(frames[0].Raw)
	add := func(raw []byte, complete bool) {
		end += len(raw)
		for have < end && read < len(frames) {
			if have = len(inflated(coding, body[:upTo])); have < end && read < len(frames)-1 {
				read++
				upTo += len(frames[read].Raw)
				continue
			}
			break
		}
		c := frames[read]
		c.Raw, c.Complete, c.Seq = bytes.Clone(raw), complete, int32(len(out))
		out = append(out, c)
	}
	split := frame.NewSplitter(kind)
	split.Write(whole, func(raw []byte) { add(raw, true) })
	split.Close(add)
	s.result.Inflated++
	q.ContentEncoding = nil
	q.BytesReceived = new(int64(len(whole)))
	marked, err := mark(q.Labels, "inflated from "+coding)
	q.Labels = marked
	return out, err
}

// mark adds a label on what was done to the body.
func mark(labels *string, what string) (*string, error) {
	m := map[string]any{}
	if labels != nil {
		if err := json.Unmarshal([]byte(*labels), &m); err != nil {
			return labels, nil
		}
	}
	m["body"] = what
	b, err := json.Marshal(m)
	return new(string(b)), err
}

// inflated is as much of a compressed body as its beginning gives; nil for what
// is not compressed.
func inflated(coding string, body []byte) []byte {
	var r io.Reader
	var err error
	in := bytes.NewReader(body)
	switch coding {
	case "gzip", "x-gzip":
		r, err = gzip.NewReader(in)
	case "zstd":
		var z *zstd.Decoder
		if z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(limits.Decoded)); err == nil {
			defer z.Close()
			r = z
		}
	case "br":
		r = brotli.NewReader(in)
	case "deflate":
		r = flate.NewReader(in)
	default:
		return nil
	}
	if err != nil {
		return nil
	}
	var out bytes.Buffer
	out.ReadFrom(io.LimitReader(r, limits.Decoded)) // a body that was cut gives what it has
	if out.Len() == 0 {
		return nil
	}
	return out.Bytes()
}
