package mapping

import (
	"bufio"
	"bytes"
	"io"
	"unicode/utf8"

	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/jsonstream"
)

// Kind tells how a file is written, by its name and its first bytes: json,
// jsonl, csv or parquet.
func Kind(name, path string) (string, error) {
	in, err := input.Open(path)
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
	switch input.Ext(name) {
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
		if _, _, err := nothingOf.Decode(line); err == nil {
			return "jsonl", nil
		}
	}
	return "json", nil
}

var nothingOf = jsonstream.NewProjection(nil)

func validUTF8(b []byte) bool { return utf8.Valid(b) }

// beginning is the head of a file as a fault shows it.
func beginning(path string) string {
	in, err := input.Open(path)
	if err != nil {
		return ""
	}
	defer in.Close()
	head := make([]byte, 40)
	n, _ := io.ReadFull(in, head)
	return string(bytes.ToValidUTF8(head[:n], nil))
}
