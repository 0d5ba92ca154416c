package e2e

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A case is the smallest input that shows one kind of fault, with the value that
// is right: testdata/cases/cases.tsv has a line for each. files are the inputs,
// import and build the arguments of the commands, sql a SELECT that gives one
// row; right is what that row and the words of the import have to agree with, or
// a list of which one has to hold; why says why.
type wireCase struct {
	name, args, build, sql string
	files                  []string
	right                  []map[string]any
}

func casesOf(t *testing.T, dir string) []wireCase {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(dir, "cases.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	var out []wireCase
	for i, line := range strings.Split(strings.TrimRight(string(data), "\n"), "\n") {
		f := strings.Split(line, "\t")
		if len(f) != 7 {
			t.Fatalf("cases.tsv:%d: %d columns", i+1, len(f))
		}
		if i == 0 {
			continue
		}
		c := wireCase{name: f[0], files: strings.Fields(f[1]), args: f[2], build: f[3], sql: f[4]}
		var one map[string]any
		if json.Unmarshal([]byte(f[5]), &one) == nil {
			c.right = []map[string]any{one}
		} else if err := json.Unmarshal([]byte(f[5]), &c.right); err != nil {
			t.Fatalf("cases.tsv:%d: %v", i+1, err)
		}
		out = append(out, c)
	}
	if len(out) < 50 {
		t.Fatalf("%d cases", len(out))
	}
	return out
}

func TestCases(t *testing.T) {
	dir := filepath.Join("testdata", "cases")
	for _, c := range casesOf(t, dir) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g := c.run(t, dir)
			for _, want := range c.right {
				if g.agrees(want) {
					return
				}
			}
			t.Errorf("got %v (%d requests, import status %d: %s)\nwant one of %v", g.row, g.imported, g.status, g.said, c.right)
		})
	}
}

// came is what the commands make of a case.
type came struct {
	status, imported int
	stderr, said     string
	row              map[string]any
}

// run imports the files of dir, builds and asks.
func (c *wireCase) run(t *testing.T, dir string) came {
	t.Helper()
	abs, err := filepath.Abs(dir)
	if err != nil {
		t.Fatal(err)
	}
	traces := filepath.Join(t.TempDir(), "traces")
	args := []string{"import"}
	for _, word := range strings.Fields(c.args) {
		if word == "{files}" {
			args = append(args, c.files...)
		} else {
			args = append(args, word)
		}
	}
	imported := run(t, abs, nil, "record", append(args, "--to", traces)...)
	hide := func(s string) string { // the words of a name are none of the product's
		for _, name := range append([]string{traces}, c.files...) {
			s = strings.ReplaceAll(s, name, "FILE")
		}
		return s
	}
	g := came{status: imported.status, stderr: hide(imported.stderr), said: hide(imported.stdout + imported.stderr)}
	if _, err := os.Stat(filepath.Join(traces, "runs")); err != nil {
		return g
	}
	must(t, abs, nil, "analyze", append([]string{"build", traces, "-q"}, strings.Fields(c.build)...)...)
	ask := func(query string) []map[string]any {
		var rows []map[string]any
		if err := json.Unmarshal([]byte(must(t, abs, nil, "analyze", "sql", "--format", "json", traces, query)), &rows); err != nil {
			t.Fatal(err)
		}
		return rows
	}
	n, _ := ask("SELECT count(*) AS n FROM requests")[0]["n"].(float64)
	g.imported = int(n)
	if c.sql != "" {
		rows := ask(c.sql)
		if len(rows) != 1 {
			t.Fatalf("%d rows", len(rows))
		}
		g.row = rows[0]
	}
	return g
}

// agrees asks whether everything that is said to be right is so.
func (g *came) agrees(want map[string]any) bool {
	refused := want["import_status"] != nil
	if refused != (g.status != 0) && refused || refused && g.imported > 0 {
		return false
	}
	for key, w := range want {
		ok := true
		switch key {
		case "import_status":
			ok = slices.ContainsFunc(list(w), func(s any) bool { return s == float64(g.status) })
		case "imported":
			ok = w == float64(g.imported)
		case "stderr_contains":
			ok = slices.ContainsFunc(list(w), func(s any) bool {
				return strings.Contains(strings.ToLower(g.stderr), strings.ToLower(s.(string)))
			})
		case "says", "says_not":
			// Go has no look-ahead: (?=.*a)(?=.*b) asks for each of them.
			ok = says(w.(string), g.said) == (key == "says")
		default:
			got, has := g.row[key]
			ok = has && sameValue(got, w)
		}
		if !ok {
			return false
		}
	}
	return true
}

func list(v any) []any {
	if l, ok := v.([]any); ok {
		return l
	}
	return []any{v}
}

var lookAhead = regexp.MustCompile(`\(\?=\.\*([^)]*)\)`)

func says(pattern, text string) bool {
	parts := lookAhead.FindAllStringSubmatch(pattern, -1)
	if parts == nil {
		return regexp.MustCompile(pattern).MatchString(text)
	}
	for _, p := range parts {
		if !regexp.MustCompile("(?i)" + p[1]).MatchString(text) {
			return false
		}
	}
	return true
}

func sameValue(got, want any) bool {
	x, isX := got.(float64)
	y, isY := want.(float64)
	if isX && isY {
		return math.Abs(x-y) <= 1e-6*max(math.Abs(x), math.Abs(y))
	}
	return reflect.DeepEqual(got, want)
}
