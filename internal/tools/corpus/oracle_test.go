package corpus_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/record/imports"
)

// TestOracle: DuckDB's JSON functions read the same out of the recordings as the
// decoders do, frame by frame, for the three dialects of which there is most.
// The oracle is short because it knows only what these recordings hold.
func TestOracle(t *testing.T) {
	ds := open(t)
	define(t, ds, "payloads", "decoders")
	for _, api := range []string{"openai-chat", "anthropic-messages", "gemini"} {
		define(t, ds, api)
		for what, query := range differences {
			ds.rows(t, query, func(c call, v []any) {
				t.Errorf("%s: %s, call %d: %s", what, c.file.name, c.n, v)
			})
		}
		n, err := duck.Query(t.Context(), ds, api, `SELECT count(*), count(DISTINCT request_id), count(DISTINCT request_id) FILTER (request_id IN (FROM tagged)),
			sum(text_chars)::BIGINT, (SELECT count(*) FROM oracle_calls) FROM oracle`)
		if err != nil {
			t.Fatal(err)
		}
		r := n.Rows[0]
		t.Logf("%s: %v frames of %v calls, %v of them with thinking between tags; %v characters of text, %v calls of tools", api, r[0], r[1], r[2], r[3], r[4])
	}
}

// define defines the views of files of testdata/oracle.
func define(t *testing.T, e duck.Execer, names ...string) {
	t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join("testdata", "oracle", name+".sql"))
		if err != nil {
			t.Fatal(err)
		}
		if err := duck.Exec(t.Context(), e, name+".sql", string(text)); err != nil {
			t.Fatal(err)
		}
	}
}

var differences = map[string]string{
	"frames": `
		SELECT q.run_id, q.order_index, o.seq, o AS oracle, d AS decoders
		FROM oracle o
		JOIN requests q ON q.request_id = o.request_id
		LEFT JOIN decoded d ON d.request_id = o.request_id AND d.seq = o.seq
		WHERE o.request_id NOT IN (FROM tagged) AND o IS DISTINCT FROM d`,
	"sums": `
		SELECT q.run_id, q.order_index, sum(o.text_chars + o.reasoning_chars), sum(d.text_chars + d.reasoning_chars)
		FROM oracle o
		JOIN requests q ON q.request_id = o.request_id
		LEFT JOIN decoded d ON d.request_id = o.request_id AND d.seq = o.seq
		GROUP BY ALL HAVING sum(o.text_chars + o.reasoning_chars) IS DISTINCT FROM sum(d.text_chars + d.reasoning_chars)`,
	"calls of tools": `
		WITH o AS (SELECT * FROM oracle_calls),
		d AS (SELECT * FROM decoded_calls WHERE request_id IN (SELECT request_id FROM oracle))
		SELECT q.run_id, q.order_index, o, d
		FROM o FULL JOIN d ON d.request_id = o.request_id AND d.choice = o.choice AND d.call = o.call AND d.id IS NOT DISTINCT FROM o.id
		JOIN requests q ON q.request_id = coalesce(o.request_id, d.request_id)
		WHERE o.name IS DISTINCT FROM d.name
			OR o.request_id IS NULL OR o.arguments IS NULL AND NOT json_valid(d.arguments)
			OR o.arguments IS NOT NULL AND coalesce(try(json(o.arguments)::VARCHAR), o.arguments) IS DISTINCT FROM coalesce(try(json(d.arguments)::VARCHAR), d.arguments)`,
}

// TestOracleOnBrokenFrames: bytes on which SQL gives up and a decoder must not.
func TestOracleOnBrokenFrames(t *testing.T) {
	body := filepath.Join(t.TempDir(), "body.sse")
	delta := func(text string) string {
		return `data: {"choices":[{"index":0,"delta":{"content":"` + text + `"}}]}` + "\n\n"
	}
	err := os.WriteFile(body, []byte(delta("a")+delta("\xe2\x82")+delta(`\ud83d`)+`data: {"choices":[{"index":0,"del`+"\n\n"+delta("b")), 0o644)
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "traces")
	_, err = imports.Import(t.Context(), imports.Options{Format: "sse", Files: []string{body}, To: dir, Set: imports.Declared{Provider: "p", Model: "m", API: "openai-chat"}})
	if err != nil {
		t.Fatal(err)
	}
	r, err := build.Open(t.Context(), build.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	define(t, r, "payloads", "openai-chat", "decoders")
	got, err := duck.Query(t.Context(), r, "query", `
		SELECT p.seq, p.j IS NOT NULL AS json, o.text_chars AS oracle, d.text_chars AS decoder
		FROM payloads p JOIN oracle o USING (request_id, seq) JOIN decoded d USING (request_id, seq) ORDER BY p.seq`)
	if err != nil {
		t.Fatal(err)
	}
	var rows []string
	for _, r := range got.Rows {
		rows = append(rows, fmt.Sprint(r...))
	}
	// DuckDB's replacement of a broken character takes as many bytes as its first
	// one promises, here with the closing quote; half a pair makes the whole
	// document none. To the decoder both are characters, and it waits a frame for
	// the other half.
	want := []string{"0 true 1 1", "1 false 0 2", "2 false 0 0", "3 false 0 0", "4 true 1 2"}
	if !slices.Equal(rows, want) {
		t.Errorf("frames: %q, want %q", rows, want)
	}
	paths, err := duck.Query(t.Context(), r, "query", "SELECT seq, path FROM events WHERE kind = 'undecoded'")
	if err != nil || fmt.Sprint(paths.Rows) != "[[3 $ (truncated json)]]" {
		t.Errorf("undecoded: %v, %v", paths.Rows, err)
	}
}
