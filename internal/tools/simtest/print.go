package simtest

import (
	"fmt"
	"io"
	"text/tabwriter"

	"aircheck/internal/analyze/stats"
)

// Limits of errors and of the intervals' coverage.
const (
	MaxFalse       = 0.05 // of data sets, in a cell: the lower end of its exact interval may not lie above
	MaxFalsePooled = 0.06 // over a world's cells: the upper end must lie below
	MinCover       = 0.95 // of sides, in a cell: the upper end at 99 % may not lie below
	MinCoverPooled = 0.94 // over all cells
	MinCoverSteps  = 0.92 // of changes over time: where levels wander they are withheld, and their intervals are short
)

// Print runs cells, writes a line for each and for each world, and gives those
// that miss a limit.
func Print(out io.Writer, cells []World, first, seeds, workers int) (missed []string, err error) {
	return printed(out, cells, seeds, MinCover, func(w World) Rate { return w.Run(first, seeds, workers) })
}

// PrintSteps is Print for changes over time: false pairs are false changes.
func PrintSteps(out io.Writer, cells []World, first, seeds, workers int) (missed []string, err error) {
	return printed(out, cells, seeds, MinCoverSteps, func(w World) Rate { return w.RunSteps(first, seeds, workers) })
}

func printed(out io.Writer, cells []World, seeds int, cover float64, run func(World) Rate) (missed []string, err error) {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "shape\tworld\tstatistic\twindows\tfalse pair %\t\tfalse flip %\tfound %\toracle %\twithheld %\tcovered %\t")
	type key struct {
		name      string
		statistic Statistic
		shape     Shape
	}
	pooled := map[key]*Rate{}
	var order []key
	var all Rate
	miss := func(format string, a ...any) string {
		missed = append(missed, fmt.Sprintf(format, a...))
		return "FAIL"
	}
	for _, w := range cells {
		r := run(w)
		lo, hi := stats.ClopperPearson(r.FalseSides, seeds, 0.95)
		word := ""
		if w.Held() {
			word = "pass"
			where := fmt.Sprintf("%d × %d, %s, %s, %d windows", w.Providers, w.Models, w.Name, w.Statistic, w.Windows)
			if lo > MaxFalse {
				word = miss("%s: a false pair in %.1f %% (%.1f–%.1f)", where, percent(r.FalseSides, seeds), 100*lo, 100*hi)
			}
			if l, _ := stats.ClopperPearson(r.FalseFlips, seeds, 0.95); l > MaxFalse {
				word = miss("%s: a false flip in %.1f %%", where, percent(r.FalseFlips, seeds))
			}
			if high := r.coverHigh(); r.Intervals > 0 && !w.SlowFail && high < cover {
				word = miss("%s: intervals cover %.1f %% (up to %.1f)", where, percent(r.Covered, r.Intervals), 100*high)
			}
			k := key{w.Name, w.Statistic, Shape{w.Providers, w.Models}}
			if pooled[k] == nil {
				pooled[k], order = &Rate{}, append(order, k)
			}
			pooled[k].add(r)
			all.add(r)
		}
		fmt.Fprintf(t, "%d × %d\t%s\t%s\t%d\t%.1f\t(%.1f–%.1f)\t%.1f\t%s\t%s\t%.0f\t%s\t%s\n", w.Providers, w.Models, w.Name, w.Statistic, w.Windows,
			percent(r.FalseSides, seeds), 100*lo, 100*hi, percent(r.FalseFlips, seeds), part(r.Found, r.Planted), part(r.Oracle, r.Planted),
			percent(r.Withheld, r.Sides), part(r.Covered, r.Intervals), word)
	}
	for _, k := range order {
		r := pooled[k]
		lo, hi := stats.ClopperPearson(r.FalseSides, r.Seeds, 0.95)
		word := "pass"
		if hi >= MaxFalsePooled {
			word = miss("%d × %d, %s, %s, all windows: a false pair in %.1f %% (up to %.1f)", k.shape.Providers, k.shape.Models, k.name, k.statistic, percent(r.FalseSides, r.Seeds), 100*hi)
		}
		fmt.Fprintf(t, "%d × %d\t%s\t%s\tall held\t%.1f\t(%.1f–%.1f)\t%.1f\t\t\t%.0f\t%s\t%s\n", k.shape.Providers, k.shape.Models, k.name, k.statistic,
			percent(r.FalseSides, r.Seeds), 100*lo, 100*hi, percent(r.FalseFlips, r.Seeds), percent(r.Withheld, r.Sides), part(r.Covered, r.Intervals), word)
	}
	if all.Intervals > 0 && percent(all.Covered, all.Intervals) < 100*MinCoverPooled {
		miss("intervals of all cells cover %.1f %%", percent(all.Covered, all.Intervals))
	}
	return missed, t.Flush()
}

func percent(k, n int) float64 { return 100 * float64(k) / float64(max(1, n)) }

// part is empty where there is nothing to count.
func part(k, n int) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", percent(k, n))
}
