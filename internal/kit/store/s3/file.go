package s3

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
)

// blockBytes is how much is read at a time: a column of a row group is read page
// by page, and a request a page would take a round trip each.
const (
	blockBytes = 8 << 20
	blocksKept = 4
)

// file is an object that is read by blocks.
type file struct {
	s    *Store
	name string
	entry
	at int64 // of Read

	mu     sync.Mutex
	blocks []block // the last ones, the newest last
}

type block struct {
	from int64
	data []byte
}

func (f *file) Size() int64  { return f.size }
func (f *file) Close() error { return nil }

func (f *file) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += f.at
	case io.SeekEnd:
		offset += f.size
	}
	if offset < 0 {
		return 0, errors.New("seek before the start")
	}
	f.at = offset
	return offset, nil
}

func (f *file) Read(p []byte) (int, error) {
	n, err := f.ReadAt(p, f.at)
	f.at += int64(n)
	if n > 0 && err == io.EOF {
		err = nil
	}
	return n, err
}

func (f *file) ReadAt(p []byte, at int64) (n int, err error) {
	for n < len(p) {
		if at >= f.size {
			return n, io.EOF
		}
		data, err := f.block(at / blockBytes * blockBytes)
		if err != nil {
			return n, err
		}
		got := copy(p[n:], data[at%blockBytes:])
		n, at = n+got, at+int64(got)
	}
	return n, nil
}

func (f *file) block(from int64) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.blocks {
		if b.from == from {
			return b.data, nil
		}
	}
	data := make([]byte, min(blockBytes, f.size-from))
	if err := f.fetch(data, from); err != nil {
		return nil, err
	}
	if len(f.blocks) == blocksKept {
		f.blocks = f.blocks[1:]
	}
	f.blocks = append(f.blocks, block{from, data})
	return data, nil
}

// fetch reads a range, and goes on where a connection broke off.
func (f *file) fetch(p []byte, from int64) error {
	n := 0
	var last error
	for try := range attempts {
		if try > 0 {
			time.Sleep(min(100*time.Millisecond<<try, 3*time.Second))
		}
		got, err := f.get(p[n:], from+int64(n))
		if n += got; n == len(p) {
			return nil
		}
		if last = err; final(err) {
			break
		}
	}
	return f.s.failed(f.name, last)
}

func (f *file) get(p []byte, from int64) (int, error) {
	ctx, cancel := context.WithTimeout(context.Background(), readTimeout)
	defer cancel()
	var opts minio.GetObjectOptions
	if err := opts.SetRange(from, from+int64(len(p))-1); err != nil {
		return 0, err
	}
	if f.etag != "" {
		if err := opts.SetMatchETag(f.etag); err != nil {
			return 0, err
		}
	}
	body, _, _, err := f.s.core.GetObject(ctx, f.s.bucket, f.s.key(f.name), opts)
	if err != nil {
		return 0, err
	}
	defer body.Close()
	n, err := io.ReadFull(body, p)
	if err != nil {
		err = fmt.Errorf("after %d of %d bytes: %w", n, len(p), err)
	}
	return n, err
}

// final tells errors that another try would meet again.
func final(err error) bool {
	said := minio.ToErrorResponse(err).StatusCode
	return said >= 400 && said < 500 && said != 408 && said != 429
}
