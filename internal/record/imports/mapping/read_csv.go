package mapping

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"aircheck/internal/record/imports/ledger"
)

// csv reads rows under a header. A row of another width is a fault of its own.
func (r *reading) csv() error {
	in, err := Open(r.path)
	if err != nil {
		return err
	}
	defer in.Close()
	b := bufio.NewReaderSize(in, 64<<10)
	if head, _ := b.Peek(3); bytes.Equal(head, []byte("\xEF\xBB\xBF")) {
		b.Discard(3)
	}
	rows := csv.NewReader(b)
	rows.ReuseRecord = true
	switch {
	case r.m.Delimiter != "":
		rows.Comma = []rune(r.m.Delimiter)[0]
	case strings.HasSuffix(strings.TrimSuffix(strings.ToLower(filepath.Base(r.path)), ".gz"), ".tsv"):
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
	names := make([]string, len(head))
	for i, h := range head {
		names[i] = strings.TrimSpace(h)
	}
	for first := true; ; first = false {
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
			line, _ := rows.FieldPos(0)
			r.account.Fault(ledger.Place{Line: line}, "cannot be read further: %v", err)
			return nil
		}
		record := make(map[string]any, len(fields))
		for i, f := range fields {
			if f != "" { // an empty field is no value
				record[names[i]] = f
			}
		}
		if first {
			if err := r.refuse(record); err != nil {
				return err
			}
		}
		line, _ := rows.FieldPos(0)
		if err := r.record(record, nil, record, ledger.Place{Line: line}); err != nil {
			return err
		}
	}
}
