package build

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"aircheck/internal/kit/duck"
)

// exportFixture is a dataset, its reader, and the text of some of its views.
func exportFixture(t *testing.T) (dir string, want map[string]string, s *Schema) {
	t.Helper()
	dir = sealed(t)
	s, err := LoadSchema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return dir, allViews(t, s, Options{Dir: dir}), s
}

// checkExport compares a database that knows nothing of the dataset with it.
func checkExport(t *testing.T, db *duck.DB, s *Schema, want map[string]string) {
	t.Helper()
	conn, err := db.Conn(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	stranger := &Reader{Conn: conn}
	for view, text := range want {
		if got := viewText(t, stranger, view, s.File(view).Key); got != text {
			t.Errorf("%s:\n got %s\nwant %s", view, got, text)
		}
	}
	for q, want := range map[string]string{
		"SELECT count(*) > 0 FROM definitions_all()":                        "true",
		"SELECT count(*) > 0 FROM results, definitions(results.request_id)": "true",
		"SELECT comment FROM duckdb_columns() WHERE table_name = 'latency' AND column_name = 'p50' UNION ALL SELECT comment FROM duckdb_columns() WHERE table_name = 'latency' AND column_name = 'provider'": "median\ncell: who serves the model",
	} {
		got, err := duck.Query(t.Context(), conn, "query", q)
		if err != nil {
			t.Errorf("%s: %v", q, err)
		} else if text1(got) != want {
			t.Errorf("%s: got %q, want %q", q, text1(got), want)
		}
	}
}

func TestExportedDirectoryLoadsInAFreshDatabase(t *testing.T) {
	dir, want, s := exportFixture(t)
	out := filepath.Join(t.TempDir(), "o'ut")
	e, err := Export(t.Context(), Options{Dir: dir}, out)
	if err != nil {
		t.Fatal(err)
	}
	if len(e.Views) != len(want) {
		t.Errorf("wrote %d views, want %d", len(e.Views), len(want))
	}
	sql, err := os.ReadFile(filepath.Join(out, "views.sql")) // from whatever folder
	if err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(t.Context(), duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if err := duck.Exec(t.Context(), db, "views.sql", string(sql)); err != nil {
		t.Fatal(err)
	}
	checkExport(t, db, s, want)
	// The CSV files hold the same rows.
	for view := range want {
		got, err := duck.Query(t.Context(), db, view, "SELECT (SELECT count(*) FROM read_csv("+duck.Literal(filepath.Join(out, view+".csv"))+", header = true, all_varchar = true)) = (SELECT count(*) FROM "+view+")")
		if err != nil || text1(got) != "true" {
			t.Errorf("%s.csv: %v %v", view, got, err)
		}
	}
}

func TestExportedDatabaseStandsAlone(t *testing.T) {
	dir, want, s := exportFixture(t)
	out := filepath.Join(t.TempDir(), "all.duckdb")
	for range 2 { // the second replaces the first
		if _, err := Export(t.Context(), Options{Dir: dir}, out); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(t.Context(), duck.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1) // USE is per connection
	if err := duck.Exec(t.Context(), db, out, "ATTACH "+duck.Literal(out)+" AS a (READ_ONLY); USE a"); err != nil {
		t.Fatal(err)
	}
	checkExport(t, db, s, want)
}

func TestExportOfNamedViewsReplacesAnEarlierOne(t *testing.T) {
	dir := sealed(t)
	out := filepath.Join(t.TempDir(), "out")
	if _, err := Export(t.Context(), Options{Dir: dir}, out, "results", "latency"); err != nil {
		t.Fatal(err)
	}
	if _, err := Export(t.Context(), Options{Dir: dir}, out, "errors", "definitions"); err != nil {
		t.Fatal(err)
	}
	var names []string
	entries, err := os.ReadDir(out)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"definitions.csv", "definitions.parquet", "errors.csv", "errors.parquet", "views.sql"}; !slices.Equal(names, want) {
		t.Errorf("got %v, want %v", names, want)
	}
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(out), "*.tmp")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestExportRefuses(t *testing.T) {
	dir := sealed(t)
	other := t.TempDir()
	keep := filepath.Join(other, "keep.txt")
	if err := os.WriteFile(keep, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, to := range []string{other, keep, dir} {
		if _, err := Export(t.Context(), Options{Dir: dir}, to); !errors.Is(err, ErrOccupied) {
			t.Errorf("%s: got %v, want it refused", to, err)
		}
	}
	var unknown *UnknownViewError
	if _, err := Export(t.Context(), Options{Dir: dir}, filepath.Join(other, "x"), "latencies"); !errors.As(err, &unknown) {
		t.Errorf("got %v, want an unknown view", err)
	}
	if entries, _ := os.ReadDir(other); len(entries) != 1 {
		t.Errorf("refused exports left something: %v", entries)
	}
}
