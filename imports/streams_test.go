package imports

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"text/tabwriter"

	"aircheck/capture"
	"aircheck/internal/corpus"
	"aircheck/schema"
)

// manifestRow is what the collection says of a file.
type manifestRow struct{ file, dialect, host string }

func streamFiles(t testing.TB) (dir string, rows []manifestRow) {
	t.Helper()
	dir = corpus.Dir(t)
	f, err := os.Open(filepath.Join(dir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.FieldsPerRecord = '\t', -1
	all, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range all {
		if strings.HasPrefix(row[0], "streams/") {
			rows = append(rows, manifestRow{row[0], row[6], row[7]})
		}
	}
	return dir, rows
}

// formatOf is the format that a user would name for a file of the collection.
func formatOf(file string) string {
	switch {
	case strings.Contains(file, "req_llm"):
		return "reads"
	case strings.HasSuffix(file, ".har"), strings.HasSuffix(file, ".har.yaml"):
		return "har"
	case strings.HasSuffix(file, ".yaml"), strings.HasSuffix(file, ".yml"), strings.HasSuffix(file, ".yaml.gz"),
		strings.HasSuffix(file, ".httprr"), strings.HasSuffix(file, ".http"), strings.Contains(file, "ogx-ai"):
		return "vcr"
	}
	return "sse"
}

// dialectAPI is what the collection's name of a dialect is here.
var dialectAPI = map[string]string{
	"openai-chat": "openai-chat", "openai-completions": "openai-completions", "openai-responses": "openai-responses",
	"anthropic-messages": "anthropic-messages", "gemini": "gemini", "ollama-ndjson": "ollama", "cohere": "cohere",
	"bedrock-converse": "bedrock-converse",
}

// exceptAPI are files in which a call speaks another dialect than the file's.
var exceptAPI = map[string]string{
	// An error body of Google's, which looks alike for all its APIs.
	"mock-responses~vertexai~streaming-failure-unknown-model.txt": "-",
}

func TestEveryStreamOfTheCollection(t *testing.T) {
	dir, rows := streamFiles(t)
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 1, 1, ' ', 0)
	fmt.Fprintln(w, "file\tformat\tcalls\tapis\tframes\tbytes\tleft out")
	for _, row := range rows {
		format := formatOf(row.file)
		apis := map[string]bool{}
		left := map[string]int{}
		var calls, frames, size int
		err := Exchanges(context.Background(), format, filepath.Join(dir, row.file), func(x *Exchange) error {
			if why := NoCall(x); why != "" {
				left[why]++
				return nil
			}
			q, chunks := x.Rows("")
			calls++
			frames += len(chunks)
			size += len(x.Body)
			api := "-"
			if q.API != nil {
				api = *q.API
			}
			apis[api] = true
			if want := dialectAPI[row.dialect]; want != "" && api != want && api != exceptAPI[filepath.Base(row.file)] {
				t.Errorf("%s: api %s, the collection says %s", row.file, api, row.dialect)
			}
			if got := join(chunks); !bytes.Equal(got, x.Body) {
				t.Errorf("%s: frames do not add up to the body: %d bytes of %d", row.file, len(got), len(x.Body))
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: refused: %v", row.file, err)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d\t%d\t%s\n", filepath.Base(row.file)[max(0, len(filepath.Base(row.file))-50):], format, calls, words(apis), frames, size, counts(left))
		if calls == 0 {
			t.Errorf("%s: no call of a model in it: left out %s", row.file, counts(left))
		}
	}
	w.Flush()
	t.Logf("%d files\n%s", len(rows), table.String())
}

// The same files through the command's own path: rows and frames that verify
// finds whole, no file refused, no credential in a header.
func TestImportOfTheCollection(t *testing.T) {
	dir, rows := streamFiles(t)
	files := map[string][]string{}
	for _, row := range rows {
		f := formatOf(row.file)
		files[f] = append(files[f], filepath.Join(dir, row.file))
	}
	to := filepath.Join(t.TempDir(), "traces")
	seen := 0
	for format, list := range files {
		// Copies of one file stand in several places of the collection.
		res := importFiles(t, Options{Format: format, Files: list, To: to, Set: Declared{Provider: "p", Model: "m"}})
		for _, f := range res.Faults() {
			t.Errorf("%s: %s", format, f)
		}
		seen += len(res.Files) + len(res.Known)
		t.Logf("%s: %d calls, %d frames of %d files, %d the same as another; left out %v", format, res.Rows, res.Chunks, len(res.Files), len(res.Known), res.Skipped())
	}
	if seen != len(rows) {
		t.Errorf("%d files imported of %d", seen, len(rows))
	}
	got, _ := load(t, to)
	for _, q := range got {
		if q.ResponseHeaders != nil {
			var h map[string][]string
			if err := json.Unmarshal([]byte(*q.ResponseHeaders), &h); err != nil {
				t.Errorf("request %d: headers: %v", q.RequestID, err)
			}
			for name := range h {
				if capture.CredentialHeader(name) {
					t.Errorf("request %d keeps %s", q.RequestID, name)
				}
			}
		}
		if q.Origin == "imported:sse" && q.StartedAtNs != nil {
			t.Errorf("a body has no time")
		}
	}
}

func join(chunks []schema.Chunk) []byte {
	var b []byte
	for _, c := range chunks {
		b = append(b, c.Raw...)
	}
	return b
}

func words(m map[string]bool) string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return strings.Join(out, ",")
}

func counts(m map[string]int) string {
	var out []string
	for k, n := range m {
		out = append(out, fmt.Sprintf("%d %s", n, strings.TrimPrefix(k, "no call of a model: ")))
	}
	sort.Strings(out)
	return strings.Join(out, ", ")
}
