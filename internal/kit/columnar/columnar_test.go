package columnar

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

type row struct {
	ID   int64    `col:"id" doc:"key"`
	N    int32    `col:"n"`
	On   bool     `col:"on"`
	X    float64  `col:"x"`
	S    string   `col:"s"`
	B    []byte   `col:"b"`
	PID  *int64   `col:"pid"`
	PN   *int32   `col:"pn"`
	POn  *bool    `col:"pon"`
	PX   *float64 `col:"px"`
	PS   *string  `col:"ps"`
	L    []int64  `col:"l"`
	Note string   // no column
}

func some(r *rand.Rand, i int) row {
	x := row{ID: int64(i), N: r.Int32(), On: r.IntN(2) == 0, X: r.Float64(), S: fmt.Sprint("word", r.IntN(400)), B: make([]byte, r.IntN(300))}
	for j := range x.B {
		x.B[j] = byte(r.UintN(256))
	}
	if r.IntN(2) == 0 {
		x.PID, x.PN, x.POn = new(r.Int64()), new(r.Int32()), new(r.IntN(2) == 0)
	}
	if r.IntN(3) == 0 {
		x.PX, x.PS = new(r.Float64()), new(fmt.Sprint("text ", r.Uint64()))
	}
	for range r.IntN(4) {
		x.L = append(x.L, r.Int64())
	}
	return x
}

func TestRoundTrip(t *testing.T) {
	table := NewTable[row]()
	for _, n := range []int{0, 1, 4095, 4097, 20_000} {
		r := rand.New(rand.NewPCG(1, uint64(n)))
		var want []row
		var out bytes.Buffer
		w, err := table.NewWriter(&out, map[string]string{"k": "v"})
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			want = append(want, some(r, i))
			if err := w.Write(want[i]); err != nil {
				t.Fatal(err)
			}
			if w.GroupRows() == 7000 {
				if err := w.CutRowGroup(); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "x.parquet")
		if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		in, err := table.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		if v, ok := in.KeyValue("k"); !ok || v != "v" {
			t.Errorf("key-value lost: %q %v", v, ok)
		}
		var got []row
		for g := range in.NumRowGroups() {
			rows, err := in.ReadRowGroup(g)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, rows...)
		}
		if len(got) != n {
			t.Fatalf("%d rows back of %d", len(got), n)
		}
		for i := range got {
			if !reflect.DeepEqual(got[i], want[i]) {
				t.Fatalf("row %d of %d:\n got %+v\nwant %+v", i, n, got[i], want[i])
			}
		}
	}
}

func TestInvalidUTF8BecomesReplacement(t *testing.T) {
	if got := string(text("a\xffb")); got != "a\uFFFDb" {
		t.Errorf("got %q", got)
	}
}

func TestForeignFile(t *testing.T) {
	type other struct {
		ID string `col:"id"`
	}
	path := filepath.Join(t.TempDir(), "x.parquet")
	f, _ := os.Create(path)
	w, err := NewTable[other]().NewWriter(f, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(other{"x"})
	w.Close()
	f.Close()
	if _, err := NewTable[row]().Open(path); err == nil {
		t.Error("a file of other columns was opened")
	}
	os.WriteFile(path, []byte("not parquet"), 0o644)
	if _, err := NewTable[row]().Open(path); err == nil {
		t.Error("a file that is no Parquet was opened")
	}
}
