package build

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/kit/duck"
	"aircheck/queries"
	"aircheck/schema"
)

// sealed is a dataset of one request in a directory with an awkward name.
func sealed(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "tra[c]es")
	f := newFixture(t, dir, "r1")
	f.request(nil, plain()...)
	f.seal()
	return dir
}

func open(t *testing.T, dir string) *Reader {
	t.Helper()
	r, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

func TestSelectRefusesAllButOneSelect(t *testing.T) {
	dir := sealed(t)
	r := open(t, dir)
	out := filepath.Join(t.TempDir(), "out.txt")
	raw := filepath.Join(dir, "chunks", "run=r1", "part-0.parquet")
	for _, q := range []string{
		"", ";", "SELECT 1; SELECT 2", "SELECT 1; DROP VIEW results",
		"COPY results TO '" + out + "'", "COPY (SELECT 1) TO '" + raw + "'",
		"EXPORT DATABASE '" + out + "'", "ATTACH '" + out + "'", "DETACH memory", "USE memory",
		"SET memory_limit = '1GB'", "RESET memory_limit", "PRAGMA database_list", "CALL pragma_version()",
		"INSTALL httpfs", "LOAD httpfs", "CREATE TABLE x AS SELECT 1", "DROP VIEW results", "DELETE FROM results",
		"INSERT INTO results VALUES (1)", "UPDATE results SET run_id = ''", "EXPLAIN ANALYZE SELECT 1", "CHECKPOINT",
		"PREPARE p AS SELECT 1", "BEGIN", "VACUUM", "CREATE MACRO m() AS 1", "SET VARIABLE a = 1",
		"SELECT * FROM read_csv('/etc/passwd')", "SELECT * FROM read_text('/etc/passwd')", "SELECT * FROM read_blob('/etc/passwd')",
		"FROM glob('/etc/*')", "SELECT * FROM parquet_scan('" + raw + "')", "SELECT * FROM read_parquet('" + raw + "')",
		"SELECT * FROM parquet_metadata('" + raw + "')", "SELECT * FROM sniff_csv('/etc/passwd')", "SELECT * FROM read_json('/etc/passwd')",
		"SELECT (SELECT count(*) FROM read_text('/etc/passwd'))", "WITH a AS (FROM read_text('/etc/passwd')) FROM a",
		"SELECT * FROM results WHERE EXISTS (FROM READ_TEXT('/etc/passwd'))", "SELECT * FROM main.read_text('/etc/passwd')",
		"SELECT * FROM query('SELECT 1')", "SELECT * FROM query_table('results')",
		"SELECT * FROM json_execute_serialized_sql('{}')", "SELECT * FROM enable_logging(storage='file')",
		"SELECT * FROM enable_profiling(save_location='" + out + "')", "FROM disable_logging()", "FROM checkpoint()",
		"SELECT * FROM duckdb_settings()", "SELECT * FROM arrow_scan(1, 2, 3)", "SELECT * FROM seq_scan('results')",
		"SELECT * FROM results UNION ALL SELECT * FROM read_text('/etc/passwd')",
	} {
		_, err := r.Select(t.Context(), q)
		var refused *RefusedError
		if !errors.As(err, &refused) {
			t.Errorf("%s: got %v, want it refused", q, err)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Errorf("a query wrote %s", out)
	}
	before := text1(mustSelect(t, r, "SELECT count(*) FROM chunks"))
	if before != "11" {
		t.Errorf("chunks: got %s rows after the attempts", before)
	}
}

func mustSelect(t *testing.T, r *Reader, q string) *duck.Table {
	t.Helper()
	table, err := r.Select(t.Context(), q)
	if err != nil {
		t.Fatalf("%s: %v", q, err)
	}
	return table
}

// What the parsed statement cannot show, the engine must stop by itself.
func TestLockedEngineReadsNothingElse(t *testing.T) {
	dir := sealed(t)
	secret := filepath.Join(t.TempDir(), "secret.csv")
	if err := os.WriteFile(secret, []byte("a\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	r := open(t, dir)
	mustSelect(t, r, "SELECT 1")
	for _, q := range []string{
		"SELECT * FROM '" + secret + "'",
		"SELECT * FROM '/etc/passwd'",
		"SELECT * FROM \"" + secret + "\"",
		"SELECT * FROM '" + filepath.Join(dir, "derived", "..", "..", filepath.Base(filepath.Dir(secret)), "secret.csv") + "'",
		"SELECT * FROM 'https://127.0.0.1:1/x.csv'",
	} {
		if _, err := r.Select(t.Context(), q); err == nil {
			t.Errorf("%s: succeeded", q)
		}
	}
	// Beneath the check, too.
	for _, q := range []string{
		"SELECT * FROM read_csv('" + secret + "')",
		"SELECT * FROM read_text('" + filepath.Join(dir, "derived") + "/../../../" + filepath.Base(filepath.Dir(secret)) + "/secret.csv')",
		"SET enable_external_access = true", "SET GLOBAL allowed_directories = ['/']", "RESET lock_configuration", "INSTALL httpfs",
		"ATTACH '" + secret + ".db'", "COPY (SELECT 1) TO '" + secret + "'",
	} {
		if _, err := r.ExecContext(t.Context(), q); err == nil {
			t.Errorf("unchecked %s: succeeded", q)
		}
	}
}

func TestSelectAnswers(t *testing.T) {
	r := open(t, sealed(t))
	for q, want := range map[string]string{
		"SELECT outcome FROM results":                                    "ok",
		"SELECT outcome FROM results;":                                   "ok",
		"FROM results SELECT outcome -- a comment":                       "ok",
		"SELECT count(*) FROM range(3)":                                  "3",
		"SELECT started_at FROM results":                                 "2026-03-01 10:00:00",
		"WITH a AS (SELECT unnest([1, 2]) AS x) SELECT sum(x) FROM a":    "3",
		"SELECT kind, count(*) FROM events GROUP BY ALL ORDER BY ALL":    "done 1\nfinish 1\nmeta 1\ntext 7\nusage 1",
		"SELECT text FROM answers":                                       "word word word word word word word ",
		"SELECT run_id, count(*) FROM events GROUP BY ALL":               "r1 11",
		"SELECT octet_length(raw) FROM chunks ORDER BY seq DESC LIMIT 1": "14",
		"SELECT value FROM definitions((SELECT max(request_id) FROM results)) WHERE tool = 'aiperf' AND metric = 'ttft_ms'": "300",
		"SELECT count(DISTINCT tool) FROM definitions_all()":                                                                "9",
		"SELECT count(DISTINCT tool) FROM definitions":                                                                      "9",
		"SELECT count(*) FROM runs JOIN requests USING (run_id)":                                                            "1",
	} {
		if got := text1(mustSelect(t, r, q)); got != want {
			t.Errorf("%s: got %q, want %q", q, got, want)
		}
	}
}

// A query finds every view that it names, however it does: each by a reader that
// has defined nothing yet.
func TestSelectDefinesWhatIsNamed(t *testing.T) {
	dir := sealed(t)
	for q, want := range map[string]string{
		"SELECT count(*) FROM results s JOIN requests q USING (request_id)":                       "1",
		"SELECT count(*) FROM Results AS s, main.requests AS q":                                   "1",
		"SELECT (SELECT count(*) FROM runs) FROM range(1)":                                        "1",
		"WITH results AS (SELECT 2 AS n) SELECT n FROM results":                                   "2",
		"WITH a AS (SELECT * FROM events) SELECT count(*) FROM a JOIN answers USING (request_id)": "11",
		"SELECT count(*) FROM (DESCRIBE results) WHERE column_name = 'outcome'":                   "1",
		"SELECT count(*) FROM (PIVOT errors ON outcome IN ('ok') USING sum(n))":                   "1",
		"SELECT count(*) > 20 FROM information_schema.tables":                                     "true",
	} {
		if got := text1(mustSelect(t, open(t, dir), q)); got != want {
			t.Errorf("%s: got %q, want %q", q, got, want)
		}
	}
}

func TestAttach(t *testing.T) {
	file := filepath.Join(t.TempDir(), "my-list[1].csv")
	if err := os.WriteFile(file, []byte("model,owner\nm,me\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	r := open(t, sealed(t))
	if err := r.Attach(t.Context(), file); err != nil {
		t.Fatal(err)
	}
	if got := text1(mustSelect(t, r, "SELECT owner FROM results JOIN my_list_1_ USING (model)")); got != "me" {
		t.Errorf("got %q", got)
	}
	if err := r.Attach(t.Context(), "results.csv"); err == nil {
		t.Error("attached a file that does not exist")
	}
}

// The name of a WITH clause is a table where the clause holds, and nowhere else.
func TestWithClausesHaveTheirScope(t *testing.T) {
	r := open(t, sealed(t))
	for _, q := range []string{
		"WITH results AS (SELECT * FROM main.results) SELECT count(*) FROM results",
		"WITH results AS (SELECT * FROM results) SELECT count(*) FROM results",
		"SELECT (WITH results AS (SELECT 1 AS x) SELECT x FROM results) * count(*) FROM results",
		"WITH a AS (FROM results), results AS (FROM a) SELECT count(*) FROM results",
		"WITH RECURSIVE n AS (SELECT 0 AS i UNION ALL SELECT i + 1 FROM n WHERE i < (SELECT count(*) FROM results)) SELECT max(i) FROM n",
	} {
		if got, want := text1(mustSelect(t, r, q)), text1(mustSelect(t, r, "SELECT count(*) FROM results")); got != want {
			t.Errorf("%s: got %s, want %s", q, got, want)
		}
	}
}

// A derived file that lost its end is made again, like one that is missing; one
// that is wrong inside is named as the fault of a file, not of the query.
func TestDamagedDerivedFiles(t *testing.T) {
	dir := sealed(t)
	if _, err := Build(t.Context(), Options{Dir: dir}); err != nil {
		t.Fatal(err)
	}
	want := text1(mustSelect(t, open(t, dir), "SELECT count(*) FROM results"))
	all := func() (files []string) {
		for _, p := range []string{"derived/tables/results-*.parquet", "derived/decoded-*/*/*/streams.parquet", "derived/measures-*/*.parquet"} {
			found, err := fs.Glob(os.DirFS(dir), p)
			if err != nil || len(found) == 0 {
				t.Fatalf("%s: %d files, %v", p, len(found), err)
			}
			for _, f := range found {
				files = append(files, filepath.Join(dir, f))
			}
		}
		return files
	}
	for i, file := range all() {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(file, []int64{0, info.Size() - 1, info.Size() / 2}[i%3]); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open(t.Context(), Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if got := text1(mustSelect(t, r, "SELECT count(*) FROM results")); got != want {
		t.Errorf("after the damage: %s results, want %s", got, want)
	}

	file := all()[0]
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range data[:len(data)-8] { // the end stays
		data[i] = 0xff
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		t.Fatal(err)
	}
	r, err = Open(t.Context(), Options{Dir: dir})
	if err == nil {
		defer r.Close()
		_, err = r.Select(t.Context(), "SELECT sum(cost_usd) FROM results")
	}
	var cache *CacheError
	if !errors.As(err, &cache) {
		t.Errorf("got %v, want a fault of the cache", err)
	}

	raw := filepath.Join(dir, "chunks", "run=r1", "part-0.parquet")
	if err := os.Truncate(raw, 100); err != nil {
		t.Fatal(err)
	}
	r, err = Open(t.Context(), Options{Dir: dir})
	if err == nil {
		defer r.Close()
		_, err = r.Select(t.Context(), "SELECT count(*) FROM chunks")
	}
	var damaged *schema.DamagedError
	if !errors.As(err, &damaged) {
		t.Errorf("got %v, want a fault of the recording", err)
	}
}

// A path in a value is not a file at fault, and an attached file is not one of
// the recording.
func TestOtherPathsAreNoFaultOfTheDataset(t *testing.T) {
	r := open(t, sealed(t))
	own := filepath.Join(t.TempDir(), "own.parquet")
	if err := duck.Exec(t.Context(), r, "own", "COPY (SELECT repeat('x', i::INT) AS x FROM range(1000) t(i)) TO "+duck.Literal(own)); err != nil {
		t.Fatal(err)
	}
	if err := r.Attach(t.Context(), own); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(own, 3); err != nil {
		t.Fatal(err)
	}
	for query, asked := range map[string]bool{"SELECT (provider || '/b.parquet')::INT FROM results": true, "SELECT max(x) FROM own": false} {
		_, err := r.Select(t.Context(), query)
		var engine *duck.Error
		var damaged *schema.DamagedError
		if !errors.As(err, &engine) || engine.Asked() != asked || errors.As(err, &damaged) {
			t.Errorf("%s: %v", query, err)
		}
	}
}

// The example that each public file shows reads its view, and runs.
func TestExamplesRun(t *testing.T) {
	dir := t.TempDir()
	f := newFixture(t, dir, "r1")
	f.request(nil, plain()...)
	f.seal()
	r := open(t, dir)
	files, err := queries.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if !file.Public() {
			continue
		}
		if !strings.Contains(file.Query, file.Name) {
			t.Errorf("queries/%s: the example does not read the view", file.Path)
		}
		if _, err := r.Select(t.Context(), file.Query); err != nil {
			t.Errorf("queries/%s: %v", file.Path, err)
		}
	}
}

// Within a limit of memory an answer is read from a table that spills: the same
// rows, under the same names.
func TestSpooledAnswers(t *testing.T) {
	dir := sealed(t)
	r, err := Open(t.Context(), Options{Dir: dir, Memory: "4GB"})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for q, want := range map[string]string{
		"SELECT 1 AS a, 2 AS a; ":                         "1 2",
		"SELECT count(*), max(i) FROM range(100000) t(i)": "100000 99999",
		"SELECT NULL": "",
		"SELECT outcome FROM results -- a comment":           "ok",
		"SELECT unnest([3, 1, 2])":                           "3\n1\n2",
		"SELECT 1 WHERE false":                               "",
		"SELECT column_name FROM (DESCRIBE results) LIMIT 1": "run_id",
	} {
		if got := text1(mustSelect(t, r, q)); got != want {
			t.Errorf("%s: got %q, want %q", q, got, want)
		}
	}
	if got := mustSelect(t, r, "SELECT 1 AS a, 2 AS a").Columns; strings.Join(got, " ") != "a a" {
		t.Errorf("columns %v", got)
	}
	many := mustSelect(t, r, "SELECT i FROM range(100000) t(i)")
	for i, row := range many.Rows {
		if row[0] != int64(i) {
			t.Fatalf("row %d is %v", i, row)
		}
	}
	if len(many.Rows) != 100000 {
		t.Errorf("%d rows", len(many.Rows))
	}
}

// No catalog tells where files are, and columns of public views are still told.
func TestCatalogsAreClosed(t *testing.T) {
	dir := sealed(t)
	r := open(t, dir)
	for _, q := range []string{
		"FROM duckdb_views", "SELECT sql FROM main.duckdb_views", "FROM information_schema.views", "FROM pg_catalog.pg_views",
		"FROM sqlite_master", "FROM sqlite_schema", "FROM duckdb_databases", "FROM pg_views", "FROM system.information_schema.views",
		"FROM duckdb_settings", "FROM pragma_database_list", "SELECT current_setting('allowed_directories')", "SELECT getenv('HOME')",
		"SELECT pg_get_viewdef(oid) FROM pg_class", "FROM duckdb_logs", "FROM pg_catalog.pg_settings",
	} {
		if table, err := r.Select(t.Context(), q); err == nil {
			t.Errorf("%s: answered %s", q, text1(table))
		}
	}
	for _, q := range []string{"DESCRIBE results", "SUMMARIZE results", "SHOW TABLES", "SHOW ALL TABLES", "SHOW DATABASES",
		"FROM information_schema.columns", "FROM information_schema.tables", "FROM duckdb_columns",
		"SELECT column_name FROM information_schema.columns WHERE table_name = 'results'"} {
		table, err := r.Select(t.Context(), q)
		if err != nil || len(table.Rows) == 0 {
			t.Errorf("%s: %v", q, err)
			continue
		}
		if text := text1(table); strings.Contains(text, filepath.Dir(dir)) {
			t.Errorf("%s tells where files are", q)
		}
	}
}
