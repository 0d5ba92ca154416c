package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/capture"
	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/ledger"
	"aircheck/internal/record/imports/mapping"
	"aircheck/internal/rules/names"
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

// Exchange is one request and its response as a source kept them. What the
// source does not state is zero or nil.
type Exchange struct {
	Line int // place in the file

	Method      string
	URL         string // may lack scheme and host
	Host        string // where URL has none
	RequestBody []byte

	Status int
	Proto  string
	Header http.Header // of the response
	Body   []byte      // of the response, as received
	Reads  []int       // bytes of each network read of Body; nil where not known
	// ReadNs are the times of the reads, from the start of the request; nil where
	// the source has none.
	ReadNs []int64
	// Parsed says that the source kept the parsed events of a stream and not its
	// bytes: Body then holds one JSON document a line. Rewritten: that it kept the
	// parsed document of a body that was not streamed.
	Parsed, Rewritten bool
	SentRewritten     bool // so was the request's body
	Lost              bool // the source says that there was a body and did not keep it
	Streamed          *bool

	Started                                           time.Time
	TimeFrom                                          string // what of the source Started was taken from, where it is not the start itself
	DNSNs, ConnectNs, TLSNs, SentNs, HeadersNs, EndNs *int64
	RequestID                                         string

	// What a source states beside the exchange, and its URL does not.
	Provider, Phase, SessionID, EndReason string
	Streams                               int32 // open at a time
	Params                                string

	TTFTNs    *int64 // as the source states it beside the body
	ErrorText string // of the transport
}

// chunkFormat is a format that holds responses.
type chunkFormat struct {
	about string
	fits  func(*sample) bool // whether a file is of the format, by its sample
	read  func(ctx context.Context, path string, emit func(*Exchange) error) error
}

var chunkFormats = map[string]chunkFormat{
	"sse":        {"bodies of single responses: event streams, NDJSON, JSON, AWS event streams", fitsBody, readBody},
	"vcr":        {"cassettes of vcrpy, go-vcr, Ruby VCR, httprr, httpmock and alike", fitsCassette, readCassette},
	"aiperf-raw": {"raw records of AIPerf: every chunk with its time", fitsAIPerfRaw, readAIPerfRaw},
	"genai-perf": {"profile exports of GenAI-Perf and perf_analyzer: every response with its time", fitsGenAIPerf, readGenAIPerf},
	"har":        {"HTTP archives of browsers, proxies and Polly.JS", fitsHAR, readHAR},
	"reads":      {"responses kept read by read, in base64", fitsReads, readReads},
}

// notThis is an error of a reader that says that a file is not of its format.
type notThis struct {
	line   int
	reason string
}

func (e *notThis) Error() string { return e.reason }

// Exchanges reads the exchanges of a file in one of the formats that hold
// responses, those that are no call of a model included. A file of another
// kind is an error.
func Exchanges(ctx context.Context, format, path string, emit func(*Exchange) error) error {
	c, ok := chunkFormats[format]
	if !ok {
		return UnknownFormat(format)
	}
	return c.read(ctx, path, emit)
}

// exchanges imports one file of a format that holds responses.
func (in *importer) exchanges(ctx context.Context, path string) error {
	n := 0
	err := in.chunks.read(ctx, path, func(x *Exchange) error {
		n++
		if err := ctx.Err(); err != nil {
			return err
		}
		at := ledger.Place{Line: x.Line}
		if x.Line == 0 {
			at.Record = n
		}
		if x.Status == 0 && in.opt.Set.Status > 0 {
			x.Status = int(in.opt.Set.Status)
		}
		if why := noCall(x, in.opt.Set.API); why != "" {
			in.account.Skip(why)
			return nil
		}
		if x.Lost {
			in.account.Skip("a call whose body the recorder did not keep")
			return nil
		}
		if x.foreign() != "" {
			in.account.Fault(at, "%s", x.whyNoAnswer())
			return nil
		}
		return in.exchange(x, at)
	})
	var wrong *notThis
	switch {
	case errors.As(err, &wrong):
		in.account.Refuse(ledger.Place{Line: wrong.line}, "%s", wrong.reason)
		return nil
	case err == nil && n == 0:
		in.account.Refuse(ledger.Place{}, "holds no request")
	}
	return err
}

