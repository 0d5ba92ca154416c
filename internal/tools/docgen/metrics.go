package main

import (
	"context"
	"fmt"
	"regexp"
	"strings"
)

// metricsPage documents the registry of metrics, and the formulas of the
// statistics that are stated of them.
func metricsPage(ctx context.Context, s *source, w *strings.Builder) error {
	metrics, err := s.registry(ctx, "metrics", "ORDER BY place")
	if err != nil {
		return err
	}
	w.WriteString(`# Metrics

Everything that ` + "`latency`, `ranks`, `flips`, `champions` and `drift`" + ` say is said of these. The registry is
[queries/core/metrics.sql](../queries/core/metrics.sql): a new metric is one row there.

`)
	head(w, "metric", "what it is", "unit", "better", "over", "statistic", "test", "margin")
	for _, m := range metrics {
		row(w, code(m["metric"]), m["title"], m["unit"], m["better"], m["population"], m["statistic"], m["test"], margin(m))
	}
	of := s.schema.Doc("metrics").Columns
	fmt.Fprintf(w, `
- **over**: %s
- **statistic**: %s
- **test**: %s
- **margin**: %s; %s. [How two providers are compared](decisions/0010-comparing-providers.md) says why,
  and with which error rates

## What each value is

Columns of `+"`results`"+`, one row a request; [queries/core](../queries/core) derives them.

`, of["population"], of["statistic"], of["test"], of["margin_ratio"], of["margin_abs"])
	head(w, "column or expression", "meaning", "stated as")
	results := s.schema.Doc("results").Columns
	seen := map[string]bool{}
	for _, m := range metrics {
		column := m["source"]
		if column == "" || seen[column] {
			continue
		}
		seen[column] = true
		var as []string
		for _, other := range metrics {
			if other["source"] == column {
				as = append(as, other["metric"])
			}
		}
		meaning := results[column]
		if meaning == "" { // an expression over columns
			meaning = m["title"]
		}
		row(w, code(column), meaning, codes(as))
	}
	w.WriteString("\n## The statistics\n\nMacros of [queries/core/_statistics.sql](../queries/core/_statistics.sql). What SQL cannot state is Go in [stats](../internal/analyze/stats), with its sources; its results are stored as tables, so that no view needs Go to be read.\n")
	for _, m := range macros(s.schema.File("_statistics").SQL) {
		fmt.Fprintf(w, "\n%s\n\n```sql\n%s\n```\n", m.comment, m.sql)
	}
	return nil
}

// margin says in words by how much two providers must differ.
func margin(m map[string]string) string {
	var parts []string
	if r := m["margin_ratio"]; r != "" {
		parts = append(parts, percent(r))
	}
	if a := m["margin_abs"]; a != "" {
		if m["unit"] == "share" {
			parts = append(parts, percent(a)+" of attempts")
		} else {
			parts = append(parts, strings.TrimSuffix(a, ".0")+" "+m["unit"])
		}
	}
	return strings.Join(parts, " and ")
}

func percent(share string) string {
	var v float64
	fmt.Sscan(share, &v)
	return fmt.Sprintf("%g %%", 100*v)
}

type macro struct{ comment, sql string }

var statement = regexp.MustCompile(`(?ms)((?:^--[^\n]*\n)+)((?:^CREATE OR REPLACE MACRO .*?;\n)+)`)

// macros are the statements of an SQL file that create macros, each run of them
// with the comment above.
func macros(sql string) []macro {
	var out []macro
	for _, m := range statement.FindAllStringSubmatch(sql, -1) {
		var lines []string
		for line := range strings.Lines(m[1]) {
			lines = append(lines, strings.TrimPrefix(strings.TrimPrefix(strings.TrimRight(line, "\n"), "--"), " "))
		}
		out = append(out, macro{strings.Join(lines, "\n"), strings.TrimRight(m[2], "\n")})
	}
	return out
}
