package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"

	"aircheck/internal/kit/columnar"
)

// Row groups of chunks end at a request's end, past so many rows or bytes:
// PROBES found 32–128 k rows best for readers, and bodies of a megabyte a frame
// must not pile up in memory.
const (
	GroupRows  = 64 << 10
	GroupBytes = 16 << 20
)

// part is one growing Parquet file of a run, aside in journal/<run_id>/.
type part[T any] struct {
	table  string
	number int
	path   string
	file   *os.File
	sum    *hashing
	rows   *columnar.Writer[T]
	bytes  int64 // of rows in the open row group
}

func newPart[T any](dir, runID, table string, number int, t *columnar.Table[T]) (*part[T], error) {
	journal := filepath.Join(dir, "journal", runID)
	if err := os.MkdirAll(journal, 0o755); err != nil {
		return nil, err
	}
	path := filepath.Join(journal, table+".parquet.tmp")
	f, err := os.Create(path)
	if err != nil {
		return nil, err
	}
	sum := &hashing{w: f, h: sha256.New()}
	rows, err := t.NewWriter(sum, map[string]string{"aircheck.schema_version": strconv.Itoa(Version), "aircheck.table": table})
	if err != nil {
		f.Close()
		return nil, err
	}
	return &part[T]{table: table, number: number, path: path, file: f, sum: sum, rows: rows}, nil
}

// large says whether the open row group is to end.
func (p *part[T]) large() bool { return p.rows.GroupRows() >= GroupRows || p.bytes >= GroupBytes }

// cut ends it.
func (p *part[T]) cut() error {
	p.bytes = 0
	return p.rows.CutRowGroup()
}

// finish writes the footer, makes the file durable and renames it into place.
func (p *part[T]) finish(dir, runID string) (File, error) {
	if err := p.rows.Close(); err != nil {
		return File{}, err
	}
	if err := p.file.Sync(); err != nil {
		return File{}, err
	}
	if err := p.file.Close(); err != nil {
		return File{}, err
	}
	rel := fmt.Sprintf("%s/run=%s/part-%d.parquet", p.table, runID, p.number)
	final := filepath.Join(dir, filepath.FromSlash(rel))
	if err := os.MkdirAll(filepath.Dir(final), 0o755); err != nil {
		return File{}, err
	}
	if err := os.Rename(p.path, final); err != nil {
		return File{}, err
	}
	if err := syncDir(filepath.Dir(final)); err != nil {
		return File{}, err
	}
	return File{rel, p.rows.Rows(), p.sum.n, hex.EncodeToString(p.sum.h.Sum(nil))}, nil
}

// hashing counts and hashes what passes through it.
type hashing struct {
	w io.Writer
	h hash.Hash
	n int64
}

func (h *hashing) Write(p []byte) (int, error) {
	n, err := h.w.Write(p)
	h.h.Write(p[:n])
	h.n += int64(n)
	return n, err
}

// requestSize is about what a row takes.
func requestSize(r *Request) (n int64) {
	row := reflect.ValueOf(r).Elem()
	for i := range row.NumField() {
		switch f := reflect.Indirect(row.Field(i)); f.Kind() {
		case reflect.String:
			n += 8 + int64(f.Len())
		case reflect.Slice:
			n += 8 + 8*int64(f.Len())
		default:
			n += 8
		}
	}
	return n
}

func chunkSize(chunks []Chunk) (n int64) {
	for i := range chunks {
		n += 64 + int64(len(chunks[i].Raw))
	}
	return n
}
