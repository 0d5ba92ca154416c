package table

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"aircheck/internal/kit/duck"
)

func written(t *testing.T, in *duck.Table, format string, width int) string {
	t.Helper()
	var b strings.Builder
	n, err := Write(&b, Head{in.Columns, in.Types}, &list{rows: in.Rows}, format, width)
	if err != nil || n != int64(len(in.Rows)) {
		t.Fatal(n, err)
	}
	for line := range strings.Lines(b.String()) {
		if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); width > 0 && n > width {
			t.Errorf("a line of %d characters where %d fit: %s", n, width, line)
		}
	}
	return b.String()
}

func TestNumbersAreReadable(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1234567.891: "1234568", 320.04999: "320", 29.999999999999996: "30", 0.98333333: "0.9833",
		0.00017234: "0.0001723", 5.2e-52: "5.2e-52", -1.5: "-1.5",
	} {
		if got := figures(v); got != want {
			t.Errorf("%v: %s, want %s", v, got, want)
		}
	}
}

func TestColumnsAreFitted(t *testing.T) {
	in := &duck.Table{Columns: []string{"provider", "metric", "p50", "note", "at"}, Types: []string{"VARCHAR", "VARCHAR", "DOUBLE", "VARCHAR", "TIMESTAMP"}}
	for i := range 8 {
		in.Rows = append(in.Rows, []any{strings.Repeat("p", i+1), "ttft_net_ms", 123.456789 * float64(i), strings.Repeat("long ", 10), time.Date(2026, 3, 1, 10, 0, i, 123456789, time.UTC)})
	}
	if got := written(t, in, "table", 200); !strings.Contains(got, "long long long long long long long long…") || !strings.Contains(got, "2026-03-01 10:00:01.123\n") || !strings.Contains(got, "(8 rows)") {
		t.Error(got)
	}
	got := written(t, in, "table", 60)
	if !strings.Contains(got, "the same in all rows: metric ttft_net_ms, note") || strings.Contains(got, "left out") {
		t.Error(got)
	}
	got = written(t, in, "table", 32)
	if !strings.Contains(got, "left out") || !strings.HasSuffix(got, " at\n") {
		t.Error(got)
	}
	in.Rows = in.Rows[:2]
	got = written(t, in, "table", 30)
	if !strings.Contains(got, "\n\nprovider  pp\n") || !strings.Contains(got, "(2 rows)") {
		t.Error(got)
	}
	// Without a width all is exact.
	if got := written(t, in, "table", 0); !strings.Contains(got, "123.456789") || strings.Contains(got, "rows") {
		t.Error(got)
	}
}

func TestNoRows(t *testing.T) {
	in := &duck.Table{Columns: []string{"a", "b"}, Types: []string{"VARCHAR", "DOUBLE"}}
	if got := written(t, in, "table", 80); !strings.HasSuffix(got, "(0 rows)\n") {
		t.Error(got)
	}
}
