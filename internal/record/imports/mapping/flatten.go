package mapping

import (
	"bytes"
	"fmt"
	"io"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/record/imports/ledger"
)

// flatteners make plain records of documents whose records no path can reach.
var flatteners = map[string]func(doc any) []any{
	"otel":      otelSpans,
	"langsmith": langsmithRuns,
}

// flattened reads a JSON document whole and takes what its flattener makes of it.
func (r *reading) flattened() error {
	in, err := input.Open(r.path)
	if err != nil {
		return err
	}
	defer in.Close()
	data, err := io.ReadAll(io.LimitReader(in, limits.ImportWhole+1))
	if err != nil {
		return err
	}
	if len(data) > limits.ImportWhole {
		return &input.ErrLimit{What: fmt.Sprintf("a document of more than %d MiB, which is read whole: export it one a line", limits.ImportWhole>>20)}
	}
	if _, err := jsonstream.Project(bytes.NewReader(data), nil, nil); err != nil {
		return r.jsonFault(err)
	}
	doc, replaced, err := whole.Decode(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")))
	if err != nil {
		return r.jsonFault(err)
	}
	for range replaced {
		r.account.Null("NaN or Infinity in JSON")
	}
	if err := r.refuse(doc); err != nil {
		return err
	}
	for i, record := range flatteners[r.m.Flatten](doc) {
		if err := r.record(record, nil, doc, ledger.Place{Record: i + 1}); err != nil {
			return err
		}
	}
	return nil
}

// at follows member names; nil where they lead nowhere.
func at(v any, names ...string) any {
	for _, n := range names {
		m, _ := v.(map[string]any)
		v = m[n]
	}
	return v
}

func list(v any) []any { l, _ := v.([]any); return l }

// first is the first of several values that is one.
func first(values ...any) any {
	for _, v := range values {
		if !nothing(v) {
			return v
		}
	}
	return nil
}
