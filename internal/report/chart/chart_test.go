package chart

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/kit/human"

	"github.com/dop251/goja"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// hostile is a provider's name as an attacker would choose it.
const hostile = `</script><img src=x onerror=alert(1)>`

func samples() map[string]Chart {
	ms := func(v float64) *float64 { return &v }
	return map[string]Chart{
		"range": Range{ID: "fig-range", Rows: []RangeRow{
			{Name: "Kestrel", N: 835, P50: ms(120), P95: ms(245), P99: ms(990), Lo: ms(220), Hi: ms(280), Value: "240 ms", Tip: "Kestrel: p95 240 ms"},
			{Name: "江流", N: 60, P50: ms(710), P95: ms(2100), Value: "2.1 s", Tip: "江流: p95 2.1 s"},
			{Name: "Basalt", N: 0, Value: "no answer"},
		}},
		"bump": Bump{ID: "fig-bump", Columns: []string{"qilin-235b", "marl-70b", "tern-r1-thinking"}, Lines: []BumpLine{
			{Name: "Kestrel", Accent: Blue, Places: []*BumpPlace{{1, 1, 1}, {2, 1, 3}, {3, 3, 3}}, Tips: []string{"1", "1–3", "3"}},
			{Name: "Halcyon", Places: []*BumpPlace{{2, 2, 3}, {1, 1, 3}, {1, 1, 2}}},
			{Name: "Granite", Places: []*BumpPlace{{3, 2, 3}, nil, {2, 1, 2}}},
			{Name: "Iris", Accent: Brick, Places: []*BumpPlace{nil, {3, 1, 3}, nil}},
		}},
		"tail": Tail{ID: "fig-tail", Lines: []TailLine{
			{Name: "Kestrel", Accent: Blue, Tip: "Kestrel", Points: []TailPoint{{80, 1}, {120, 0.5}, {245, 0.05}, {990, 0.01}}},
			{Name: "Halcyon", Tip: "Halcyon", Points: []TailPoint{{150, 1}, {220, 0.5}, {380, 0.05}}},
			{Name: "Basalt", Accent: Brick, Tip: "Basalt", Points: []TailPoint{{200, 1}, {420, 0.5}, {1800, 0.05}, {4000, 0.01}}},
		}},
		"plot": Titled{Title: "A <title>", Desc: "what is plotted", Chart: Plot{ID: "fig-plot", X: TimeAxis(1772409600, 1772409600+5*86400), Y: LogAxis([]float64{100, 900}, 200, "ms"), Left: 60, Right: 90, Tall: 240, Narrow: 200,
			Marks: []Mark{
				Band(Blue, [][2]float64{{1772409600, 150}, {1772800000, 160}}, [][2]float64{{1772409600, 300}, {1772800000, 310}}),
				Curve(Blue, "Kestrel", [][2]float64{{1772409600, 200}, {1772800000, 210}}),
				Dots(Dot{X: 1772600000, Y: 500, YLo: ms(400), YHi: ms(700), Colour: Bad, Hollow: true, Tip: "one"}),
				Segments(Segment{1772409600, 100, 1772500000, 200, Mid, 2, "two"}), Rule(1772500000, "model changed", Ink), Span(1772600000, 1772700000, "outage", Bad),
				Note(1772800000, 210, "Kestrel", Blue, 1, 0)}}},
		"rows": Plot{ID: "fig-rows", X: LinearAxis(3.2, "usd"), Y: Axis{Rows: []string{"Kestrel", "江流"}}, Left: 80, Tall: 80, Narrow: 80,
			Marks: []Mark{Bars(Bar{0, 0, 1.2, Purple, true, "thinking"}, Bar{0, 1.2, 3, Blue, false, "answer"}), Strokes(1, Blue, 12, []float64{0.1, 0.2, 0.25}, "frames")}},
		"availability": Availability{ID: "fig-availability",
			Slots: []Slot{{"2 March, 00:00", "2 Mar"}, {"2 March, 12:00", ""}, {"3 March, 00:00", "3 Mar"}, {"3 March, 12:00", ""}},
			Rows: []AvailabilityRow{
				{Name: "Kestrel", Total: "100%", Cells: []Cell{{20, 20}, {20, 20}, {20, 20}, {20, 20}}},
				{Name: "Basalt", Total: "81.3%", Cells: []Cell{{200, 199}, {20, 19}, {20, 17}, {20, 2}}},
				{Name: "江流", Total: "100%", Cells: []Cell{{20, 20}, {0, 0}, {0, 0}, {20, 20}}},
			}},
	}
}

