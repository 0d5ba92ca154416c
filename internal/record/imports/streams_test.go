package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"text/tabwriter"

	"aircheck/internal/record/capture"
	"aircheck/internal/tools/corpus"
	"aircheck/schema"
)

// dialectAPI is what the collection's name of a dialect is here.
var dialectAPI = map[string]string{
	"openai-chat": "openai-chat", "openai-completions": "openai-completions", "openai-responses": "openai-responses",
	"anthropic-messages": "anthropic-messages", "gemini": "gemini", "ollama-ndjson": "ollama", "cohere": "cohere",
	"bedrock-converse": "bedrock-converse", "gemini-interactions": "gemini-interactions", "sourcegraph-cody": "cody",
}

// exceptAPI are files in which a call speaks another dialect than the file's.
var exceptAPI = map[string]string{
	// An error body of Google's, which looks alike for all its APIs.
	"mock-responses~vertexai~streaming-failure-unknown-model.txt": "-",
}

func TestEveryStreamOfTheCollection(t *testing.T) {
	dir, rows := corpus.Streams(t)
	var table bytes.Buffer
	w := tabwriter.NewWriter(&table, 0, 1, 1, ' ', 0)
	fmt.Fprintln(w, "file\tformat\tcalls\tapis\tframes\tbytes\tleft out")
	for _, row := range rows {
		format := row.Format()
		apis := map[string]bool{}
		left := map[string]int{}
		var calls, frames, size int
		err := Exchanges(context.Background(), format, row.Path(dir), func(x *Exchange) error {
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
			if want := dialectAPI[row.Dialect]; want != "" && api != want && api != exceptAPI[filepath.Base(row.File)] {
				t.Errorf("%s: api %s, the collection says %s", row.File, api, row.Dialect)
			}
			if got := join(chunks); !bytes.Equal(got, x.Body) {
				t.Errorf("%s: frames do not add up to the body: %d bytes of %d", row.File, len(got), len(x.Body))
			}
			return nil
		})
		if err != nil {
			t.Errorf("%s: refused: %v", row.File, err)
			continue
		}
		fmt.Fprintf(w, "%s\t%s\t%d\t%s\t%d\t%d\t%s\n", filepath.Base(row.File)[max(0, len(filepath.Base(row.File))-50):], format, calls, words(apis), frames, size, counts(left))
		if calls == 0 {
			t.Errorf("%s: no call of a model in it: left out %s", row.File, counts(left))
		}
	}
	w.Flush()
	t.Logf("%d files\n%s", len(rows), table.String())
}

// The same files through the command's own path: rows and frames that verify
// finds whole, no file refused, no credential in a header.
func TestImportOfTheCollection(t *testing.T) {
	dir, rows := corpus.Streams(t)
	files := map[string][]string{}
	for _, row := range rows {
		f := row.Format()
		files[f] = append(files[f], row.Path(dir))
	}
	to := filepath.Join(t.TempDir(), "traces")
	seen := 0
	for format, list := range files {
		// Copies of one file stand in several places of the collection.
		res := importFiles(t, Options{Format: format, Files: list, To: to, Set: Declared{Provider: "p", Model: "m"}})
		for _, f := range res.Faults() { // two that hold no answer, on purpose or in a dialect that is not read
			if !strings.HasSuffix(f.File, "streaming-failure-invalid-json.txt") && !strings.HasSuffix(f.File, "openai-realtime-speech-translation.chunks.txt") {
				t.Errorf("%s: %s", format, f)
			}
		}
		seen += len(res.Files) + len(res.Known)
		t.Logf("%s: %d calls, %d frames of %d files, %d the same as another; left out %v", format, res.Rows(), res.Runs[0].Chunks, len(res.Files), len(res.Known), res.Skipped())
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
