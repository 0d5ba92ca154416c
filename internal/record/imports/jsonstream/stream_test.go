package jsonstream

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

func steps(t *testing.T, path string) []Step {
	t.Helper()
	p, err := ParsePath(path)
	if err != nil {
		t.Fatal(err)
	}
	return p.Steps
}

func TestParsePath(t *testing.T) {
	for text, want := range map[string]Path{
		"ttft":        {Steps: []Step{{Key: "ttft"}}},
		".ttft":       {Steps: []Step{{Key: "ttft"}}},
		".":           {},
		"^":           {Up: 1},
		"^^a.b":       {Up: 2, Steps: []Step{{Key: "a"}, {Key: "b"}}},
		"$":           {Root: true},
		"$[*].r[-1]":  {Root: true, Steps: []Step{{Kind: Each}, {Key: "r"}, {Kind: Element, Index: -1}}},
		`a."b.c"[0]`:  {Steps: []Step{{Key: "a"}, {Key: "b.c"}, {Kind: Element}}},
		"$.*.started": {Root: true, Steps: []Step{{Kind: Each}, {Key: "started"}}},
	} {
		got, err := ParsePath(text)
		want.text = text
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("ParsePath(%q) = %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "a..b", "a[", "a[x]", "$a", `."b`, "a]b["} {
		if p, err := ParsePath(text); err == nil {
			t.Errorf("ParsePath(%q) = %+v, want an error", text, p)
		}
	}
}

const doc = `[
  {"time": "t1", "results": [{"m": "a", "x": 1.50}, {"m": "b", "x": NaN}], "region": "cdg"},
  {"results": [],
   "time": "t2"},
  {"results": [
     {"m": "c NaN", "x": -Infinity}
   ], "region": "sea", "time": "t3"}
]`

func TestRecordsWithTheirParents(t *testing.T) {
	out, err := Project(strings.NewReader(doc), [][]Step{steps(t, "$[*].time"), steps(t, "$[*].region")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if out.Replaced != 2 {
		t.Errorf("replaced %d bare words, want 2", out.Replaced)
	}
	var got []string
	// One byte a read: bare words and line ends fall anywhere.
	err = Records(iotest.OneByteReader(strings.NewReader(doc)), steps(t, "$[*].results[*]"), out.Root, func(r Record) error {
		run := r.Above[len(r.Above)-1]
		got = append(got, fmt.Sprint(r.Line, Lookup(run, steps(t, "time")), Lookup(run, steps(t, "region")), Lookup(r.Value, steps(t, "m")), Lookup(r.Value, steps(t, "x"))))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	// The third record's time and region come after it in the document.
	want := []string{
		fmt.Sprint(2, "t1", "cdg", "a", json.Number("1.50")),
		fmt.Sprint(2, "t1", "cdg", "b", nil),
		fmt.Sprint(6, "t3", "sea", "c NaN", nil),
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Bare words are found wherever pieces end, and never inside text.
func TestBareWords(t *testing.T) {
	const in = `{"a":NaN,"NaN":-1,"b\\":"Infinity \" NaN","c":[-Infinity,Infinity,-2.5],"d":"\\"}`
	const want = `{"a":null,"NaN":-1,"b\\":"Infinity \" NaN","c":[null,null,-2.5],"d":"\\"}`
	for _, size := range []int{16, 17, 64, 4096} {
		for _, src := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in)), iotest.HalfReader(strings.NewReader(in))} {
			l := &lenient{in: bufio.NewReaderSize(src, size)}
			got, err := io.ReadAll(l)
			if err != nil || string(got) != want || l.replaced != 3 {
				t.Errorf("buffer of %d: %s, %v", size, got, err)
			}
		}
	}
}

func TestColumnsSideBySide(t *testing.T) {
	const vllm = `{"date": "d", "ttfts": [0.1, 0.2, 0.3], "itls": [[1,2],[],[3]], "big": [{"a":[1]}], "errors": ["", "x", ""]}`
	out, err := Project(strings.NewReader(vllm), [][]Step{steps(t, "$.date"), steps(t, "$.errors[-1]")},
		[][]Step{steps(t, "$.ttfts"), steps(t, "$.itls"), steps(t, "$.none"), steps(t, "$.errors")})
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(out.Lengths, []int{3, 3, -1, 3}) {
		t.Errorf("lengths %v", out.Lengths)
	}
	if got := Lookup(out.Root, steps(t, "date")); got != "d" {
		t.Errorf("date is %v", got)
	}
	a, err := OpenArray(strings.NewReader(vllm), steps(t, "$.itls"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for {
		v, err := a.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		n += len(v.([]any))
	}
	if n != 3 {
		t.Errorf("%d gaps, want 3", n)
	}
}

func TestFaultsArePlaced(t *testing.T) {
	for text, line := range map[string]int{
		"➤ YN0000: Yarn":       1,
		"{\n\"a\": [1,\n2":     3,
		"[1,\n2] trailing":     2,
		"{\"a\": 1,\n\"b\" 2}": 2,
		"":                     1,
	} {
		_, err := Project(strings.NewReader(text), nil, nil)
		var placed *Error
		if !errors.As(err, &placed) || placed.Line != line {
			t.Errorf("%q: %#v, want a fault on line %d", text, err, line)
		}
	}
}

func TestCallbackErrorIsHandedOn(t *testing.T) {
	stop := errors.New("enough")
	if err := Records(strings.NewReader("[1,2]"), steps(t, "$[*]"), nil, func(Record) error { return stop }); err != stop {
		t.Errorf("got %v", err)
	}
}

func TestLookup(t *testing.T) {
	v, _ := Decode([]byte(`{"a":[{"b":1},{"b":2}],"j":"{\"k\":[7]}","o":{"z":{"n":1},"y":{"n":2}}}`))
	for path, want := range map[string]any{
		"a[0].b": json.Number("1"), "a[-1].b": json.Number("2"), "a[2].b": nil, "a[*].b": json.Number("1"),
		"j.k[0]": json.Number("7"), "o.*.n": json.Number("2"), "none.x": nil, "a.b": nil,
	} {
		if got := Lookup(v, steps(t, path)); got != want {
			t.Errorf("%s = %v, want %v", path, got, want)
		}
	}
}

// Whatever the input, the first reading ends, and where it finds the document
// valid, the second one does too.
func FuzzProject(f *testing.F) {
	f.Add(doc)
	f.Add(`{"a":[1,NaN,{"b":-Infinity}]}`)
	f.Add("[1,")
	f.Fuzz(func(t *testing.T, text string) {
		p, _ := ParsePath("$[*].a")
		out, err := Project(strings.NewReader(text), [][]Step{p.Steps}, [][]Step{p.Steps})
		if err != nil {
			return
		}
		each, _ := ParsePath("$[*]")
		if err := Records(strings.NewReader(text), each.Steps, out.Root, func(Record) error { return nil }); err != nil {
			t.Errorf("valid at first, then %v", err)
		}
	})
}
