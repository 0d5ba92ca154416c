package mapping

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"aircheck/internal/record/imports/jsonstream"
)

// Open opens a file and takes gzip or zstd off, told by its first bytes.
func Open(path string) (io.ReadCloser, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	in := bufio.NewReaderSize(f, 64<<10)
	head, _ := in.Peek(4)
	switch {
	case bytes.HasPrefix(head, []byte{0x1f, 0x8b}):
		z, err := gzip.NewReader(in)
		if err != nil {
			f.Close()
			return nil, fmt.Errorf("not gzip, though it begins so: %w", err)
		}
		return readCloser{z, f.Close}, nil
	case bytes.Equal(head, []byte{0x28, 0xb5, 0x2f, 0xfd}):
		z, err := zstd.NewReader(in)
		if err != nil {
			f.Close()
			return nil, err
		}
		return readCloser{z, func() error { z.Close(); return f.Close() }}, nil
	}
	return readCloser{in, f.Close}, nil
}

type readCloser struct {
	io.Reader
	close func() error
}

func (r readCloser) Close() error { return r.close() }

// sniff tells the format of a file by its name and its first bytes.
func sniff(path string) (string, error) {
	in, err := Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	r := bufio.NewReaderSize(in, 1<<16)
	head, err := r.Peek(4)
	if err != nil && err != io.EOF {
		return "", err
	}
	if string(head) == "PAR1" {
		return "parquet", nil
	}
	name := strings.TrimSuffix(strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".gz"), ".zst")
	switch filepath.Ext(name) {
	case ".csv", ".tsv":
		return "csv", nil
	case ".jsonl", ".ndjson":
		return "jsonl", nil
	}
	// A first line that is a whole document, with another after it, makes lines.
	all, _ := r.Peek(1 << 16)
	all = bytes.TrimSpace(bytes.TrimPrefix(all, []byte("\xEF\xBB\xBF")))
	line, rest, _ := bytes.Cut(all, []byte("\n"))
	if bytes.HasPrefix(line, []byte("{")) && bytes.HasPrefix(bytes.TrimSpace(rest), []byte("{")) {
		if _, err := jsonstream.Project(bytes.NewReader(line), nil, nil, [][]jsonstream.Step{nil}); err == nil {
			return "jsonl", nil
		}
	}
	return "json", nil
}

// beginning is the head of a file as a fault shows it.
func beginning(path string) string {
	in, err := Open(path)
	if err != nil {
		return ""
	}
	defer in.Close()
	head := make([]byte, 40)
	n, _ := io.ReadFull(in, head)
	return string(bytes.ToValidUTF8(head[:n], nil))
}
