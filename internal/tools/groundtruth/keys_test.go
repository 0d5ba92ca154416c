package groundtruth

import (
	"fmt"
	"strings"
	"testing"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/queries"
)

// Each view has the grain that its file states: a key names one row, and is
// there. Parameters, vantage and the like are NULL where nothing is declared.
func TestKeysNameOneRow(t *testing.T) {
	t.Parallel()
	_, o, err := write(t.TempDir(), 3)
	if err != nil {
		t.Fatal(err)
	}
	r, err := build.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files, err := queries.Files()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]int64{ // rows of three worlds
		"checks": 0, "costs": 24, "cost_leverage": 1, "thinking": 24, "fidelity": 24, "agreement": 3 * 28, "agreement_prompts": 3 * 28 * Prompts, "routing": 0,
	}
	seen := 0
	for _, f := range files {
		n, mine := want[f.Name]
		if !mine {
			continue
		}
		seen++
		var key []string
		for _, k := range f.Key {
			key = append(key, duck.Ident(k))
		}
		table, err := duck.Query(t.Context(), r, f.Name, fmt.Sprintf("SELECT count(*), (SELECT count(*) FROM (SELECT DISTINCT %s FROM %s)) FROM %s", strings.Join(key, ", "), f.Name, f.Name))
		if err != nil {
			t.Fatal(err)
		}
		rows, distinct := table.Rows[0][0].(int64), table.Rows[0][1].(int64)
		if rows != distinct {
			t.Errorf("%s: %d rows, but %d keys (%s)", f.Name, rows, distinct, strings.Join(f.Key, ", "))
		}
		if n > 0 && rows != n {
			t.Errorf("%s: %d rows, want %d", f.Name, rows, n)
		}
	}
	if seen != len(want) {
		t.Errorf("%d of %d views were found", seen, len(want))
	}
}
