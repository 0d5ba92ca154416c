package duck

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func open(t *testing.T) *DB {
	t.Helper()
	db, err := Open(t.Context(), Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func TestValuesAsTextAndJSON(t *testing.T) {
	db := open(t)
	for q, want := range map[string][2]string{
		"NULL":                                 {"", "null"},
		"1.5::DOUBLE":                          {"1.5", "1.5"},
		"1e300":                                {"1e+300", "1e+300"},
		"'nan'::DOUBLE":                        {"NaN", "null"},
		"true":                                 {"true", "true"},
		"DATE '2026-03-01'":                    {"2026-03-01", `"2026-03-01"`},
		"TIMESTAMP '2026-03-01 10:00:00.25'":   {"2026-03-01 10:00:00.25", `"2026-03-01 10:00:00.25"`},
		"TIMESTAMPTZ '2026-03-01 10:00:00+02'": {"2026-03-01 08:00:00", `"2026-03-01 08:00:00"`},
		"TIME '10:00:01'":                      {"10:00:01", `"10:00:01"`},
		"12.30::DECIMAL(9,2)":                  {"12.3", "12.3"},
		"9223372036854775808::HUGEINT":         {"9223372036854775808", "9223372036854775808"},
		"[1, NULL, 3]":                         {"[1,null,3]", "[1,null,3]"},
		"{a: 1, b: {c: 'x'}}":                  {`{"a":1,"b":{"c":"x"}}`, `{"a":1,"b":{"c":"x"}}`},
		"MAP {'k': 1}":                         {`{"k":1}`, `{"k":1}`},
		"'a\"b'":                               {`a"b`, `"a\"b"`},
		"'text'::BLOB":                         {"text", `"text"`},
		`'\xFF\x00'::BLOB`:                     {`\xFF\x00`, `"\\xFF\\x00"`},
		"INTERVAL 90 MINUTE":                   {"0 months 0 days 1h30m0s", `"0 months 0 days 1h30m0s"`},
		"'7c3cbb80-1f5b-4b52-9d2c-7e0f1c2a3b4d'::UUID": {"7c3cbb80-1f5b-4b52-9d2c-7e0f1c2a3b4d", `"7c3cbb80-1f5b-4b52-9d2c-7e0f1c2a3b4d"`},
	} {
		table, err := Query(t.Context(), db, "test", "SELECT "+q)
		if err != nil {
			t.Fatal(err)
		}
		v, typ := table.Rows[0][0], table.Types[0]
		if got := Text(v, typ); got != want[0] {
			t.Errorf("%s: text %q, want %q", q, got, want[0])
		}
		b, err := json.Marshal(JSON(v, typ))
		if err != nil || string(b) != want[1] {
			t.Errorf("%s: JSON %s %v, want %s", q, b, err, want[1])
		}
	}
}

// A path names one file, whatever is in its name.
func TestPathIsNoPattern(t *testing.T) {
	db := open(t)
	dir := t.TempDir()
	for name, neighbour := range map[string]string{"a[1]": "a1", "b*": "bc", "c?": "cd", "d'e": "de"} {
		for _, n := range []string{name, neighbour} {
			if err := os.WriteFile(filepath.Join(dir, n+".csv"), []byte("x\n"+n+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		table, err := Query(t.Context(), db, "test", "SELECT string_agg(x) FROM read_csv("+Path(filepath.Join(dir, name+".csv"))+", header = true)")
		if err != nil || table.Rows[0][0] != name {
			t.Errorf("%s: read %v %v", name, table, err)
		}
	}
}

func TestErrorsNameTheirSource(t *testing.T) {
	db := open(t)
	err := Exec(t.Context(), db, "metrics/x.sql", "CREATE VIEW v AS\nSELECT nothing FROM nowhere")
	for _, want := range []string{"metrics/x.sql: catalog Error:", "nowhere", "LINE 2", "^"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %q lacks %q", err, want)
		}
	}
}

func TestNothingIsFetched(t *testing.T) {
	db := open(t)
	for _, q := range []string{"SELECT * FROM 'https://127.0.0.1:1/x.parquet'", "LOAD spatial"} {
		if _, err := Query(t.Context(), db, "q", q); err == nil {
			t.Errorf("%s: succeeded", q)
		}
	}
}
