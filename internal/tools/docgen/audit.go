package main

import (
	"context"
	"strings"
)

// auditPage documents the rules that every cell is held to.
func auditPage(ctx context.Context, s *source, w *strings.Builder) error {
	rules, err := s.registry(ctx, "audit_rules", "")
	if err != nil {
		return err
	}
	w.WriteString(`# What audit looks for

The view ` + "`audit`" + ` has one row for each cell and each of these rules that it breaks. A *fault* says that the
cell's figures must not be taken at their face, a *note* what a reader should know. A rule that the data
cannot be asked (no schedule, no connection, no prompt recorded) gives no row.

`)
	head(w, "rule", "finding", "value", "note", "fault")
	for _, r := range rules {
		sign := "above "
		if r["worse"] == "lower" {
			sign = "under "
		}
		row(w, code(r["rule"]), r["finding"], r["value_is"], limit(sign, r["note_at"]), limit(sign, r["fault_at"]))
	}
	w.WriteString("\nThe values are computed by [queries/audit/_audited.sql](../queries/audit/_audited.sql), the limits stand in [audit_rules.sql](../queries/audit/audit_rules.sql).\n")
	return nil
}

func limit(sign, value string) string {
	if value == "" {
		return ""
	}
	return sign + value
}
