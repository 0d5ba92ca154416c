// Package sqltest runs plain-text tests of the SQL files: a few rows in, a
// query, the rows out, small enough to check by hand.
//
//	# what the case is about; a line that begins with # is for the reader
//
//	table results
//	request_id,provider,ttft_ms
//	1,a,100
//	2,a,300
//
//	query
//	SELECT provider, p50 FROM latency WHERE metric = 'ttft_ms'
//
//	expect
//	provider,p50
//	a,200
//
// A file has one or more cases, each begins with a table or query block that
// follows an expect block. Blocks end at a blank line. A table block gives rows
// of a view or table, in CSV; columns that it does not name are NULL, an empty
// field is NULL, "" is an empty string; cell_id and contest_id follow from the
// names of the row. Views that the query needs and no table
// block gives are loaded from their SQL files, and steps of the program are
// run. A query may also state the error that it must fail with:
//
//	error
//	part of the message
package sqltest

import (
	"encoding/csv"
	"fmt"
	"strings"
)

// Case is one test of a file.
type Case struct {
	Line   int
	Name   string // the comment above it
	Tables []Table
	Query  string
	Expect [][]string // header first
	Error  string     // part of the message that the query must fail with
}

// Table is the rows of one input; nulls marks fields that were left empty.
type Table struct {
	Line int
	Name string
	Rows [][]Field // header first
}

// Field is one CSV field.
type Field struct {
	Text string
	Null bool
}

// Parse reads a test file.
func Parse(text string) ([]Case, error) {
	var cases []Case
	var c *Case
	done := true // the case at hand has its expectation
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	var comment []string
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSpace(lines[i])
		switch {
		case line == "":
			continue
		case strings.HasPrefix(line, "#"):
			comment = append(comment, strings.TrimSpace(strings.TrimLeft(line, "#")))
			continue
		}
		word, arg, _ := strings.Cut(line, " ")
		start := i + 1
		var block []string
		for i++; i < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
			block = append(block, lines[i])
		}
		if (word == "table" || word == "query") && done {
			cases = append(cases, Case{Line: start, Name: strings.Join(comment, " ")})
			c, done, comment = &cases[len(cases)-1], false, nil
		}
		if c == nil {
			return nil, fmt.Errorf("line %d: %q stands before any table or query", start, word)
		}
		switch word {
		case "table":
			rows, err := fields(block)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", start, err)
			}
			c.Tables = append(c.Tables, Table{start, strings.TrimSpace(arg), rows})
		case "query":
			if c.Query != "" {
				return nil, fmt.Errorf("line %d: a second query before expect", start)
			}
			c.Query = strings.Join(block, "\n")
		case "expect":
			rows, err := fields(block)
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", start, err)
			}
			for _, r := range rows {
				var row []string
				for _, f := range r {
					row = append(row, f.shown())
				}
				c.Expect = append(c.Expect, row)
			}
			done = true
		case "error":
			c.Error, done = strings.TrimSpace(strings.Join(block, "\n")), true
		default:
			return nil, fmt.Errorf("line %d: %q is none of table, query, expect, error", start, word)
		}
		if done && (c.Query == "" || len(c.Expect) == 0 && c.Error == "") {
			return nil, fmt.Errorf("line %d: a case needs a query and what it must give", c.Line)
		}
	}
	if !done {
		return nil, fmt.Errorf("line %d: the case has no expect block", c.Line)
	}
	return cases, nil
}

// null is how NULL is shown in expectations and results: nothing.
func (f Field) shown() string {
	if f.Text == "" && !f.Null {
		return `""`
	}
	return f.Text
}

// fields reads CSV and tells an empty field from an empty string, which
// encoding/csv does not.
func fields(block []string) ([][]Field, error) {
	if len(block) == 0 {
		return nil, fmt.Errorf("an empty block: want a header line at least")
	}
	const empty = "\x00"
	text := strings.Join(block, "\n")
	var marked strings.Builder
	for i, inside := 0, false; i < len(text); i++ {
		atStart := i == 0 || text[i-1] == ',' || text[i-1] == '\n'
		atEnd := i+2 >= len(text) || text[i+2] == ',' || text[i+2] == '\n'
		if !inside && atStart && strings.HasPrefix(text[i:], `""`) && atEnd {
			marked.WriteString(empty)
			i++
			continue
		}
		if text[i] == '"' {
			inside = !inside
		}
		marked.WriteByte(text[i])
	}
	r := csv.NewReader(strings.NewReader(marked.String()))
	r.TrimLeadingSpace = false
	records, err := r.ReadAll()
	if err != nil {
		return nil, err
	}
	var out [][]Field
	for _, rec := range records {
		row := make([]Field, len(rec))
		for i, v := range rec {
			row[i] = Field{Text: strings.ReplaceAll(v, empty, ""), Null: v == ""}
		}
		out = append(out, row)
	}
	return out, nil
}