// exchange takes one exchange, or each of the responses that one body holds.
func (in *importer) exchange(x *Exchange, at ledger.Place) error {
	q, frames := x.Rows(in.opt.Set.API)
	if err := mapping.Coherent(q); err != nil {
		in.account.Fault(at, "%v", err)
		return nil
	}
	found := examine(q, frames)
	switch {
	case !found.answer:
		in.account.Fault(at, "%s", x.whyNoAnswer())
		return nil
	case len(found.cuts) > 0 && (len(x.Reads) > 0 || len(x.RequestBody) > 0 || x.encoding() != ""):
		in.account.Fault(at, "several responses in one body, the second from frame %d on: a request has one", found.cuts[0])
		return nil
	}
	// Answers that are equal to the byte are one; refusals may well be.
	in.identified = in.identified || found.id != "" || x.Status < 400
	if len(found.cuts) == 0 {
		return in.take(q, frames, at)
	}
	from := 0
	for _, to := range append(found.cuts, len(frames)) {
		part := *x
		part.Body = nil
		for _, f := range frames[from:to] {
			part.Body = append(part.Body, f.Raw...)
		}
		from = to
		q, frames := part.Rows(in.opt.Set.API)
		if err := in.take(q, frames, at); err != nil {
			return err
		}
	}
	return nil
}

// Rows gives the row of an exchange and its frames. api is the dialect if it is
// known; otherwise it is taken from URL and bodies. Provider and model are left
// empty where neither URL nor bodies tell them.
func (x *Exchange) Rows(api string) (*schema.Request, []schema.Chunk) {
	u := x.url()
	if api == "" {
		api = x.api()
	}
	q := &schema.Request{
		Attempt:       1,
		Phase:         "live",
		Detail:        "chunks",
		Provider:      names.Provider(u.Host),
		BytesReceived: new(int64(len(x.Body))),
		DNSNs:         x.DNSNs, ConnectNs: x.ConnectNs, TLSNs: x.TLSNs,
		SentNs: x.SentNs, HeadersNs: x.HeadersNs, EndNs: x.EndNs,
		ReportedTTFTNs: x.TTFTNs,
	}
	q.Provider = first(q.Provider, x.Provider)
	q.Phase = first(x.Phase, q.Phase)
	if x.Streams > 0 {
		q.Concurrency = &x.Streams
	}
	text := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	if q.Provider != "" { // else it is a placeholder
		q.Host, q.Region = text(u.Host), text(names.Region(u.Host))
	}
	q.API, q.ErrorText = text(api), text(x.ErrorText)
	q.SessionID, q.EndReason, q.Params = text(x.SessionID), text(x.EndReason), text(x.Params)
	q.CallerRequestID, q.HTTPVersion = text(x.RequestID), text(x.Proto)
	q.RequestBody = text(strings.ToValidUTF8(string(x.RequestBody), "\uFFFD"))
	sent := sentModel(u, x.RequestBody)
	q.ModelID = text(sent)
	q.Model = sent
	if q.Model == "" {
		q.Model = servedModel(x.Body)
	}
	if x.Status > 0 {
		q.HTTPStatus = new(int32(x.Status))
	}
	if len(x.Header) > 0 {
		q.ResponseHeaders = new(capture.NewSecrets().HeadersJSON(x.Header))
	}
	if !x.Started.IsZero() {
		q.StartedAtNs = new(x.Started.UnixNano())
	}
	labels := map[string]string{}
	if x.TimeFrom != "" {
		labels["started_at"] = x.TimeFrom
	}
	switch {
	case x.Parsed:
		labels["body"] = "parsed events"
	case x.Rewritten:
		labels["body"] = "parsed"
	}
	if x.SentRewritten {
		labels["request_body"] = "parsed"
	}
	if len(labels) > 0 {
		b, _ := json.Marshal(labels)
		q.Labels = new(string(b))
	}
	kind := x.kind(api)
	if enc := x.encoding(); enc != "" {
		q.ContentEncoding = &enc
		kind = frame.Reads
	}
	q.Streamed = x.streamed(u, kind)
	return q, x.frames(kind)
}

