package groundtruth

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"text/tabwriter"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/duck"
)

// Finding is how often something was found, of how many worlds.
type Finding struct {
	What    string
	Planted bool // it is there in every world; else any that was found is a false alarm
	Found   int
	Of      int
}

// Interval is Wilson's, at a confidence that no run of tests trips over.
func (f Finding) Interval() stats.Estimate { return stats.Wilson(f.Found, f.Of, 0.999) }

// Wrong says what is wrong with a finding that chance does not explain; "" if
// nothing: more than 5 % of false alarms, or less than 80 % of what was planted.
func (f Finding) Wrong() string {
	switch e := f.Interval(); {
	case f.Planted && *e.Hi < 0.8:
		return "found too seldom"
	case !f.Planted && *e.Lo > 0.05:
		return "false alarms"
	}
	return ""
}

// questions are asked of every world, whose scenario is each row's first
// column; the second says whether it was found.
var questions = []struct {
	what    string
	planted bool
	query   string
}{
	{"agreement: another build differs", true, pairQuery(Plain, Build)},
	{"agreement: twins differ", false, pairQuery(Plain, Twin)},
	{"fidelity: cut short", true, cellQuery("fidelity", Cutter, "cut_short > 0")},
	{"fidelity: cut short where nothing was cut", false, `SELECT scenario, bool_or(cut_short > 0) FROM fidelity WHERE provider NOT IN ('` + Cutter + `') GROUP BY ALL`},
	{"thinking: off and was not", true, cellQuery("thinking", Thinker, "off_ignored = off AND off > 0")},
	{"thinking: off, and was off", false, cellQuery("thinking", Plain, "off_ignored > 0")},
	{"thinking: not turned off, said to be ignored", false, `SELECT scenario, bool_or(off_ignored > 0 OR off_suspect > 0 OR off_misplaced > 0) FROM thinking WHERE provider <> '` + Thinker + `' GROUP BY ALL`},
	{"thinking: budget eaten", true, cellQuery("thinking", Eater, "budget_eaten > 0 AND starved = budget_eaten")},
	{"thinking: budget eaten where it was not", false, `SELECT scenario, bool_or(budget_eaten > 0 OR starved > 0) FROM thinking WHERE provider <> '` + Eater + `' GROUP BY ALL`},
	{"costs: two prices", true, cellQuery("costs", Dearer, "prices = 2 AND warning LIKE '%2 prices held%'")},
	{"costs: two prices where one held", false, `SELECT scenario, bool_or(prices > 1 OR undated > 0) FROM costs WHERE provider <> '` + Dearer + `' GROUP BY ALL`},
}

func cellQuery(view, provider, condition string) string {
	return fmt.Sprintf("SELECT scenario, %s FROM %s WHERE provider = '%s'", condition, view, provider)
}

func pairQuery(a, b string) string {
	return fmt.Sprintf("SELECT scenario, coalesce(claim = 'differs' AND verdict = 'supported', false) FROM agreement WHERE provider_a = '%s' AND provider_b = '%s'", a, b)
}

// Count writes worlds of so many seeds into one dataset below dir, builds it
// and counts what its views find. Faults of single worlds, which no chance
// explains, are listed apart.
func Count(ctx context.Context, dir string, seeds int) (findings []Finding, faults []string, err error) {
	truths, o, err := write(dir, seeds)
	if err != nil {
		return nil, nil, err
	}
	r, err := build.Open(ctx, o)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	for _, q := range questions {
		t, err := duck.Query(ctx, r, q.what, q.query)
		if err != nil {
			return nil, nil, err
		}
		f := Finding{What: q.what, Planted: q.planted, Of: seeds}
		if len(t.Rows) != seeds {
			faults = append(faults, fmt.Sprintf("%s: %d rows for %d worlds", q.what, len(t.Rows), seeds))
		}
		for _, row := range t.Rows {
			if row[1] == true {
				f.Found++
			}
		}
		findings = append(findings, f)
	}
	coverage, more, err := counted(ctx, r, truths)
	return append(findings, coverage), append(faults, more...), err
}

func write(dir string, seeds int) ([]*Truth, build.Options, error) {
	o := build.Options{Dir: filepath.Join(dir, "traces"), Prices: filepath.Join(dir, "prices.yaml")}
	d, err := Create(o.Dir, "worlds")
	if err != nil {
		return nil, o, err
	}
	var truths []*Truth
	for seed := range seeds {
		t, err := d.Write(seed)
		if err != nil {
			return nil, o, err
		}
		truths = append(truths, t)
	}
	if err := d.Seal(); err != nil {
		return nil, o, err
	}
	return truths, o, os.WriteFile(o.Prices, []byte(Prices), 0o644)
}

// counted compares what must be exact, and counts how often the interval of
// dollars per useful result holds the true one.
func counted(ctx context.Context, r *build.Reader, truths []*Truth) (f Finding, faults []string, err error) {
	f = Finding{What: "costs: the interval misses what a useful result costs", Of: len(truths)}
	t, err := duck.Query(ctx, r, "costs", fmt.Sprintf(`
		SELECT d.scenario, round(d.spend_high_usd * 1e9)::BIGINT, p.cost_per_useful_lo_usd, p.cost_per_useful_hi_usd, k.starved
		FROM costs d
		JOIN costs p ON p.scenario = d.scenario AND p.provider = '%s'
		JOIN thinking k ON k.scenario = d.scenario AND k.provider = '%s'
		WHERE d.provider = '%s' ORDER BY ALL`, Pool, Eater, Dearer))
	if err != nil {
		return f, nil, err
	}
	for i, row := range t.Rows {
		truth := truths[i]
		if row[1] != truth.Cost {
			faults = append(faults, fmt.Sprintf("%v: Dearer cost %v nano-dollars, want %d", row[0], row[1], truth.Cost))
		}
		if row[4] != int64(truth.Starved) {
			faults = append(faults, fmt.Sprintf("%v: %v starved, want %d", row[0], row[4], truth.Starved))
		}
		lo, isLo := row[2].(float64)
		hi, isHi := row[3].(float64)
		if isLo && lo > truth.PerUseful || isHi && hi < truth.PerUseful {
			f.Found++
		}
	}
	cut, err := duck.Query(ctx, r, "endings", "SELECT scenario, sum(cut_short)::BIGINT FROM fidelity WHERE provider = '"+Cutter+"' GROUP BY ALL ORDER BY ALL")
	if err != nil {
		return f, faults, err
	}
	for i, row := range cut.Rows {
		if n := int64(len(truths[i].Cut)); row[1].(int64) > n {
			faults = append(faults, fmt.Sprintf("%v: %v cut short, want %d at most", row[0], row[1], n))
		}
	}
	return f, faults, nil
}

// Print writes findings as a table, with the ends of Wilson's interval.
func Print(out io.Writer, findings []Finding) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "what\tplanted\tfound\tof worlds\tshare\t99.9 % interval")
	for _, f := range findings {
		planted := "no"
		if f.Planted {
			planted = "yes"
		}
		e := f.Interval()
		fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%.1f %%\t%.1f–%.1f %%\n", f.What, planted, f.Found, f.Of, 100**e.Value, 100**e.Lo, 100**e.Hi)
	}
	return t.Flush()
}
