package page

import (
	"cmp"
	"fmt"
	"slices"

	"aircheck/internal/sentence"
)

// faults counts the audit's faults, of one model or, with "", of all; "" where
// there are none.
func faults(audit []found, model string) string {
	var n int64
	for _, f := range audit {
		if f.severity == "fault" && (model == "" || f.model == model) {
			n += f.cells
		}
	}
	if n == 0 {
		return ""
	}
	return sentence.Faults(n)
}

// listed says in how many cells each rule is broken, the most first.
func listed(audit []found, severity string) []string {
	cells, rules := map[string]int64{}, []string{}
	for _, f := range audit {
		if f.severity == severity {
			if cells[f.finding] == 0 {
				rules = append(rules, f.finding)
			}
			cells[f.finding] += f.cells
		}
	}
	slices.SortStableFunc(rules, func(a, b string) int { return cmp.Compare(cells[b], cells[a]) })
	for i, r := range rules {
		rules[i] = fmt.Sprintf("%s (%s)", r, plural(cells[r], "cell"))
	}
	return rules
}
