package e2e

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// hostile are names and texts as an attacker, or an accident, would choose them.
var hostile = []string{
	"plain", "Plain", "a/b", "a b", "..", "%2e%2e%2f", "é", "e\u0301", // which fold to the same file names
	"x\x00y", "bell\a and \x1b[31mred", "\u202egnp.exe", "\u2066left open", `half \ud800 a pair`, "\ufeffmark",
	"</script><img src=x onerror=alert(1)>", "__f__alert(1)__f__", "{{.Provider}}", "'; DROP TABLE results; --", "=cmd|' /C calc'!A0",
	strings.Repeat("n", 1<<20),
}

// TestHostileTexts: whatever names and texts a recording holds, it is imported,
// analysed and shown, and nothing of them acts in a page or leaves its folder.
func TestHostileTexts(t *testing.T) {
	dir := t.TempDir()
	var log strings.Builder
	for i, name := range hostile {
		quoted, err := json.Marshal(name)
		if err != nil {
			t.Fatal(err)
		}
		text := strings.ReplaceAll(string(quoted), `\\ud800`, `\ud800`)
		for k := range 3 {
			fmt.Fprintf(&log, `{"p":%[1]s,"m":%[1]s,"s":%[1]s,"text":%[1]s,"at":"2026-01-02T03:%02[2]d:%02[3]dZ","t":0.%[2]d1,"e":1.%[3]d`+"}\n", text, i, k)
		}
	}
	for name, text := range map[string]string{"log.jsonl": log.String(), "map.yaml": `name: own
fields: {provider: p, model: m, scenario: s, reported_text: text, started_at_ns: {path: at, time: rfc3339}, reported_ttft_ns: {path: t, unit: s}, end_ns: {path: e, unit: s}}
`} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	must(t, dir, nil, "record", "import", "table", "--map", "map.yaml", "log.jsonl", "--to", "traces")
	must(t, dir, nil, "record", "verify", "traces")
	n := must(t, dir, nil, "analyze", "sql", "traces", "--format", "csv", "SELECT count(DISTINCT provider), count(DISTINCT model), count(*) FILTER (ttft_ms IS NOT NULL) FROM results")
	if want := fmt.Sprintf("%d,%[1]d,%d\n", len(hostile), 3*len(hostile)); !strings.HasSuffix(n, want) {
		t.Errorf("providers, models and requests: %q, want %q", n, want)
	}
	must(t, dir, nil, "report", "traces", "--to", "site", "--data", "none")

	acts := regexp.MustCompile("[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ufeff]|<img|<script>alert|<no value>")
	var pages []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".html") {
			return err
		}
		rel, _ := filepath.Rel(dir, path)
		pages = append(pages, strings.ToLower(rel))
		page, err := os.ReadFile(path)
		if at := acts.FindIndex(page); at != nil {
			t.Errorf("%s: %q acts", rel, page[max(0, at[0]-80):min(len(page), at[1]+20)])
		}
		if !utf8.Valid(page) {
			t.Errorf("%s is not UTF-8", rel)
		}
		if !strings.HasPrefix(rel, "site"+string(filepath.Separator)) {
			t.Errorf("%s is outside of the site", rel)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(pages)
	for i := range pages {
		if i > 0 && pages[i] == pages[i-1] {
			t.Errorf("%s: two pages of one name, where case is folded", pages[i])
		}
	}
	for _, kind := range []string{"model", "provider"} {
		folder := filepath.Join("site", kind) + string(filepath.Separator)
		if n := len(slices.DeleteFunc(slices.Clone(pages), func(p string) bool { return !strings.HasPrefix(p, folder) })); n != len(hostile) {
			t.Errorf("%d pages of a %s, want %d", n, kind, len(hostile))
		}
	}
}
