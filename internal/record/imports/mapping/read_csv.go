package mapping

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/ledger"
)

// csv reads rows under a header. A row of another width is a fault of its own.
func (r *reading) csv() error {
	in, err := input.Open(r.path)
	if err != nil {
		return err
	}
	defer in.Close()
	record := &recordBound{in: in}
	b := bufio.NewReaderSize(record, 64<<10)
	if head, _ := b.Peek(3); bytes.Equal(head, []byte("\xEF\xBB\xBF")) {
		b.Discard(3)
	}
	rows := csv.NewReader(b)
	rows.ReuseRecord = true
	switch {
	case r.m.Delimiter != "":
		rows.Comma = []rune(r.m.Delimiter)[0]
	case input.Ext(r.account.Name) == ".tsv":
		rows.Comma = '\t'
	}
	head, err := rows.Read()
	if err == io.EOF {
		return nil
	}
	if err != nil {
		r.account.Refuse(ledger.Place{Line: 1}, "not CSV: it begins with %q", beginning(r.path))
		return errRefused
	}
	names := r.headers(head)
	line := 1
	for first := true; ; first = false {
		record.n = 0
		fields, err := rows.Read()
		if err == io.EOF {
			return nil
		}
		var bad *csv.ParseError
		if errors.As(err, &bad) {
			r.account.Fault(ledger.Place{Line: bad.StartLine}, "not a row of the table: %v", bad.Err)
			continue
		}
		if err != nil {
			r.account.Fault(ledger.Place{Line: line + 1}, "cannot be read further: %v", err)
			return nil
		}
		row := make(map[string]any, len(fields))
		for i, f := range fields {
			if f == "" || names[i] == "" { // an empty field is no value
				continue
			}
			if !utf8.ValidString(f) {
				r.account.Null("bytes that are not UTF-8")
				f = strings.ToValidUTF8(f, "\uFFFD")
			}
			row[names[i]] = f
		}
		if first {
			if err := r.refuse(row); err != nil {
				return err
			}
		}
		line, _ = rows.FieldPos(0)
		if err := r.record(row, nil, row, ledger.Place{Line: line}); err != nil {
			return err
		}
	}
}

// headers are the names of the columns. Of two columns of one name the first
// counts, and the account says so.
func (r *reading) headers(head []string) []string {
	names, seen := make([]string, len(head)), map[string]bool{}
	for i, h := range head {
		h = strings.TrimSpace(strings.ToValidUTF8(h, "\uFFFD"))
		if seen[h] && h != "" {
			r.account.Doubt(fmt.Sprintf("column %q stands in the header more than once, its first one was read", h))
			continue
		}
		seen[h], names[i] = true, h
	}
	return names
}

// recordBound ends a file with a record beyond the bound: a quotation mark
// without its other half takes all that follows.
type recordBound struct {
	in io.Reader
	n  int64 // bytes since a record was taken
}

func (b *recordBound) Read(p []byte) (int, error) {
	if b.n > limits.ImportRecord {
		return 0, &input.ErrLimit{What: fmt.Sprintf("a record of more than %d MiB", limits.ImportRecord>>20)}
	}
	n, err := b.in.Read(p)
	b.n += int64(n)
	return n, err
}
