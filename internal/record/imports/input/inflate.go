package input

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"aircheck/internal/kit/limits"
)

// compressions are told by their first bytes.
var compressions = []struct {
	magic string
	ext   string
	open  func(io.Reader) (io.ReadCloser, error)
}{
	{"\x1f\x8b", ".gz", func(r io.Reader) (io.ReadCloser, error) { return gzip.NewReader(r) }},
	{"\x28\xb5\x2f\xfd", ".zst", func(r io.Reader) (io.ReadCloser, error) {
		z, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(limits.ImportWindow))
		if err != nil {
			return nil, err
		}
		return z.IOReadCloser(), nil
	}},
	{xzMagic, ".xz", openXZ},
}

const xzMagic = "\xfd7zXZ\x00"

// openXZ looks at the first block's header before the library does, which would
// make a buffer of whatever size the file asks for.
func openXZ(r io.Reader) (io.ReadCloser, error) {
	b := bufio.NewReader(r)
	// Stream header (12 bytes), block header: size, flags, filter id, size of its
	// properties, the size of the dictionary as mantissa and exponent.
	if head, err := b.Peek(17); err == nil && head[13]&0xC3 == 0 && head[14] == 0x21 {
		if bits := int(head[16] & 0x3F); bits < 40 && int64(2|bits&1)<<(bits/2+11) > limits.ImportWindow || bits >= 40 {
			return nil, &ErrLimit{fmt.Sprintf("asks for more than %d MiB of memory to inflate", limits.ImportWindow>>20)}
		}
	}
	z, err := xz.NewReader(b)
	if err != nil {
		return nil, err
	}
	return io.NopCloser(z), nil
}

// Plain is a file's name without the ending that says that it is compressed.
func Plain(name string) string {
	lower := strings.ToLower(name)
	for _, c := range compressions {
		if strings.HasSuffix(lower, c.ext) {
			return name[:len(name)-len(c.ext)]
		}
	}
	return name
}

// Ext is the ending of a file's name in lower case, that of compression left out.
func Ext(name string) string { return strings.ToLower(path.Ext(Plain(name))) }

// ErrLimit says which bound a file is beyond.
type ErrLimit struct{ What string }

func (e *ErrLimit) Error() string { return e.What }

// Open opens a file and takes gzip, zstd or xz off, told by its first bytes and
// not by its name. An error of the system is an *fs.PathError; any other says
// what is wrong with the file.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return inflated(f)
}

func inflated(f *os.File) (io.ReadCloser, error) {
	in := bufio.NewReaderSize(f, 64<<10)
	head, _ := in.Peek(6)
	for _, c := range compressions {
		if !bytes.HasPrefix(head, []byte(c.magic)) {
			continue
		}
		z, err := safely(func() (io.ReadCloser, error) { return c.open(in) })
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("not %s, though it begins so: %w", c.ext[1:], err)
		}
		var size int64
		if info, err := f.Stat(); err == nil {
			size = info.Size()
		}
		return readCloser{&bounded{in: z, left: limits.ImportInflated, compressed: size}, func() error { z.Close(); return f.Close() }}, nil
	}
	return readCloser{in, f.Close}, nil
}

// safely turns a panic of a library on damaged input into an error.
func safely[T any](f func() (T, error)) (v T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("damaged: %v", p)
		}
	}()
	return f()
}

type readCloser struct {
	io.Reader
	close func() error
}

func (r readCloser) Close() error { return r.close() }

// bounded ends a stream that inflates beyond the bounds.
type bounded struct {
	in         io.Reader
	left       int64
	read       int64
	compressed int64 // 0 where it is not known
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := safely(func() (int, error) { return b.in.Read(p) })
	b.read += int64(n)
	switch {
	case b.read > b.left:
		return n, &ErrLimit{fmt.Sprintf("inflates to more than %d GiB", limits.ImportInflated>>30)}
	case b.compressed > 0 && b.read > limits.ImportWhole && b.read/b.compressed > limits.ImportRatio:
		return n, &ErrLimit{fmt.Sprintf("inflates to more than %d times its size", limits.ImportRatio)}
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("the compressed file ends in the middle: %w", err)
	}
	return n, err
}