// hostileSamples carry the name through every field that can hold one.
func hostileSamples(name string) []Chart {
	one, two := 100.0, 200.0
	return []Chart{
		Range{ID: "r", Rows: []RangeRow{{Name: name, Value: name, Tip: name, N: 1, P50: &one, P95: &two}}},
		Titled{Title: name, Desc: name, Chart: Plot{ID: "q", X: LinearAxis(1, "usd"), Y: Axis{Rows: []string{name}}, Tall: 60, Narrow: 60,
			Marks: []Mark{Note(0, 0, name, Blue, 1, 0), Bars(Bar{0, 0, 1, Blue, true, name}), Rule(1, name, Bad)}}},
		Bump{ID: "b", Columns: []string{name, "x"}, Lines: []BumpLine{{Name: name, Accent: Blue, Places: []*BumpPlace{{1, 1, 1}, {1, 1, 1}}, Tips: []string{name, name}}}},
		Tail{ID: "t", Lines: []TailLine{{Name: name, Accent: Blue, Tip: name, Points: []TailPoint{{10, 1}, {90, 0.1}}}}},
		Availability{ID: "a", Slots: []Slot{{name, name}}, Rows: []AvailabilityRow{{Name: name, Total: name, Cells: []Cell{{2, 1}}}}},
	}
}

func draw(t *testing.T, workers int, charts ...Chart) []Figure {
	t.Helper()
	figures, err := NewRenderer(workers).Draw(t.Context(), charts)
	if err != nil {
		t.Fatal(err)
	}
	return figures
}

func both(f Figure) string { return string(f.Wide) + "\n" + string(f.Narrow) }

func golden(t *testing.T, name, got string) {
	t.Helper()
	got = strings.ReplaceAll(got, "><", ">\n<") + "\n"
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs from its golden file; look at it, then run with -update", name)
	}
}

func TestGolden(t *testing.T) {
	for name, c := range samples() {
		golden(t, name+".svg.txt", both(draw(t, 1, c)[0]))
	}
}

// Colours are tokens, so that one drawing serves light, dark and print.
func TestColoursAreTokens(t *testing.T) {
	colour := regexp.MustCompile(`(?:fill|stroke)="([^"]*)"`)
	for name, c := range samples() {
		for _, m := range colour.FindAllStringSubmatch(both(draw(t, 1, c)[0]), -1) {
			if m[1] != "none" && !strings.HasPrefix(m[1], "var(--") {
				t.Errorf("%s: colour %s", name, m[1])
			}
		}
	}
}

// A drawing does not depend on what its machine drew before, on how many
// machines there are, nor on the order of the charts.
func TestDeterministic(t *testing.T) {
	var names []string
	var charts, reversed []Chart
	for name, c := range samples() {
		names, charts = append(names, name), append(charts, c)
	}
	reversed = slices.Clone(charts)
	slices.Reverse(reversed)

	one := NewRenderer(1)
	first, err := one.Draw(t.Context(), charts)
	if err != nil {
		t.Fatal(err)
	}
	used, err := one.Draw(t.Context(), charts)
	if err != nil {
		t.Fatal(err)
	}
	other := draw(t, 2, reversed...)
	slices.Reverse(other)
	for i, name := range names {
		if fresh := draw(t, 1, charts[i])[0]; first[i] != fresh {
			t.Errorf("%s: drawn alone it differs", name)
		}
		if first[i] != used[i] {
			t.Errorf("%s: a used machine draws it differently", name)
		}
		if first[i] != other[i] {
			t.Errorf("%s: two machines, in the opposite order, draw it differently", name)
		}
	}
}

func TestNamesStayText(t *testing.T) {
	for _, name := range []string{hostile, `__f__(globalThis.draw=null,1)__f__`, "@fn:ms", "{b|x}", `"><b a='`, "javascript:alert(1)"} {
		for i, f := range draw(t, 1, hostileSamples(name)...) {
			svg := both(f)
			if strings.Contains(svg, "<img") || strings.Contains(svg, "<script") || strings.Contains(svg, "<b ") {
				t.Errorf("chart %d: name %q became markup", i, name)
			}
			if start := []rune(name)[:3]; !strings.Contains(unescape(svg), ">"+string(start)) {
				t.Errorf("chart %d: name %q is not shown", i, name)
			}
		}
	}
}

