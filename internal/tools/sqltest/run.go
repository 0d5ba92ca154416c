package sqltest

import (
	"context"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
)

// Tolerance is how far a number may lie from the expected one, relative to it
// (absolute below 1): expectations are written with six figures.
const Tolerance = 1e-5

// Run runs every *.test file below dir.
func Run(t *testing.T, dir string) {
	t.Helper()
	schema := loadSchema(t)
	found := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".test" {
			return err
		}
		found++
		name, _ := filepath.Rel(dir, path)
		t.Run(strings.TrimSuffix(filepath.ToSlash(name), ".test"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			cases, err := Parse(string(text))
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			for _, c := range cases {
				c.run(t, path, schema)
			}
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if found == 0 {
		t.Fatalf("no *.test file below %s", dir)
	}
}

func loadSchema(t *testing.T) *build.Schema {
	t.Helper()
	s, err := build.LoadSchema(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (c *Case) run(t *testing.T, path string, schema *build.Schema) {
	t.Helper()
	ctx := t.Context()
	place := fmt.Sprintf("%s:%d: %s", path, c.Line, c.Name)
	db, err := duck.Open(ctx, duck.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	given := map[string]bool{}
	for _, in := range c.Tables {
		if err := in.load(ctx, conn, schema); err != nil {
			t.Errorf("%s: table %s: %v", place, in.Name, err)
			return
		}
		given[in.Name] = true
	}
	if err := schema.Load(ctx, conn, c.Query, given); err != nil {
		t.Errorf("%s: %v", place, err)
		return
	}
	got, err := duck.Query(ctx, conn, "query", c.Query)
	switch {
	case c.Error != "" && err == nil:
		t.Errorf("%s: succeeded, want an error with %q", place, c.Error)
	case c.Error != "" && !strings.Contains(err.Error(), c.Error):
		t.Errorf("%s: %v\nwant an error with %q", place, err, c.Error)
	case c.Error == "" && err != nil:
		t.Errorf("%s: %v", place, err)
	case c.Error == "":
		if diff := compare(got, c.Expect); diff != "" {
			t.Errorf("%s\n%s", place, diff)
		}
	}
}

func (in *Table) load(ctx context.Context, conn duck.Execer, schema *build.Schema) error {
	create, err := schema.Create(in.Name)
	if err != nil {
		return err
	}
	if err := duck.Exec(ctx, conn, in.Name, create); err != nil {
		return err
	}
	var columns, names []string
	for _, f := range in.Rows[0] {
		names = append(names, strings.TrimSpace(f.Text))
		columns = append(columns, duck.Ident(names[len(names)-1]))
	}
	for _, row := range in.Rows[1:] {
		var values []string
		for _, f := range row {
			if f.Null {
				values = append(values, "NULL")
			} else {
				values = append(values, duck.Literal(f.Text))
			}
		}
		insert := fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", in.Name, strings.Join(columns, ", "), strings.Join(values, ", "))
		if err := duck.Exec(ctx, conn, in.Name, insert); err != nil {
			return err
		}
	}
	return Number(ctx, conn, schema, in.Name, names...)
}

// compare gives "" where the result is what was expected, else both.
func compare(got *duck.Table, want [][]string) string {
	have := [][]string{got.Columns}
	for _, r := range got.Rows {
		row := make([]string, len(r))
		for i, v := range r {
			row[i] = duck.Text(v, got.Types[i])
			if s, ok := v.(string); ok && s == "" {
				row[i] = `""`
			}
		}
		have = append(have, row)
	}
	same := len(have) == len(want)
	for i := 0; same && i < len(want); i++ {
		same = len(have[i]) == len(want[i])
		for j := 0; same && j < len(want[i]); j++ {
			same = equal(have[i][j], want[i][j])
		}
	}
	if same {
		return ""
	}
	return "got:\n" + lines(have) + "want:\n" + lines(want)
}

func equal(got, want string) bool {
	if got == want {
		return true
	}
	g, err1 := strconv.ParseFloat(got, 64)
	w, err2 := strconv.ParseFloat(want, 64)
	return err1 == nil && err2 == nil && math.Abs(g-w) <= Tolerance*math.Max(1, math.Abs(w))
}

func lines(rows [][]string) string {
	var b strings.Builder
	for _, r := range rows {
		b.WriteString("  " + strings.Join(r, ",") + "\n")
	}
	return b.String()
}
