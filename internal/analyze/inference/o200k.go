package inference

import (
	"context"
	"unicode/utf8"

	"aircheck/internal/analyze/decode"
)

var o200kStep = &Step{
	Name: "_o200k", Key: []string{"request_id"}, Version: 1,
	Needs:   []string{"_sampled_answers"},
	Columns: "request_id BIGINT, whole BOOLEAN, chars BIGINT, tokens BIGINT, answer_tokens BIGINT, reasoning_tokens BIGINT, input_tokens BIGINT",
	Run:     o200kRows,
}

// sampled is one answer and what it comes to.
type sampled struct {
	id                     int64
	whole                  bool
	text, reasoning, body  *string
	chars, answer, thought int64
	input                  *int64
}

// o200kRows counts the sampled answers, on all workers.
func o200kRows(ctx context.Context, s *Call) error {
	rows, err := s.Conn.QueryContext(ctx, "SELECT request_id, whole, text, reasoning, request_body FROM _sampled_answers ORDER BY request_id")
	if err != nil {
		return err
	}
	defer rows.Close()
	var all []*sampled
	for rows.Next() {
		a := &sampled{}
		if err := rows.Scan(&a.id, &a.whole, &a.text, &a.reasoning, &a.body); err != nil {
			return err
		}
		all = append(all, a)
	}
	if err := rows.Err(); err != nil || len(all) == 0 {
		return err
	}
	codec, err := decode.O200k()
	if err != nil {
		return err
	}
	if err := shareOut(ctx, len(all), s.In.Options.Threads(), func(i int) { all[i].count(codec) }); err != nil {
		return err
	}
	for _, a := range all {
		var input any
		if a.input != nil {
			input = *a.input
		}
		if err := s.Append(a.id, a.whole, a.chars, a.answer+a.thought, a.answer, a.thought, input); err != nil {
			return err
		}
	}
	return nil
}

func (a *sampled) count(codec *decode.Counter) {
	for _, part := range []struct {
		text *string
		into *int64
	}{{a.text, &a.answer}, {a.reasoning, &a.thought}} {
		if part.text != nil {
			*part.into = codec.Count(*part.text)
			a.chars += int64(utf8.RuneCountInString(*part.text))
		}
	}
	if a.body != nil {
		a.input = codec.RequestTokens(*a.body)
	}
}
