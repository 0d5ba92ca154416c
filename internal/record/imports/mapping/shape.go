package mapping

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"io"
	"strings"

	"github.com/apache/arrow-go/v18/parquet/file"

	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/jsonstream"
)

// Sample is as much of a file as a mapping is told by.
type Sample struct {
	Kind   string // json, jsonl, csv or parquet
	Docs   []any  // shape of the document, or of the first lines or row
	Broken error  // why no more of the document could be read
}

// Fits says whether a file may be one of the mapping's. A mapping that does not
// say what its files are known by fits none.
func (m *Mapping) Fits(s *Sample) bool {
	if m.KnownBy == nil || m.Format != "" && m.Format != s.Kind {
		return false
	}
	for _, doc := range s.Docs {
		if ok, err := m.KnownBy.holds(&scope{record: doc, root: doc}); err == nil && ok {
			return true
		}
	}
	return false
}

// OfTool says what a file is if it is one that the tool writes beside its
// results, and "" if it is not.
func (m *Mapping) OfTool(s *Sample) string {
	for _, doc := range s.Docs {
		for i := range m.Beside {
			if ok, err := m.Beside[i].When.holds(&scope{record: doc, root: doc}); err == nil && ok {
				return m.Beside[i].Reason
			}
		}
	}
	return ""
}

const sampleLines = 5

// Shapes gives the shapes of a file's documents: of the one document of JSON, of
// the first lines of JSONL; an object with true for each column of CSV and true for each column of CSV and Parquet.
func Shapes(kind, path string) ([]any, error) {
	if kind == "parquet" {
		return parquetShape(path)
	}
	in, err := input.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	switch kind {
	case "csv":
		return csvShape(in)
	case "jsonl":
		var out []any
		b := bufio.NewReaderSize(in, 1<<20)
		for n := 0; n < 4*sampleLines && len(out) < sampleLines; n++ {
			line, err := b.ReadSlice('\n')
			if text := bytes.TrimSpace(line); len(text) > 0 {
				if doc, e := jsonstream.Sketch(bytes.NewReader(text)); e == nil || err == bufio.ErrBufferFull {
					out = append(out, doc)
				}
			}
			if err != nil {
				break
			}
		}
		return out, nil
	}
	doc, err := jsonstream.Sketch(in)
	if doc == nil {
		return nil, err
	}
	return []any{doc}, err
}

func csvShape(in io.Reader) ([]any, error) {
	b := bufio.NewReader(&recordBound{in: in})
	if head, _ := b.Peek(3); bytes.Equal(head, []byte("\xEF\xBB\xBF")) {
		b.Discard(3)
	}
	head, err := csv.NewReader(b).Read()
	if err != nil {
		return nil, err
	}
	doc := map[string]any{}
	for _, h := range head {
		doc[strings.TrimSpace(h)] = true // the column is there, whatever stands in it
	}
	return []any{doc}, nil
}

func parquetShape(path string) ([]any, error) {
	f, err := file.OpenParquetFile(path, false)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	doc := map[string]any{}
	for i := range f.MetaData().Schema.NumColumns() {
		put(doc, f.MetaData().Schema.Column(i).ColumnPath(), true)
	}
	return []any{doc}, nil
}
