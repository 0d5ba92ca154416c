package page

import (
	"cmp"
	"slices"

	"aircheck/internal/report/words"
)

// faults counts the audit's faults, of one model or, with "", of all; "" where
// there are none.
func faults(l *words.Language, audit []found, model string) string {
	if n := total(audit, "fault", model); n > 0 {
		return words.Faults(l, n)
	}
	return ""
}

func total(audit []found, severity, model string) (n int64) {
	for _, f := range audit {
		if f.severity == severity && (model == "" || f.model == model) {
			n += f.cells
		}
	}
	return n
}

// listed says in how many cells there is each fault, the most first.
func listed(l *words.Language, audit []found) []string {
	cells, findings := map[string]int64{}, []string{}
	for _, f := range audit {
		if f.severity == "fault" {
			if cells[f.finding] == 0 {
				findings = append(findings, f.finding)
			}
			cells[f.finding] += f.cells
		}
	}
	slices.SortStableFunc(findings, func(a, b string) int { return cmp.Or(cmp.Compare(cells[b], cells[a]), cmp.Compare(a, b)) })
	for i, f := range findings {
		findings[i] = l.Say("%s (%s)", l.Term(f), l.Count(cells[f], "cell"))
	}
	return findings
}
