package journal

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"time"
)

const (
	magic      = 0x6c6a7261 // "arjl"
	headerSize = 32
	// maxPayload is more than a segment ever has: two buffers and one record.
	maxPayload = 1 << 30
)

// nameFormat names a file by its number and salt.
const nameFormat = "%06d-%08x.journal"

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// closeSegment fills the header in, for which segment has room before the payload.
// The salt, which the file's name states, keeps bytes that a provider sends from
// passing for a segment when the one around them is damaged.
func closeSegment(segment []byte, salt, records uint32, first uint64, at time.Time) {
	h := segment[:headerSize]
	binary.LittleEndian.PutUint32(h[0:], magic)
	binary.LittleEndian.PutUint32(h[4:], uint32(len(segment)-headerSize))
	binary.LittleEndian.PutUint32(h[12:], records)
	binary.LittleEndian.PutUint64(h[16:], first)
	binary.LittleEndian.PutUint64(h[24:], uint64(at.UnixNano()))
	binary.LittleEndian.PutUint32(h[8:], crc32.Update(salt, castagnoli, segment[12:]))
}

// segment is one as read.
type segment struct {
	at      int64 // where its payload begins in the file
	records uint32
	first   uint64
	wallNs  int64
	payload []byte // valid until the next is read
}

// segmentReader reads the segments of one file, and steps over what is none.
type segmentReader struct {
	file    *os.File
	salt    uint32
	size    int64
	pos     int64
	skipped int64 // bytes that belong to no valid segment
	buf     []byte
}

func newSegmentReader(f *os.File) (*segmentReader, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	r := &segmentReader{file: f, size: info.Size()}
	if _, err := fmt.Sscanf(filepath.Base(f.Name()), nameFormat, new(int), &r.salt); err != nil {
		return nil, fmt.Errorf("its name is not that of a journal's file: %w", err)
	}
	return r, nil
}

// next gives the next valid segment, and whether something was skipped before
// it; io.EOF after the last.
func (r *segmentReader) next() (s segment, gap bool, err error) {
	for {
		s, ok, err := r.read(r.pos)
		if err != nil {
			return s, gap, err
		}
		if ok {
			r.pos = s.at + int64(len(s.payload))
			return s, gap, nil
		}
		if r.pos >= r.size {
			return s, gap, io.EOF
		}
		gap = true
		from := r.pos
		if err := r.seek(r.pos + 1); err != nil {
			return s, gap, err
		}
		r.skipped += r.pos - from
	}
}

// read tries a segment at a place.
func (r *segmentReader) read(pos int64) (s segment, ok bool, err error) {
	if r.size-pos < headerSize {
		return s, false, nil
	}
	r.buf = grown(r.buf, headerSize)
	if _, err := r.file.ReadAt(r.buf, pos); err != nil {
		return s, false, err
	}
	n := int64(binary.LittleEndian.Uint32(r.buf[4:]))
	if binary.LittleEndian.Uint32(r.buf) != magic || n > maxPayload || n > r.size-pos-headerSize {
		return s, false, nil
	}
	r.buf = grown(r.buf, headerSize+int(n))
	if _, err := r.file.ReadAt(r.buf, pos); err != nil {
		return s, false, err
	}
	h := r.buf
	if crc32.Update(r.salt, castagnoli, h[12:]) != binary.LittleEndian.Uint32(h[8:]) {
		return s, false, nil
	}
	return segment{at: pos + headerSize, records: binary.LittleEndian.Uint32(h[12:]), first: binary.LittleEndian.Uint64(h[16:]),
		wallNs: int64(binary.LittleEndian.Uint64(h[24:])), payload: h[headerSize:]}, true, nil
}

// seek moves to the next place at or after pos where a header may begin, or to
// the end.
func (r *segmentReader) seek(pos int64) error {
	window := make([]byte, 64<<10)
	for pos < r.size {
		n, err := r.file.ReadAt(window[:min(int64(len(window)), r.size-pos)], pos)
		if err != nil && err != io.EOF {
			return err
		}
		for i := 0; i+4 <= n; i++ {
			if binary.LittleEndian.Uint32(window[i:]) == magic {
				r.pos = pos + int64(i)
				return nil
			}
		}
		if n < 4 || pos+int64(n) >= r.size {
			break
		}
		pos += int64(n) - 3
	}
	r.pos = r.size
	return nil
}

func grown(b []byte, n int) []byte {
	if cap(b) < n {
		return make([]byte, n)
	}
	return b[:n]
}
