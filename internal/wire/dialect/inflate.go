package dialect

import (
	"bufio"
	"bytes"
	"compress/zlib"
	"fmt"
	"io"
	"iter"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"aircheck/internal/kit/limits"
	"aircheck/internal/wire/frame"
)

// inflater decompresses a body that is pushed in pieces, each as far as it
// goes, and cuts the result into frames. The decompressor, which pulls, runs as
// a coroutine that is resumed with each piece.
type inflater struct {
	coding string
	in     []byte // of the piece now pushed
	ended  bool   // no further piece comes
	next   func() ([]byte, bool)
	stop   func()
	err    error
	frames *frame.Splitter
	packed int64  // bytes pushed
	loose  int64  // bytes that came of them
	over   bool   // they are more than is decompressed
	window uint64 // of history that the body may ask for
}

// bounded says why no more is to be decompressed; nil while it is.
func (f *inflater) bounded() error {
	switch {
	case f.loose > limits.Decoded:
		return fmt.Errorf("more than %d MB when decompressed", limits.Decoded>>20)
	case f.frames != nil && f.frames.Pending() > limits.DecodedFrame:
		return fmt.Errorf("a frame of more than %d MB when decompressed", limits.DecodedFrame>>20)
	case f.loose > limits.DecodedFree && f.loose/max(f.packed, 1) > limits.DecodedRatio:
		return fmt.Errorf("more than %d times as large when decompressed", limits.DecodedRatio)
	}
	return nil
}

// newInflater gives nil for a body that is not compressed: its first bytes say
// so, whatever was declared (recorders store decoded bodies beside the header).
func newInflater(s *stream, raw []byte) *inflater {
	coding := strings.ToLower(strings.TrimSpace(s.meta.ContentEncoding))
	switch {
	case bytes.HasPrefix(raw, []byte("\x1f\x8b")):
		coding = "gzip"
	case bytes.HasPrefix(raw, []byte("\x28\xb5\x2f\xfd")):
		coding = "zstd"
	case coding == "deflate" && !readable(raw), coding == "br" && !readable(raw):
	default:
		return nil
	}
	f := &inflater{coding: coding, window: limits.Window}
	f.next, f.stop = iter.Pull(f.run)
	return f
}

// Inflate decompresses a body as the decoders do: by its first bytes where these
// tell, else as declared. A body that is not compressed comes out as it is.
func Inflate(coding string, body io.Reader) io.Reader {
	in := bufio.NewReader(body)
	head, _ := in.Peek(64) // an error comes with the next read, too
	f := newInflater(&stream{meta: Meta{ContentEncoding: coding}}, head)
	if f == nil {
		return in
	}
	f.stop() // nothing is pushed
	out, err := f.reader(in)
	if err != nil {
		return bytes.NewReader(nil)
	}
	return out
}

// readable: bytes begin like a body that is not compressed.
func readable(raw []byte) bool {
	if frame.IsMessage(raw) {
		return true
	}
	for _, c := range raw[:min(len(raw), 16)] {
		if c < ' ' && c != '\n' && c != '\r' && c != '\t' {
			return false
		}
	}
	k := frame.Sniff(raw)
	head := bytes.TrimLeft(raw, " \t\r\n")
	return k == frame.SSE || k == frame.NDJSON || k == frame.JSONArray || kindOf(head) == '{' || kindOf(head) == '<'
}

// source gives the decompressor what was pushed; yield(nil) asks for more. The
// end of the body is told to the decompressor, which may hold back what it has
// until it knows that nothing follows (gzip looks for another member).
type source struct {
	f     *inflater
	yield func([]byte) bool
}

func (r source) Read(p []byte) (int, error) {
	for len(r.f.in) == 0 {
		if r.f.ended || !r.yield(nil) {
			return 0, io.EOF
		}
	}
	n := copy(p, r.f.in)
	r.f.in = r.f.in[n:]
	return n, nil
}

// run yields decompressed pieces, and nil for each time it wants more input.
func (f *inflater) run(yield func([]byte) bool) {
	z, err := f.reader(source{f, yield})
	buf := make([]byte, 32<<10)
	for err == nil {
		var n int
		n, err = z.Read(buf)
		if n > 0 && !yield(buf[:n]) {
			return
		}
	}
	if err != io.EOF {
		f.err = err
	}
}

func (f *inflater) reader(r io.Reader) (io.Reader, error) {
	switch f.coding {
	case "gzip":
		return gzip.NewReader(r)
	case "zstd":
		return zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(f.window))
	case "br":
		return brotli.NewReader(r), nil
	}
	// "deflate" is zlib by the standard and raw deflate by some servers.
	head := make([]byte, 2)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	r = io.MultiReader(bytes.NewReader(head), r)
	if head[0]&0x0f == 8 && (uint(head[0])<<8|uint(head[1]))%31 == 0 {
		return zlib.NewReader(r)
	}
	return flate.NewReader(r), nil
}

// write decompresses one piece and decodes the frames that it ends.
func (f *inflater) write(s *stream, raw []byte) {
	if f.over {
		return
	}
	f.in = raw
	f.packed += int64(len(raw))
	f.drain(s)
}

// drain decodes what the decompressor gives of what it was given.
func (f *inflater) drain(s *stream) {
	for {
		out, more := f.next()
		if !more {
			break
		}
		if out == nil {
			return
		}
		if f.frames == nil {
			f.frames = frame.NewSplitter(f.kind(s, out))
		}
		f.frames.Write(out, s.frame)
		f.loose += int64(len(out))
		if f.err = f.bounded(); f.err != nil {
			f.over, f.in, f.frames = true, nil, nil
			f.stop()
			break
		}
	}
	f.fail(s)
	if len(f.in) > 0 {
		f.in = nil
		s.undecoded(fmt.Sprintf("$ (bytes after %s data)", f.coding))
	}
}

// kind is how the decompressed body is framed.
func (f *inflater) kind(s *stream, head []byte) frame.Kind {
	if s.meta.ContentType == "" {
		if k := frame.Sniff(head); k != frame.Whole {
			return k
		}
	}
	return frame.KindFor(s.meta.ContentType, s.meta.Status, s.api)
}

// close decodes what is left at the end of the body.
func (f *inflater) close(s *stream) {
	f.ended = true
	if !f.over {
		f.drain(s)
	}
	f.stop()
	if f.frames != nil {
		f.frames.Close(func(raw []byte, _ bool) { s.frame(raw) })
	}
}

// fail reports a fault of the compressed data, once.
func (f *inflater) fail(s *stream) {
	if f.err != nil {
		s.undecoded(fmt.Sprintf("$ (%s: %v)", f.coding, f.err))
		f.err = nil
	}
}
