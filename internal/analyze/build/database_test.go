package build

import (
	"os"
	"strings"
	"testing"

	"aircheck/internal/kit/duck"
)

// The database beside a dataset gives what the dataset does, from any folder; it
// fails rather than tell of the past; and it is written again only when it must be.
func TestDatabaseBesideTheDataset(t *testing.T) {
	dir := sealed(t)
	o := Options{Dir: dir}
	open := func() *duck.DB {
		t.Helper()
		path, err := Database(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		db, err := duck.Open(t.Context(), duck.Options{Threads: 1})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { db.Close() })
		if err := duck.Exec(t.Context(), db, path, "ATTACH "+duck.Literal(path)+" AS d (READ_ONLY); USE d"); err != nil {
			t.Fatal(err)
		}
		return db
	}
	fails := func(db *duck.DB, view, why string) {
		t.Helper()
		if _, err := duck.Query(t.Context(), db, view, "SELECT count(*) FROM "+view); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %q", view, err, why)
		}
	}
	if _, err := Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir())
	db := open()
	fails(db, "robust", "its rows are not stored yet: analyze build")
	fails(db, "events", "--events")
	if _, err := duck.Query(t.Context(), db, "latency", "FROM availability_hours"); err != nil {
		t.Errorf("what SQL can compute is not: %v", err)
	}

	if _, err := Build(t.Context(), o, All, Events); err != nil {
		t.Fatal(err)
	}
	s, err := LoadSchema(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	db = open()
	checkExport(t, db, s, allViews(t, s, o))
	before, _ := os.Stat(DatabasePath(o))
	open()
	if after, _ := os.Stat(DatabasePath(o)); !os.SameFile(before, after) {
		t.Error("it was written again, though nothing changed")
	}

	f := newFixture(t, dir, "later")
	f.stated("p", "m", 100, nil)
	f.seal()
	fails(db, "latency", "the dataset has other runs than when this database was written")
	fails(db, "requests", "the dataset has other runs")
	if _, err := Build(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	if _, err := duck.Query(t.Context(), open(), "results", "FROM results"); err != nil {
		t.Errorf("after a build: %v", err)
	}
}
