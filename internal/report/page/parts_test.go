package page

import (
	"database/sql"
	"fmt"
	"math"
	"testing"
	"time"

	"aircheck/internal/report/words"
)

func p[T any](v T) *T { return &v }

var registry = map[string]words.Metric{
	"ttft_net_ms": {Name: "ttft_net_ms", Unit: "ms", MarginRatio: p(0.1), MarginAbs: p(50.0),
		Words: words.Words{Heading: "Time to first token", Does: "starts", Do: "start", Within: "first tokens arrive", Best: "first", Better: "faster", Worse: "slower"}},
	"cost_per_useful_usd": {Name: "cost_per_useful_usd", Unit: "USD", MarginRatio: p(0.1),
		Words: words.Words{Heading: "Cost per useful result", Does: "costs", Do: "cost", Best: "least", Better: "less", Worse: "more"}},
}

func contestOf(cells ...cell) *contest {
	c := &contest{metric: "ttft_net_ms", metrics: registry, cells: cells}
	c.model = "m1"
	return c
}

func ranked(provider string, p50 float64, lo, hi int64) cell {
	return cell{who: who{provider: provider}, p50: &p50, p95: p(2 * p50), rankLo: &lo, rankHi: &hi}
}

func TestFinding(t *testing.T) {
	for _, c := range []struct {
		want  string
		cells []cell
	}{
		{"A starts first, 100 ms to B’s 200 ms", []cell{ranked("B", 200, 2, 2), ranked("A", 100, 1, 1)}},
		{"half of A’s first tokens arrive within 100 ms", []cell{ranked("A", 100, 1, 1), {who: who{provider: "B"}}}},
		{"no answer arrived from any provider", []cell{{who: who{provider: "A"}}, {who: who{provider: "B"}}}},
		// An import may state answers and no times.
		{"no times are known", []cell{{who: who{provider: "A"}, answered: p(int64(3))}, {who: who{provider: "B"}}}},
		{"A has the smallest median, 100 ms; no rank is known", []cell{{who: who{provider: "A"}, p50: p(100.0)}, {who: who{provider: "B"}, p50: p(120.0)}}},
	} {
		if got := contestOf(c.cells...).finding(); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// Of flips the supported come first, then those in the setting, then by the
// smaller ratio; other metrics and sides without a ratio have no place.
func TestStrongest(t *testing.T) {
	at := func(leader1 string, times1, times2 float64, concurrency int64, verdict string) flip {
		return flip{key: key{model: "m1", concurrency: sql.NullInt64{Int64: concurrency, Valid: true}}, model2: "m2", metric: registry["ttft_net_ms"], leader1: leader1,
			leader2: "Z", times1: &times1, times2: &times2, verdict: sql.NullString{String: verdict, Valid: true}}
	}
	none := at("none", 9, 9, 1, "supported")
	none.times2 = nil
	other := at("other", 9, 9, 1, "supported")
	other.metric = words.Metric{Name: "e2e_ms"}
	all := []flip{at("weak", 9, 9, 1, "tendency"), at("small", 3, 1.1, 1, "supported"), at("elsewhere", 9, 9, 8, "supported"), none, other, at("large", 2, 1.5, 1, "supported")}
	var got []string
	for _, f := range strongest(all, "ttft_net_ms", all[0].setting()) {
		got = append(got, f.leader1)
	}
	if want := "[large small elsewhere weak]"; fmt.Sprint(got) != want {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestHeadline(t *testing.T) {
	lead := func(model string, cells ...cell) *contest {
		c := contestOf(cells...)
		c.model = model
		return c
	}
	a1, b2 := ranked("A", 100, 1, 1), ranked("B", 200, 2, 2)
	b1, a2 := ranked("B", 100, 1, 1), ranked("A", 200, 2, 2)
	at, bt := ranked("A", 100, 1, 2), ranked("B", 110, 1, 2)
	tendency := []flip{{metric: registry["ttft_net_ms"], key: key{model: "m1"}, model2: "m2", leader1: "A", leader2: "B", times1: p(1.5), times2: p(1.2)}}
	best := func(c words.Champion) []champion {
		c.Metric = registry["ttft_net_ms"]
		return []champion{{Champion: c, unbeaten: "A"}}
	}
	open := best(words.Champion{Models: 2, Candidates: 2})
	for _, c := range []struct {
		want  string
		main  []*contest
		flips []flip
		best  []champion
	}{
		{"On m1, A starts first, 100 ms to B’s 200 ms", []*contest{lead("m1", a1, b2)}, nil, nil},
		{"On m1, no answer arrived from any provider", []*contest{lead("m1", cell{who: who{provider: "A"}})}, nil, nil},
		{"A starts first on both models", []*contest{lead("m1", a1, b2), lead("m2", a1, b2)}, nil,
			best(words.Champion{Claim: "one", Provider: "A", Models: 2, ChampionModels: 2})},
		{"No provider starts first on both models: each of 2 that could is beaten on one at least", []*contest{lead("m1", a1, b2), lead("m2", b1, a2)}, nil,
			best(words.Champion{Claim: "none", Models: 2, Candidates: 2})},
		// What is decided comes before what is open, and the best shown first.
		{"On m2, A starts first, 100 ms to B’s 200 ms", []*contest{lead("m1", at, bt), lead("m2", a1, b2)}, tendency, open},
		{"A tends to start 1.5× faster than B on m1, and 1.2× slower on m2", []*contest{lead("m1", at, bt), lead("m2", at, bt)}, tendency, open},
		{"Cannot tell whether one provider starts first on both models: A is beaten on none", []*contest{lead("m1", at, bt), lead("m2", at, bt)}, nil, open},
		// Two providers on one model alone have no champion to be asked for.
		{"On m1, A and B are less than 50 ms apart", []*contest{lead("m1", at, bt), lead("m2", a1)}, nil, nil},
		{"2 models were measured, none on more than one provider", []*contest{lead("m1", a1), lead("m2", b1)}, nil, nil},
	} {
		if got := headline(c.main, c.flips, c.best); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

func TestDates(t *testing.T) {
	day := func(s string) time.Time { v, _ := time.Parse("2006-01-02", s); return v }
	for _, c := range [][3]string{
		{"2026-03-02", "2026-03-02", "2 March 2026"},
		{"2026-03-02", "2026-03-08", "2–8 March 2026"},
		{"2026-02-28", "2026-03-03", "28 February – 3 March 2026"},
		{"2025-12-30", "2026-01-02", "30 December 2025 – 2 January 2026"},
	} {
		if got := dates(nil, day(c[0]), day(c[1])); got != c[2] {
			t.Errorf("%q, want %q", got, c[2])
		}
	}
}

// Windows are the columns where providers share them; recordings made one
// provider at a time get hours or days.
func TestSlots(t *testing.T) {
	at := time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC)
	row := func(provider, slot string, hours int) window {
		first := at.Add(time.Duration(hours) * time.Hour)
		return window{who: who{provider: provider}, slot: slot, hour: first, first: first.Add(time.Minute), attempts: 5, answered: 4}
	}
	all, counts := slots(nil, []window{row("A", "r/0", 0), row("B", "r/0", 0), row("A", "r/1", 2), row("A", "r/1", 3), row("B", "r/2", 4)})
	if len(all) != 3 || all[0].tick != "10:01" || all[1].name != "window 2 of 3, 2 March 2026, 12:01 UTC" {
		t.Errorf("slots %+v", all)
	}
	if got := fmt.Sprint(counts["A"], counts["B"]); got != "[{5 4} {10 8} {0 0}] [{5 4} {0 0} {5 4}]" {
		t.Errorf("counts %s", got)
	}
	all, counts = slots(nil, []window{row("A", "r1/", 0), row("B", "r2/", 0), row("C", "r3/", 1), row("D", "r4/", 30)})
	if len(all) != 3 || all[0].name != "2 March 2026, 10:01 UTC" || counts["B"][0].Attempts != 5 {
		t.Errorf("hours %+v %v", all, counts)
	}
	all, _ = slots(nil, []window{row("A", "r1/", 0), row("B", "r2/", 5), row("C", "r3/", 400)})
	if len(all) != 2 || all[1].tick != "19 Mar" {
		t.Errorf("days %+v", all)
	}
}

// Names that differ only in case, or of which nothing is left, have files of their
// own.
func TestFilesOfTheirOwn(t *testing.T) {
	taken := map[string]bool{}
	for i, want := range []string{"a", "a-2", "a-3", "x", "x-2"} {
		if got := unique(taken, slug([]string{"a", "A", "a ", "江", "流"}[i])); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	taken := map[string]bool{}
	for _, c := range [][2]string{{"meta/Llama-3.1 8B", "meta-llama-3-1-8b"}, {"meta_llama 3.1-8b", "meta-llama-3-1-8b-2"}, {"云帆", "x"}, {"江流", "x-2"}, {"--a--", "a"}} {
		if got := unique(taken, slug(c[0])); got != c[1] {
			t.Errorf("slug of %q: %q, want %q", c[0], got, c[1])
		}
	}
}

// A model's main contest is in the setting that has windows for a test; of
// several, in the one that most models share.
func TestOrder(t *testing.T) {
	k := func(model, scenario string, concurrency, windows int64) *contest {
		c := contestOf(ranked("A", 100, 1, 2), ranked("B", 110, 1, 2))
		c.key = key{model: model, scenario: sql.NullString{String: scenario, Valid: true}, concurrency: sql.NullInt64{Int64: concurrency, Valid: concurrency > 0}}
		for i := range c.cells {
			c.cells[i].windows = &windows
		}
		return c
	}
	all := []*contest{k("b", "all", 0, 1), k("b", "chat", 8, 8), k("a", "rag", 1, 8), k("b", "chat", 1, 8), k("a", "chat", 1, 8)}
	order(all)
	label(all, nil)
	var got []string
	for _, c := range all {
		got = append(got, c.where())
	}
	want := "[a, chat, 1 at a time a, rag, 1 at a time b, chat, 1 at a time b, chat, 8 at a time b, all, concurrency not stated]"
	if fmt.Sprint(got) != want {
		t.Errorf("%v, want %v", got, want)
	}
}

// Best is what a test says, not the smallest number.
func TestBest(t *testing.T) {
	first, second := ranked("A", 100, 1, 2), ranked("B", 110, 1, 2)
	first.cost, second.cost, second.costRankLo, second.costRankHi = p(0.002), p(0.001), p(int64(1)), p(int64(1))
	v := contestOf(first, second).verdict("v-", scaleOf(contestOf(first)))
	if v.Rows[0].P50.Best || v.Rows[0].Cost.Best || !v.Rows[1].Cost.Best {
		t.Errorf("%+v", v.Rows)
	}
}

// A provider that entered with several sets of parameters is a row for each.
func TestParams(t *testing.T) {
	low, none := sql.NullString{String: `{"top_p":1,"reasoning_effort":"low"}`, Valid: true}, sql.NullString{}
	d := &data{cells: []cell{{who: who{provider: "A", params: low}}, {who: who{provider: "A", params: none}}, {who: who{provider: "B", params: low}}},
		tails: []tailPoint{{who: who{provider: "A", params: low}}}}
	d.name()
	if got := fmt.Sprintf("%v, %s", providers(d.cells), d.tails[0].provider); got != "[A (reasoning_effort low, top_p 1) A (no parameters) B], A (reasoning_effort low, top_p 1)" {
		t.Error(got)
	}
}

// The note counts the rows that are there: what reads 1.0× has none.
func TestFlipsLeftOut(t *testing.T) {
	f := flip{leader1: "A", leader2: "B", times1: p(1.5), times2: p(1.2), pairs: 25}
	if got := fmt.Sprint(flipTable(nil, nil, []flip{f, f}).Notes); got != "[2 of 25 pairs, the strongest; the view flips has all]" {
		t.Error(got)
	}
	f.pairs = 1
	if got := flipTable(nil, nil, []flip{f}).Notes; got != nil {
		t.Error(got)
	}
}

// To pass another takes the margin: a tenth and 50 ms, whichever is more; what is
// under 50 ms cannot be passed.
func TestToPass(t *testing.T) {
	m := registry["ttft_net_ms"]
	for level, want := range map[float64]float64{1100: 1000, 200: 150, 40: 0} {
		if got := m.Below(level); math.Abs(got-want) > 1e-9 {
			t.Errorf("below %v: %v, want %v", level, got, want)
		}
	}
	if v := toPass(nil, m.Below(40)); v.Why == "" {
		t.Errorf("%+v", v)
	}
}
