package mapping

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/record/imports/ledger"
	"aircheck/schema"
)

func parse(t testing.TB, text string) *Mapping {
	t.Helper()
	m, err := Parse([]byte(text), "map.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func write(t testing.TB, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// show prints rows as "column=value …" for the named columns.
func show(rows []*schema.Request, columns ...string) string {
	var b strings.Builder
	for _, q := range rows {
		for i, c := range columns {
			if i > 0 {
				b.WriteByte(' ')
			}
			fmt.Fprintf(&b, "%s", Get(q, c))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestScaledIsExact(t *testing.T) {
	for _, c := range []struct {
		text   string
		factor int64
		want   int64
	}{
		{"1762551534797067827", 1, 1762551534797067827},
		{"1758664746.126977", 1e9, 1758664746126977000},
		{"0.3148573649999662", 1e9, 314857365},
		{"-0.0000000015", 1e9, -2}, {"2.5", 1, 3}, {"1e3", 1e6, 1e9}, {"1e-400", 1e9, 0}, {"0", 1e9, 0},
	} {
		if got, err := scaled(c.text, c.factor); err != nil || got != c.want {
			t.Errorf("scaled(%s, %d) = %d, %v; want %d", c.text, c.factor, got, err, c.want)
		}
	}
	for _, text := range []string{"1e400", "1e999999999", "9.3e18", "x", ""} {
		if got, err := scaled(text, 1); err == nil {
			t.Errorf("scaled(%q) = %d, want an error", text, got)
		}
	}
}

func TestExpressions(t *testing.T) {
	record, err := jsonstream.Decode([]byte(`{
		"ttft": 0.25, "ms": "12.5", "end": 1758664748.4582677, "start": 1758664746.126977, "nan": "nan",
		"id": "azure.eastus2/gpt", "code": -1, "empty": "", "none": null, "zero": 0,
		"when": "2026-01-02T03:04:05+02:00", "naive": "20241109-150547", "gaps": [0.001, 0.002], "holes": [0.001, null],
		"json": "{\"usage\": {\"output\": 7}}", "cost_cents": 0.5, "list": [{"v": 1}, {"v": 2}]}`))
	if err != nil {
		t.Fatal(err)
	}
	s := &scope{record: record, above: []any{map[string]any{"time": "outer"}, map[string]any{"time": "inner"}}, root: map[string]any{"v": json.Number("2")}, file: map[string]string{"size": "70b"}}
	for _, c := range []struct{ column, expr, want string }{
		{"reported_ttft_ns", `{path: ttft, unit: s}`, "250000000"},
		{"reported_ttft_ns", `{path: ms, unit: ms}`, "12500000"},
		{"end_ns", `{path: end, time: unix, unit: s, minus: {path: start, time: unix, unit: s}}`, "2331290700"},
		{"reported_ttft_ns", `{path: nan, unit: s}`, ""},
		{"reported_ttft_ns", `{path: 'missing.deeply[3]', unit: s}`, ""},
		{"reported_ttft_ns", `{path: empty, unit: s}`, ""},
		{"reported_ttft_ns", `{path: code, unit: s, null: -1}`, ""},
		{"reported_ttft_ns", `{path: ttft, unit: s, null: [-1, 0.25]}`, ""},
		{"reported_ttft_ns", `{path: zero, unit: s}`, ""},
		{"dns_ns", `{path: zero, unit: s}`, "0"},
		{"reported_ttft_ns", `{first: [{path: none, unit: s}, {path: ttft, unit: s}]}`, "250000000"},
		{"reported_output_tokens", "json.usage.output", "7"},
		{"reported_output_tokens", "list[-1].v", "2"},
		{"reported_output_tokens", `{path: ttft, times: 4}`, "1"},
		{"reported_cost_usd", `{path: cost_cents, times: 0.01}`, "0.005"},
		{"model", `{path: id, match: '([^/]+)$'}`, "gpt"},
		{"region", `{path: id, match: '^azure\.([a-z0-9]+)/'}`, "eastus2"},
		{"model", `{file: size, map: {70b: llama-2-70b-chat}}`, "llama-2-70b-chat"},
		{"model", `{file: size, map: {7b: llama-2-7b-chat}}`, ""},
		{"window", "^time", "inner"}, {"window", "^^time", "outer"}, {"window", "^^^time", ""}, {"reported_output_tokens", "$.v", "2"},
		{"started_at_ns", `{path: when, time: rfc3339}`, "1767315845000000000"},
		{"started_at_ns", `{path: naive, time: '20060102-150405', zone: UTC}`, "1731164747000000000"},
		{"started_at_ns", `{path: naive, time: '20060102-150405', zone: '+02:00'}`, "1731157547000000000"},
		{"reported_gaps_ns", `{path: gaps, unit: s}`, "[1000000 2000000]"},
		{"reported_gaps_ns", `{path: holes, unit: s}`, "[]"},
		{"reported_error", `{join: [code, empty, id], with: ': '}`, "-1: azure.eastus2/gpt"},
		{"labels", `{object: {a: code, b: none, c: id}}`, `{"a":-1,"c":"azure.eastus2/gpt"}`},
		{"labels", `{object: {b: none}}`, ""},
		{"ends", `{const: length, when: {path: id, matches: gpt}}`, "length"},
		{"ends", `{const: length, when: {path: id, matches: claude}}`, ""},
		{"streamed", `{const: true}`, "true"},
		{"reported_error", "empty", ""},
	} {
		m := parse(t, "name: x\nfields:\n  "+c.column+": "+c.expr+"\n")
		q := &schema.Request{}
		v, err := m.Fields[c.column].eval(s)
		if err == nil {
			_, err = columns[c.column].set(q, v)
		}
		if got := Get(q, c.column); err != nil || got != c.want {
			t.Errorf("%s: %s = %q, %v; want %q", c.column, c.expr, got, err, c.want)
		}
	}
	var q schema.Request
	if nulled, err := columns["http_status"].set(&q, int64(-1)); err != nil || nulled != "-1" || q.HTTPStatus != nil {
		t.Errorf("status -1: %q, %v, %v; want it NULL and named", nulled, err, q.HTTPStatus)
	}
	for _, c := range []struct{ column, expr, want string }{
		{"reported_ttft_ns", `{path: code, unit: s}`, "-1 s is negative"},
		{"reported_ttft_ns", `{path: end, unit: s}`, "1.75866e+09 s is longer than a day"},
		{"started_at_ns", `{path: ttft, time: unix, unit: s}`, "0.25 s is no time of this century"},
		{"reported_ttft_ns", `{path: id, unit: s}`, `"azure.eastus2/gpt" is no number`},
		{"reported_output_tokens", "ttft", "0.25 is no whole number"},
		{"reported_output_tokens", "code", "-1 is negative"},
		{"started_at_ns", `{path: id, time: rfc3339}`, `"azure.eastus2/gpt" is no time in the form rfc3339`},
		{"streamed", "id", `"azure.eastus2/gpt" is neither true nor false`},
		{"reported_gaps_ns", `{path: ttft, unit: s}`, `"250000000" is no list`},
		{"labels", "id", `"azure.eastus2/gpt" is no JSON`},
		{"http_status", "end", "1758664748.4582677 is no whole number"},
	} {
		m := parse(t, "name: x\nfields:\n  "+c.column+": "+c.expr+"\n")
		v, err := m.Fields[c.column].eval(s)
		if err == nil {
			_, err = columns[c.column].set(&schema.Request{}, v)
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %s: %v; want %q", c.column, c.expr, err, c.want)
		}
	}
}

func TestConditions(t *testing.T) {
	record, _ := jsonstream.Decode([]byte(`{"n": 999, "s": "--max-tokens=20", "list": [1], "obj": {}, "null": null, "zero": 0, "text": "5"}`))
	s := &scope{record: record, root: record}
	for cond, want := range map[string]bool{
		`{path: n, equals: 999}`: true, `{path: n, equals: "999.0"}`: true, `{path: n, in: [0, 999]}`: true, `{path: n, in: [0]}`: false,
		`{path: n, more: 998, less: 1000}`: true, `{path: n, more: 999}`: false, `{path: s, more: 0}`: false, `{path: text, more: 4}`: true,
		`{path: s, matches: 'max-tokens=\d+'}`: true, `{path: missing, matches: '.*'}`: false,
		`{path: missing, is: "null"}`: true, `{path: "null", is: "null"}`: true, `{path: zero, is: value}`: true, `{path: list, is: list}`: true,
		`{path: obj, is: object}`: true, `{path: s, is: number}`: false, `{path: text, is: number}`: true, `{path: n, is: text}`: false,
		`{all: [{path: n, is: value}, {path: zero, equals: 0}]}`: true, `{all: [{path: n, is: value}, {path: zero, equals: 1}]}`: false,
		`{any: [{path: n, equals: 1}, {path: zero, equals: 0}]}`: true, `{not: {path: n, equals: 1}}`: true, `{path: missing, equals: 0}`: false,
		`{path: n, minus: zero, more: 998}`: true,
	} {
		m := parse(t, "name: x\nfields: {model: m}\nskip:\n  - {when: "+cond+", reason: r}\n")
		if got, err := m.Skip[0].When.holds(s); err != nil || got != want {
			t.Errorf("%s = %v, %v; want %v", cond, got, err, want)
		}
	}
}

func TestParquetOfOtherWriters(t *testing.T) {
	m := parse(t, `
name: table
fields:
  provider: {path: route, match: '^([^/]+)/'}
  model: {path: route, match: '/(.+)$'}
  reported_ttft_ns: {path: timing.ttft, unit: s}
  reported_gaps_ns: {path: timing.gaps, unit: s}
  started_at_ns: {path: at, time: rfc3339}
  scheduled_at_ns: {path: naive, time: '2006-01-02T15:04:05', zone: UTC}
  reported_output_tokens: tokens
  reported_cost_usd: {path: cost, when: {path: cost, more: 0}}
  reported_error: err
  window: day
  streamed: ok
`)
	const want = `groq a 250000000 [10000000 20000000] 1767323045600000000 1767323045000000000 20 0.00123  2026-01-02 true
groq b  []     boom  false
groq c 500000000 [] 1767323046000000000 1767323046001000000 1048576   1969-12-31 
groq d  []   1 2   
`
	for _, file := range []string{"pyarrow.parquet", "duckdb.parquet"} {
		rows, account := readAll(t, m, filepath.Join("testdata", file))
		got := show(rows, "provider", "model", "reported_ttft_ns", "reported_gaps_ns", "started_at_ns", "scheduled_at_ns", "reported_output_tokens", "reported_cost_usd", "reported_error", "window", "streamed")
		if got != want || len(account.Faults) > 0 || account.Nulled["reported_gaps_ns: a list with a gap in it"] != 1 {
			t.Errorf("%s:\n%swant:\n%s%v %v", file, got, want, account.Faults, account.Nulled)
		}
	}
}

func TestDamagedParquetIsRefused(t *testing.T) {
	m := parse(t, "name: x\nfields: {provider: {const: p}, model: route}\n")
	whole, err := os.ReadFile("testdata/pyarrow.parquet")
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"cut": whole[:len(whole)-100], "head": whole[:10], "flipped": append(append([]byte{}, whole[:200]...), append([]byte("xxxxxxxxxxxx"), whole[212:]...)...)} {
		path := write(t, "x.parquet", string(data))
		rows, account := readAll(t, m, path)
		if len(account.Faults) == 0 && name != "flipped" {
			t.Errorf("%s: %d rows and no fault", name, len(rows))
		}
	}
	rows, account := readAll(t, parse(t, "name: x\nformat: parquet\nfields: {model: a}\n"), write(t, "x.json", "{}"))
	if len(rows) != 0 || len(account.Faults) != 1 || account.Faults[0].Reason != `not parquet: it begins with "{}"` {
		t.Errorf("%d rows, %v", len(rows), account.Faults)
	}
}

func TestFilesOfAnotherKind(t *testing.T) {
	m := parse(t, `
name: kind
records: $.runs[*]
refuse: [{when: {path: $.summary, is: value}, reason: a summary}]
expect: [{when: {path: ttft, is: value}, reason: no ttft}]
fields: {provider: {const: p}, model: m, reported_ttft_ns: {path: ttft, unit: s}}
`)
	for text, want := range map[string]string{
		`{"runs": [{"m": "a", "ttft": 1}], "summary": 1}`:      "x.json: a summary",
		"{\"runs\": [\n{\"m\": \"a\"}]}":                       "x.json:2: not a file of kind: no ttft",
		`{"runs": []}`:                                         "x.json: holds no record at $.runs[*]",
		`{"other": 1}`:                                         "x.json: holds no record at $.runs[*]",
		"➤ YN0000: Yarn":                                       `x.json:1: not JSON: it begins with "➤ YN0000: Yarn"`,
		"{\"runs\": [\n{\"m\": \"a\", \"ttft\": 1},\n{\"m\": ": "x.json:3: not JSON: ends in the middle",
		"": `x.json:1: not JSON: it begins with ""`,
	} {
		rows, account := readAll(t, m, write(t, "x.json", text))
		if len(rows) != 0 || len(account.Faults) != 1 || account.Faults[0].String() != want || !account.Refused {
			t.Errorf("%q: %d rows, %v; want %s", text, len(rows), account.Faults, want)
		}
	}
}

func TestColumnsMustStandSideBySide(t *testing.T) {
	m := parse(t, "name: c\ncolumns: {t: ts, x: xs}\nfields: {model: {const: m}, reported_ttft_ns: {path: t, unit: s}}\n")
	rows, account := readAll(t, m, write(t, "x.json", `{"ts": [1,2], "xs": [1]}`))
	if len(rows) != 0 || len(account.Faults) != 1 || !strings.Contains(account.Faults[0].Reason, "do not stand side by side: 2 values at ts, 1 at xs") {
		t.Errorf("%d rows, %v", len(rows), account.Faults)
	}
	rows, account = readAll(t, m, write(t, "x.json", `{"ts": [1,2]}`)) // a list that older versions do not write
	if len(rows) != 2 || len(account.Faults) != 0 {
		t.Errorf("%d rows, %v", len(rows), account.Faults)
	}
}

func TestPresetFaultsAreAllNamed(t *testing.T) {
	_, err := Parse([]byte("name: x y\nformat: xml\nrecords: [^a]\nfields:\n  model: {path: a, is: b}\nskip: [{when: {path: a}}]\n"), "m.yaml")
	if err == nil {
		t.Fatal("no error")
	}
	if !strings.Contains(err.Error(), `m.yaml:5:20: unknown key "is"`) {
		t.Errorf("%v", err)
	}
	_, err = Parse([]byte("name: x y\nformat: xml\nrecords: [^a]\nfields:\n  model: a\nskip: [{when: {path: a}}]\n"), "m.yaml")
	for _, want := range []string{`name "x y"`, `format "xml"`, "records: ^a", "a condition wants a test", "a condition wants a reason"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: lacks %q", err, want)
		}
	}
}

// A file of any size is read in little memory: here 20 MB of one JSON document,
// whose context comes after its records.
func TestLargeDocumentsAreStreamed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.json")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	const n = 20_000
	io.WriteString(f, `{"runs": [{"results": [`)
	filler := strings.Repeat("lorem ipsum ", 80)
	for i := range n {
		if i > 0 {
			io.WriteString(f, ",\n")
		}
		fmt.Fprintf(f, `{"m": "a", "ttft": 0.%d, "text": "%s"}`, i+1, filler)
	}
	io.WriteString(f, `], "time": "t1"}]}`)
	f.Close()
	m := parse(t, "name: big\nrecords: $.runs[*].results[*]\nfields: {model: m, window: ^time, reported_ttft_ns: {path: ttft, unit: s}}\n")
	var before, now runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	rows, most := 0, uint64(0)
	account := &ledger.File{}
	err = m.Read(context.Background(), path, account, func(q *schema.Request, _ ledger.Place) error {
		if rows++; rows%5_000 == 0 {
			runtime.GC()
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
		}
		if *q.Window != "t1" {
			t.Errorf("window %q", *q.Window)
		}
		return nil
	})
	if err != nil || rows != n || len(account.Faults) > 0 {
		t.Fatalf("%d rows, %v, %v", rows, err, account.Faults)
	}
	if grown := int64(most) - int64(before.HeapAlloc); grown > 4<<20 {
		t.Errorf("%d bytes held while a file of 20 MB was read", grown)
	}
}

// Times that cannot be true together refuse a row; rounding does not.
func TestCoherent(t *testing.T) {
	for _, c := range []struct {
		headers, first, last, end int64 // ms
		want                      string
	}{
		{10, 20, 90, 100, ""},
		{10, 9, 90, 100, ""}, // within a millisecond
		{10, 120, 90, 100, "time runs backwards: the first token at 0.12 s, the last token at 0.09 s"},
		{10, 20, 90, 50, "time runs backwards: the last token at 0.09 s, the end at 0.05 s"},
	} {
		q := &schema.Request{HeadersNs: new(c.headers * 1e6), ReportedTTFTNs: new(c.first * 1e6), ReportedLastTokenNs: new(c.last * 1e6), EndNs: new(c.end * 1e6)}
		got := ""
		if err := Coherent(q); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%v: %q, want %q", c, got, c.want)
		}
	}
}

// "" is no value, whichever format a file has: a log that writes an empty error
// for each request that went well has no failure.
func TestAnEmptyTextIsNoValue(t *testing.T) {
	m := parse(t, `
name: x
fields: {provider: {const: p}, model: {first: [route, m]}, reported_text: {first: [text, m]}}
failures: [{when: {path: error, is: value}, error: error}]
`)
	for name, text := range map[string]string{
		"x.jsonl": "{\"m\": \"a\", \"route\": \"\", \"text\": \"\", \"error\": \"\"}\n{\"m\": \"a\", \"error\": \"boom\"}\n",
		"x.csv":   "m,route,text,error\na,,,\na,,,boom\n",
	} {
		rows, account := readAll(t, m, write(t, name, text))
		if got := show(rows, "model", "reported_error"); got != "a \na boom\n" || len(account.Faults) > 0 {
			t.Errorf("%s: %s %v", name, got, account.Faults)
		}
	}
}

func TestMissedPlaces(t *testing.T) {
	m := parse(t, `
name: x
fields:
  model: {first: [route, m]}
  reported_ttft_ns: {path: ttft, unit: s}
  labels: {object: {a: usage.inptu, b: usage.input}}
  region: place
failures: [{when: {path: eror, is: value}, error: message}]
`)
	_, one := readAll(t, m, write(t, "a.jsonl", `{"m": "a", "ttft_ms": 5, "usage": {"input": 1}, "place": "", "error": "boom"}`))
	_, two := readAll(t, m, write(t, "b.jsonl", `{"m": "a", "message": "boom"}`))
	var got []string
	for _, miss := range m.Missed([]*ledger.File{one, two}) {
		got = append(got, miss.String())
	}
	want := []string{
		"no record has a value at usage.inptu, which labels reads; the nearest place is usage.input",
		"no record has a value at place, which region reads",
		"no record has a value at ttft, which reported_ttft_ns reads; the nearest place is ttft_ms",
		"no record has a value at eror, which failures reads; the nearest place is error",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAListIsNoRecord(t *testing.T) {
	m := parse(t, "name: x\nrecords: results\nfields: {provider: {const: p}, model: m}\n")
	rows, account := readAll(t, m, write(t, "x.json", `{"results": [{"m": "a"}]}`))
	if len(rows) != 0 || len(account.Faults) != 1 || account.Faults[0].String() != "x.json:1: a list of objects at results, and no record: want records: results[*]" {
		t.Errorf("%d rows, %v", len(rows), account.Faults)
	}
	rows, account = readAll(t, parse(t, "name: x\nrecords: results[*]\nfields: {provider: {const: p}, model: m}\n"), write(t, "y.json", `{"results": [{"m": "a"}]}`))
	if len(rows) != 1 || len(account.Faults) != 0 {
		t.Errorf("%d rows, %v", len(rows), account.Faults)
	}
}

// Clocks that are set forward skip an hour, and set back they show one twice.
func TestLocalTimesWithoutAndWithTwoMoments(t *testing.T) {
	m := parse(t, "name: x\nfields:\n  provider: {const: p}\n  model: {const: m}\n  started_at_ns: {path: at, time: '2006-01-02 15:04', zone: Europe/Berlin}\n")
	rows, account := readAll(t, m, write(t, "x.jsonl", `{"at": "2026-03-29 01:30"}
{"at": "2026-03-29 02:30"}
{"at": "2026-03-29 03:30"}
{"at": "2026-10-25 02:30"}
`))
	var got []string
	for _, q := range rows {
		at := "NULL"
		if q.StartedAtNs != nil {
			at = time.Unix(0, *q.StartedAtNs).UTC().Format("01-02 15:04")
		}
		got = append(got, at)
	}
	if want := "03-29 00:30, NULL, 03-29 01:30, 10-25 00:30"; strings.Join(got, ", ") != want {
		t.Errorf("got %s, want %s", strings.Join(got, ", "), want)
	}
	if account.Nulled["started_at_ns: a local time that Europe/Berlin skips"] != 1 ||
		account.Doubted["started_at_ns: a local time that Europe/Berlin has twice, read as the first of the two"] != 1 {
		t.Errorf("%v, %v", account.Nulled, account.Doubted)
	}
}

// A failure that states no status leaves the one that the fields map.
func TestFailureKeepsAMappedStatus(t *testing.T) {
	const failure = "name: x\nfields: {provider: {const: p}, model: {const: m}, http_status: status}\nfailures: [{when: {path: error, is: value}, error: error"
	for end, want := range map[string]string{"}]\n": "503 503", ", http_status: code}]\n": "503 500", ", clear: [http_status]}]\n": ""} {
		rows, account := readAll(t, parse(t, failure+end), write(t, "x.jsonl", `{"status": 503, "error": "upstream died"}`+"\n"+
			`{"status": 503, "code": 500, "error": "upstream died"}`+"\n"))
		if got := strings.Join(strings.Fields(show(rows, "http_status")), " "); got != want || len(account.Faults) > 0 {
			t.Errorf("%s: %q, %v; want %q", end, got, account.Faults, want)
		}
	}
}

func readAll(t testing.TB, m *Mapping, path string) ([]*schema.Request, *ledger.File) {
	t.Helper()
	var out []*schema.Request
	account := &ledger.File{Name: filepath.Base(path)}
	err := m.Read(context.Background(), path, account, func(q *schema.Request, _ ledger.Place) error {
		out = append(out, q)
		return nil
	})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return out, account
}
