package main

import (
	"bufio"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"strings"
	"unicode/utf8"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
)

var formats = []string{"table", "json", "csv", "markdown", "vertical", "parquet"}

// answer runs a query and writes its rows; it gives their number.
func answer(ctx context.Context, w io.Writer, r *build.Reader, query, format string) (int64, error) {
	out := bufio.NewWriter(w)
	if format == "parquet" {
		n, err := r.Parquet(ctx, query, out)
		if err != nil {
			return n, err
		}
		return n, out.Flush()
	}
	t, err := r.Select(ctx, query)
	if err != nil {
		return 0, err
	}
	switch format {
	case "json":
		err = writeJSON(out, t)
	case "csv":
		err = writeCSV(out, t)
	case "markdown":
		writeMarkdown(out, t)
	case "vertical":
		writeVertical(out, t)
	default:
		writeTable(out, t)
	}
	if err != nil {
		return 0, err
	}
	return int64(len(t.Rows)), out.Flush()
}

// writeJSON writes an array of objects, a line each, keys in the query's order.
func writeJSON(w *bufio.Writer, t *duck.Table) error {
	w.WriteString("[")
	for i, row := range t.Rows {
		if i > 0 {
			w.WriteString(",")
		}
		w.WriteString("\n{")
		for j, v := range row {
			if j > 0 {
				w.WriteString(",")
			}
			key, err := json.Marshal(t.Columns[j])
			if err != nil {
				return err
			}
			value, err := json.Marshal(duck.JSON(v, t.Types[j]))
			if err != nil {
				return err
			}
			w.Write(key)
			w.WriteString(":")
			w.Write(value)
		}
		w.WriteString("}")
	}
	if len(t.Rows) > 0 {
		w.WriteString("\n")
	}
	w.WriteString("]\n")
	return nil
}

func writeCSV(w *bufio.Writer, t *duck.Table) error {
	c := csv.NewWriter(w)
	if err := c.Write(t.Columns); err != nil {
		return err
	}
	for _, row := range texts(t, "") {
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// texts writes all values as text.
func texts(t *duck.Table, null string) [][]string {
	var out [][]string
	for _, row := range t.Rows {
		line := make([]string, len(row))
		for j, v := range row {
			if v == nil {
				line[j] = null
			} else {
				line[j] = duck.Text(v, t.Types[j])
			}
		}
		out = append(out, line)
	}
	return out
}

func writeTable(w *bufio.Writer, t *duck.Table) {
	rows := texts(t, "NULL")
	for _, row := range rows {
		for j := range row {
			row[j] = printable(row[j])
		}
	}
	width := widths(t.Columns, rows)
	line := func(row []string) {
		for j, v := range row {
			pad := strings.Repeat(" ", width[j]-utf8.RuneCountInString(v))
			switch {
			case numeric(t.Types[j]):
				w.WriteString(pad + v)
			case j == len(row)-1:
				w.WriteString(v)
			default:
				w.WriteString(v + pad)
			}
			if j < len(row)-1 {
				w.WriteString("  ")
			}
		}
		w.WriteString("\n")
	}
	line(t.Columns)
	rule := make([]string, len(width))
	for j, n := range width {
		rule[j] = strings.Repeat("-", n)
	}
	w.WriteString(strings.Join(rule, "  ") + "\n")
	for _, row := range rows {
		line(row)
	}
}

// writeVertical writes a line a value, for rows that are wider than a screen.
func writeVertical(w *bufio.Writer, t *duck.Table) {
	width := widths(t.Columns, nil)
	widest := 0
	for _, n := range width {
		widest = max(widest, n)
	}
	for i, row := range texts(t, "NULL") {
		if i > 0 {
			w.WriteString("\n")
		}
		for j, v := range row {
			w.WriteString(t.Columns[j] + strings.Repeat(" ", widest-width[j]) + "  " + printable(v) + "\n")
		}
	}
}

func writeMarkdown(w *bufio.Writer, t *duck.Table) {
	escape := strings.NewReplacer("|", `\|`, "\n", "<br>", "\r", "", "<", "&lt;")
	line := func(row []string) { w.WriteString("| " + strings.Join(row, " | ") + " |\n") }
	head, rule := make([]string, len(t.Columns)), make([]string, len(t.Columns))
	for j, c := range t.Columns {
		head[j], rule[j] = escape.Replace(c), "---"
		if numeric(t.Types[j]) {
			rule[j] = "---:"
		}
	}
	line(head)
	line(rule)
	for _, row := range texts(t, "") {
		for j := range row {
			row[j] = escape.Replace(row[j])
		}
		line(row)
	}
}

func widths(head []string, rows [][]string) []int {
	out := make([]int, len(head))
	for _, row := range append([][]string{head}, rows...) {
		for j, v := range row {
			out[j] = max(out[j], utf8.RuneCountInString(v))
		}
	}
	return out
}

// printable keeps what a model or a provider wrote from moving the cursor.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' {
			return '⏎'
		}
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '·'
		}
		return r
	}, s)
}

func numeric(typ string) bool {
	switch {
	case strings.HasPrefix(typ, "DECIMAL"):
		return true
	}
	switch typ {
	case "TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "FLOAT", "DOUBLE":
		return true
	}
	return false
}