func unescape(s string) string {
	return strings.NewReplacer("&lt;", "<", "&gt;", ">", "&#34;", `"`, "&#39;", "'", "&amp;", "&").Replace(s)
}

// What is no number, or has no place on a log axis, is an error that names the
// chart and the row, never a chart that is silently missing.
func TestBadNumbers(t *testing.T) {
	for _, v := range []float64{math.NaN(), math.Inf(1), 0, -3} {
		for _, c := range []Chart{
			Range{ID: "r", Rows: []RangeRow{{Name: "Kestrel", P50: &v, P95: &v}}},
			Tail{ID: "t", Lines: []TailLine{{Name: "Kestrel", Points: []TailPoint{{v, 0.5}}}}},
			Tail{ID: "t", Lines: []TailLine{{Name: "Kestrel", Points: []TailPoint{{1, v}}}}},
		} {
			_, err := NewRenderer(1).Draw(t.Context(), []Chart{c})
			if err == nil || !strings.Contains(err.Error(), "Kestrel") {
				t.Errorf("%T with %v: error %v", c, v, err)
			}
		}
	}
}

func TestUnevenRows(t *testing.T) {
	for _, c := range []Chart{
		Bump{ID: "b", Columns: []string{"x", "y"}, Lines: []BumpLine{{Name: "Kestrel", Places: []*BumpPlace{nil}}}},
		Availability{ID: "a", Slots: []Slot{{}}, Rows: []AvailabilityRow{{Name: "Kestrel"}}},
		Range{ID: "Bad Id"},
	} {
		if _, err := NewRenderer(1).Draw(t.Context(), []Chart{c}); err == nil {
			t.Errorf("%#v: no error", c)
		}
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := NewRenderer(2).Draw(ctx, []Chart{samples()["range"]}); err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

// Functions come from runtime.js alone, and only under the keys that may hold
// one.
func TestRevive(t *testing.T) {
	m, err := newMachine()
	if err != nil {
		t.Fatal(err)
	}
	for option, want := range map[string]string{
		`{"formatter":"@fn:ms"}`:               "function",
		`{"formatter":"function(){return 1}"}`: "error",
		`{"formatter":"@fn:constructor"}`:      "error",
		`{"formatter":"@fn:__proto__"}`:        "error",
		`{"text":"@fn:ms"}`:                    "string",
		`{"data":[{"formatter":"@fn:ms"}]}`:    "string",
	} {
		v, err := m.js.RunString(`(function () {
			var o = Aircheck.revive(` + option + `);
			return typeof (o.data ? o.data[0].formatter : o.formatter || o.text);
		})()`)
		got := "error"
		if err == nil {
			got = v.String()
		}
		if got != want {
			t.Errorf("revive(%s): %s, want %s", option, got, want)
		}
	}
}

// The engine's tick labels and the page's read the same.
func TestTickLabelsAgree(t *testing.T) {
	m, err := newMachine()
	if err != nil {
		t.Fatal(err)
	}
	ms, _ := goja.AssertFunction(m.js.Get("Aircheck").ToObject(m.js).Get("functions").ToObject(m.js).Get("ms"))
	for _, v := range (Scale{0.01, 200_000}).Ticks(5000, 10) {
		got, err := ms(goja.Undefined(), m.js.ToValue(v))
		if err != nil || got.String() != human.Tick(v) {
			t.Errorf("tick %v: %v (%v), want %q", v, got, err, human.Tick(v))
		}
	}
}

// The committed bundle is the one that its checksum was taken of.
func TestBundleChecksum(t *testing.T) {
	line, err := os.ReadFile("echarts/echarts.min.js.sha256")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(echartsJS))
	if want, _, _ := strings.Cut(string(line), " "); hex.EncodeToString(sum[:]) != want {
		t.Error("echarts.min.js is not what build.sh wrote")
	}
}

func BenchmarkDraw(b *testing.B) {
	r := NewRenderer(2)
	var charts []Chart
	for _, c := range samples() {
		charts = append(charts, c)
	}
	for b.Loop() {
		if _, err := r.Draw(b.Context(), charts); err != nil {
			b.Fatal(err)
		}
	}
}
