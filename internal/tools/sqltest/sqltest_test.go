package sqltest

import (
	"strings"
	"testing"

	"aircheck/internal/kit/duck"
)

func TestParse(t *testing.T) {
	cases, err := Parse(`# first
# of two

table results
request_id,failure,ttft_ms
1,"",
2,"a, ""b""",5

query
SELECT 1
  AS x

expect
x
1

table results
request_id

query
SELECT

error
syntax error
`)
	if err != nil {
		t.Fatal(err)
	}
	if len(cases) != 2 || cases[0].Name != "first of two" || cases[0].Line != 4 || cases[1].Error != "syntax error" {
		t.Fatalf("got %+v", cases)
	}
	rows := cases[0].Tables[0].Rows
	if f := rows[1]; f[1] != (Field{"", false}) || f[2] != (Field{"", true}) {
		t.Errorf("an empty string and a NULL: got %+v", f)
	}
	if f := rows[2]; f[1].Text != `a, "b"` {
		t.Errorf("got %+v", f)
	}
	if cases[0].Query != "SELECT 1\n  AS x" {
		t.Errorf("query %q", cases[0].Query)
	}
}

func TestParseNamesTheFault(t *testing.T) {
	for text, want := range map[string]string{
		"expect\nx\n":                                "before any table or query",
		"query\nSELECT 1\n":                          "has no expect block",
		"table a\nx\n\nexpect\nx\n":                  "needs a query",
		"query\nSELECT 1\n\nquery\nSELECT 2\n":       "a second query",
		"query\nSELECT 1\n\nexpected\nx\n":           `"expected" is none of`,
		"table a\nx,y\n1\n\nquery\nS\n\nexpect\nx\n": "wrong number of fields",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// A comparison that could not fail would make every test pass.
func TestCompare(t *testing.T) {
	got := &duck.Table{Columns: []string{"a", "b"}, Types: []string{"DOUBLE", "VARCHAR"}, Rows: [][]any{{1.000001, ""}, {nil, "x"}}}
	for _, c := range []struct {
		want [][]string
		same bool
	}{
		{[][]string{{"a", "b"}, {"1", `""`}, {"", "x"}}, true},
		{[][]string{{"a", "b"}, {"1.1", `""`}, {"", "x"}}, false},
		{[][]string{{"a", "b"}, {"1", ""}, {"", "x"}}, false},
		{[][]string{{"a", "b"}, {"1", `""`}, {"0", "x"}}, false},
		{[][]string{{"a", "b"}, {"1", `""`}}, false},
		{[][]string{{"a", "c"}, {"1", `""`}, {"", "x"}}, false},
		{[][]string{{"a"}, {"1"}, {""}}, false},
	} {
		if diff := compare(got, c.want); (diff == "") != c.same {
			t.Errorf("%v: %q, want same = %v", c.want, diff, c.same)
		}
	}
}
