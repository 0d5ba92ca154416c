package mapping

import (
	"context"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"aircheck/internal/record/imports/ledger"
	"aircheck/schema"
)

// Whatever a mapping says of whatever file, the rows that come out are sound, and
// each record is a row, a skip or a fault.
func FuzzMapping(f *testing.F) {
	const simple = "name: own\nfields:\n  provider: p\n  model: m\n  reported_ttft_ns: {path: t, unit: s}\n"
	for _, s := range []struct{ mapping, name, data string }{
		{simple, "a.jsonl", "{\"p\":\"a\",\"m\":\"x\",\"t\":0.25}\n{\"p\":\"b\",\"m\":\"x\",\"t\":\"NaN\"}\n"},
		{simple, "a.json", `[{"p":"a","m":"x","t":1e400},{"p":{"q":[1]},"m":null}]`},
		{simple, "a.csv", "p,m,t\na,x,1\n\"b\n\",y,-1\n"},
		{"name: own\nrecords: rows\nfields:\n  provider: {value: north}\n  model: m\n  reported_gaps_ns: {path: gaps, unit: ms}\n  started_at_ns: {path: at, unit: s}\n", "a.json",
			`{"rows":[{"m":"x","gaps":[1,2,"3"],"at":1e300},{"m":"y","gaps":[],"at":"2026-01-01T00:00:00Z"}]}`},
	} {
		f.Add(s.mapping, s.name, s.data)
	}
	f.Fuzz(func(t *testing.T, mapping, name, data string) {
		m, err := Parse([]byte(mapping), "map.yaml")
		if err != nil {
			return
		}
		if name != "a.json" && name != "a.csv" {
			name = "a.jsonl"
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		account := &ledger.File{Name: name}
		rows := 0
		m.Read(context.Background(), path, account, func(q *schema.Request, _ ledger.Place) error {
			rows++
			if err := Coherent(q); err != nil {
				t.Errorf("a row that is not coherent: %v", err)
			}
			v := reflect.ValueOf(q).Elem()
			for i := range v.NumField() {
				if p := v.Field(i); p.Kind() == reflect.Pointer && !p.IsNil() && p.Elem().CanFloat() {
					if n := p.Elem().Float(); math.IsNaN(n) || math.IsInf(n, 0) {
						t.Errorf("%s is %v", v.Type().Field(i).Name, n)
					}
				}
			}
			return nil
		})
		if rows > 0 && len(data) == 0 {
			t.Error("rows of an empty file")
		}
	})
}
