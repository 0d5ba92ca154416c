package imports

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"time"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/jsonstream"
)

// Sources that keep every chunk of a stream with its time.

func fitsAIPerfRaw(s *sample) bool {
	return s.Kind == "jsonl" && s.has("start_perf_ns", "responses")
}

// readAIPerfRaw reads raw records of AIPerf, one request a line. A response is an
// event of the stream with its time, kept as name and value and not as bytes.
func readAIPerfRaw(ctx context.Context, path string, emit func(*Exchange) error) error {
	return eachLine(path, func(n int, doc any) error {
		start := whole(at(doc, "start_perf_ns"))
		meta := at(doc, "metadata")
		if at(doc, "responses") == nil || start == 0 || meta == nil {
			return &notThis{n, "no raw record of AIPerf: it lacks metadata, start_perf_ns or responses"}
		}
		x := &Exchange{
			Line: n, Method: "POST", URL: str(at(doc, "request_headers", "Host")), Parsed: true,
			RequestBody: raw(at(doc, "payload")), SentRewritten: true,
			Status: int(num(at(doc, "status"))), Header: header(at(doc, "response_headers")),
			RequestID: str(at(meta, "x_request_id")), SessionID: first(str(at(meta, "conversation_id")), str(at(meta, "x_correlation_id"))),
			Phase: map[string]string{"warmup": "warmup", "profiling": "measure"}[str(at(meta, "benchmark_phase"))],
		}
		if began := whole(at(meta, "request_start_ns")); began > 0 {
			x.Started = time.Unix(0, began)
			if end := whole(at(meta, "request_end_ns")); end > began {
				x.EndNs = new(end - began)
			}
		}
		if str(at(meta, "was_cancelled")) == "true" {
			x.EndReason = "cancelled"
		}
		if why := at(doc, "error"); why != nil {
			x.ErrorText = first(str(at(why, "message")), str(why))
		}
		for _, r := range items(at(doc, "responses")) {
			var lines []byte
			for _, p := range items(at(r, "packets")) {
				if name := str(at(p, "name")); name == "data" {
					lines = append(append(lines, oneLine(str(at(p, "value")))...), '\n')
				}
			}
			if text := str(at(r, "text")); text != "" { // an answer that was not streamed
				lines, x.Parsed = []byte(text), false
			}
			if len(lines) == 0 {
				continue
			}
			x.Body = append(x.Body, lines...)
			x.Reads = append(x.Reads, len(lines))
			x.ReadNs = append(x.ReadNs, whole(at(r, "perf_ns"))-start)
		}
		return emit(x)
	})
}

func fitsGenAIPerf(s *sample) bool {
	return at(s.doc(), "experiments") != nil && at(s.doc(), "service_kind") != nil
}

var genAIPerfRequests = mustPath("$.experiments[*].requests[*]")

// readGenAIPerf reads a profile export of perf_analyzer: responses as they
// arrived, each with its time.
func readGenAIPerf(ctx context.Context, path string, emit func(*Exchange) error) error {
	in, err := input.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	outline, err := jsonstream.Project(in, [][]jsonstream.Step{mustPath("$.service_kind"), mustPath("$.endpoint"), mustPath("$.experiments[*].experiment")}, [][]jsonstream.Step{mustPath("$.experiments")})
	if err != nil || outline.Lengths[0] < 0 {
		line := 0
		var placed *jsonstream.Error
		if errors.As(err, &placed) {
			line = placed.Line
		}
		return &notThis{line, "no profile export of GenAI-Perf: it has no experiments"}
	}
	again, err := input.Open(path)
	if err != nil {
		return err
	}
	defer again.Close()
	endpoint := "/" + strings.TrimPrefix(str(at(outline.Root, "endpoint")), "/")
	return jsonstream.Records(again, genAIPerfRequests, outline.Root, func(r jsonstream.Record) error {
		x, err := perfRequest(r, endpoint)
		if err != nil {
			return err
		}
		return emit(x)
	})
}

func perfRequest(r jsonstream.Record, endpoint string) (*Exchange, error) {
	start := whole(at(r.Value, "timestamp"))
	x := &Exchange{Line: r.Line, Method: "POST", URL: endpoint, RequestBody: raw(at(r.Value, "request_inputs", "payload")), Phase: "measure"}
	times, outputs := items(at(r.Value, "response_timestamps")), items(at(r.Value, "response_outputs"))
	if len(times) != len(outputs) {
		return nil, &notThis{r.Line, fmt.Sprintf("%d times and %d responses do not pair up", len(times), len(outputs))}
	}
	if e := at(r.Above[len(r.Above)-1], "experiment"); str(at(e, "mode")) == "concurrency" {
		x.Streams = int32(num(at(e, "value")))
	} else if e != nil {
		x.Params = string(raw(e))
	}
	if t := time.Unix(0, start); t.Year() >= 2000 && t.Year() < 2100 {
		x.Started = t
	}
	for i, o := range outputs {
		piece := raw(at(o, "response"))
		if len(piece) == 0 {
			continue
		}
		x.Body = append(x.Body, piece...)
		x.Reads = append(x.Reads, len(piece))
		x.ReadNs = append(x.ReadNs, whole(times[i])-start)
	}
	if n := len(x.ReadNs); n > 0 {
		x.EndNs = new(x.ReadNs[n-1])
	}
	return x, nil
}

// whole is a whole number, 0 where there is none. Nanoseconds since 1970 do not
// fit a float.
func whole(v any) int64 {
	var n int64
	if _, err := fmt.Sscanf(str(v), "%d", &n); err != nil {
		return 0
	}
	return n
}

// eachLine reads a file of one JSON document a line.
func eachLine(path string, f func(n int, doc any) error) error {
	in, err := input.Open(path)
	if err != nil {
		var system *fs.PathError
		if errors.As(err, &system) {
			return err
		}
		return &notThis{0, err.Error()}
	}
	defer in.Close()
	b := bufio.NewReaderSize(in, 1<<20)
	for n := 1; ; n++ {
		line, err := boundedLine(b)
		if err != nil && err != io.EOF {
			return &notThis{n, "cannot be read further: " + err.Error()}
		}
		if text := bytes.TrimSpace(bytes.TrimPrefix(line, []byte("\xEF\xBB\xBF"))); len(text) > 0 {
			doc, e := jsonstream.Decode(text)
			if e != nil {
				return &notThis{n, fmt.Sprintf("not JSON: it begins with %q", clip(text))}
			}
			if e := f(n, doc); e != nil {
				return e
			}
		}
		if err == io.EOF {
			return nil
		}
	}
}

func boundedLine(b *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		piece, err := b.ReadSlice('\n')
		line = append(line, piece...)
		if err != bufio.ErrBufferFull {
			return line, err
		}
		if len(line) > limits.ImportRecord {
			return nil, &input.ErrLimit{What: fmt.Sprintf("a line of more than %d MiB", limits.ImportRecord>>20)}
		}
	}
}