func (x *Exchange) url() *url.URL {
	u, err := url.Parse(x.URL)
	if err != nil { // placeholders in recordings: <API_BASE>/chat/completions
		path := x.URL
		if _, rest, ok := strings.Cut(path, "://"); ok {
			path = rest
		}
		host, path, _ := strings.Cut(path, "/")
		path, _, _ = strings.Cut(path, "?")
		return &url.URL{Host: host, Path: "/" + path}
	}
	if u.Host == "" {
		u.Host = x.Host
	}
	return u
}

// api is the dialect that URL and bodies tell.
func (x *Exchange) api() string {
	if api := GuessAPI(x.URL, x.RequestBody); api != "" {
		return api
	}
	return GuessAPI("", x.Body)
}

// kind is how the body was framed: by its headers, unless its bytes plainly say
// otherwise.
func (x *Exchange) kind(api string) frame.Kind {
	sniffed := frame.Sniff(x.Body)
	if x.Parsed {
		return frame.NDJSON
	}
	ct := x.Header.Get("Content-Type")
	if !strings.Contains(ct, "/") { // absent, or masked by the recorder
		return sniffed
	}
	kind := frame.KindFor(ct, x.Status, api)
	switch {
	case sniffed == frame.EventStream, kind == frame.EventStream:
		return sniffed
	case kind == frame.SSE && sniffed == frame.NDJSON, kind == frame.SSE && sniffed == frame.JSONArray:
		return sniffed
	}
	return kind
}

// encoding is the compression that the body still has. Recorders often undo it
// and leave the header as it was.
func (x *Exchange) encoding() string {
	enc := strings.ToLower(strings.TrimSpace(x.Header.Get("Content-Encoding")))
	switch {
	case bytes.HasPrefix(x.Body, []byte{0x1f, 0x8b}):
		return "gzip"
	case bytes.HasPrefix(x.Body, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		return "zstd"
	case enc == "br" || enc == "deflate":
		// Neither has a mark of its own: text is not compressed.
		if frame.Sniff(x.Body) == frame.Whole && !json.Valid(x.Body) && len(x.Body) > 0 {
			return enc
		}
	}
	return ""
}

// streamed says whether a stream was asked for.
func (x *Exchange) streamed(u *url.URL, kind frame.Kind) *bool {
	if x.Streamed != nil {
		return x.Streamed
	}
	var body struct {
		Stream *bool `json:"stream"`
	}
	json.Unmarshal(x.RequestBody, &body)
	path := strings.ToLower(u.Path)
	switch {
	case body.Stream != nil:
		return body.Stream
	case strings.Contains(path, "stream"):
		return new(true)
	case kind == frame.SSE, kind == frame.NDJSON, kind == frame.EventStream:
		return new(true)
	case len(x.RequestBody) > 0 && kind == frame.Whole:
		return new(false)
	}
	return nil
}

// frames cuts the body. A frame has the time of the read that completed it, and
// none where the source has none.
func (x *Exchange) frames(kind frame.Kind) []schema.Chunk {
	var out []schema.Chunk
	read := int32(0)
	add := func(raw []byte, complete bool) {
		c := schema.Chunk{ReadSeq: read, Clock: "none", Complete: complete, Raw: bytes.Clone(raw)}
		if int(read) < len(x.ReadNs) {
			t := x.ReadNs[read]
			c.TNs, c.TReadNs, c.Clock = &t, &t, "read"
		}
		out = append(out, c)
	}
	s := frame.NewSplitter(kind)
	rest := x.Body
	for _, n := range x.Reads {
		s.Write(rest[:n], func(raw []byte) { add(raw, true) })
		rest = rest[n:]
		if len(rest) > 0 {
			read++
		}
	}
	s.Write(rest, func(raw []byte) { add(raw, true) })
	s.Close(add)
	return out
}

// readWhole reads a file of moderate size, compressed or not.
func readWhole(path string) ([]byte, error) {
	in, err := input.Open(path)
	if err != nil {
		var pathErr *os.PathError
		if errors.As(err, &pathErr) {
			return nil, err
		}
		return nil, &notThis{0, err.Error()}
	}
	defer in.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(io.LimitReader(in, limits.ImportWhole+1)); err != nil {
		return nil, &notThis{0, "cannot be read: " + err.Error()}
	}
	if b.Len() > limits.ImportWhole {
		return nil, &notThis{0, fmt.Sprintf("more than %d MiB, which is the most that is read of a file that holds whole responses", limits.ImportWhole>>20)}
	}
	return b.Bytes(), nil
}
