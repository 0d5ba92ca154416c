package inference

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"aircheck/internal/analyze/settings"
	"aircheck/internal/rules/checks"
)

var checksStep = &Step{
	Name: "_checks", Key: []string{"request_id", "check_index"}, Version: 1,
	Needs:   []string{"_measures", "_answers"},
	Columns: "request_id BIGINT, check_index INTEGER, kind VARCHAR, definition VARCHAR, pass BOOLEAN, evidence VARCHAR",
	Salt: func(in *Input) (string, error) {
		if _, err := in.Rules(); err != nil { // before anything is decoded
			return "", err
		}
		b, err := settings.File(in.Options.Checks)
		return string(b), err
	},
	Run: checkRows,
}

// rules reads the file that gives checks to recordings, nil where there is none.
func (in *Input) Rules() (*checks.Rules, error) {
	if in.Options.Checks == "" {
		return nil, nil
	}
	rules, err := checks.LoadRules(in.Options.Checks)
	return rules, settings.Wrap(err)
}

// checkBatch bounds how many answers are in memory at once.
const checkBatch = 16 << 10

// checkRows judges every complete answer that has checks: those of the rules
// file where one fits, else those that it was recorded with.
func checkRows(ctx context.Context, s *Call) error {
	rules, err := s.In.Rules()
	if err != nil {
		return err
	}
	j := judge{rules: rules, append: s.Append, known: map[string]*definition{}}
	which := "complete AND checks IS NOT NULL"
	if rules != nil {
		which = "complete"
	}
	last, err := s.batches(ctx, which, checkBatch)
	if err != nil {
		return err
	}
	from := int64(-1)
	for _, to := range last {
		if err := j.between(ctx, s.Conn, which, from, to); err != nil {
			return err
		}
		from = to
	}
	return nil
}

// judge applies checks to answers.
type judge struct {
	rules  *checks.Rules
	append func(values ...any) error
	known  map[string]*definition // by text: a plan has few
}

// definition is a list of checks as recorded, or why it cannot be read.
type definition struct {
	list []checks.Check
	err  error
}

func (j *judge) between(ctx context.Context, conn *sql.Conn, which string, from, to int64) error {
	rows, err := conn.QueryContext(ctx, fmt.Sprintf(`
		SELECT m.request_id, m.scenario, m.prompt_index, m.prompt_hash, m.checks, a.request_id IS NOT NULL, coalesce(a.text, ''), coalesce(a.tool_calls, '')
		FROM (SELECT * FROM _measures WHERE %s AND request_id > %d AND request_id <= %d) m
		LEFT JOIN (SELECT * FROM _answers WHERE request_id > %d AND request_id <= %d) a ON a.request_id = m.request_id
		ORDER BY m.request_id`, which, from, to, from, to))
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var q checks.Request
		var recorded sql.NullString
		var kept bool
		var text, calls string
		if err := rows.Scan(&id, &q.Scenario, &q.PromptIndex, &q.PromptHash, &recorded, &kept, &text, &calls); err != nil {
			return err
		}
		list, wrong := j.checksOf(q, recorded)
		a := checks.Answer{Text: text}
		if calls != "" {
			if err := json.Unmarshal([]byte(calls), &a.Calls); err != nil {
				return fmt.Errorf("tool calls of request %d: %w", id, err)
			}
		}
		switch {
		case wrong != nil:
			if err := j.append(id, int32(0), nil, recorded.String, nil, "not judged: "+wrong.Error()); err != nil {
				return err
			}
			continue
		case !kept: // recorded without its content, or imported without its text
			if err := j.unjudged(id, list); err != nil {
				return err
			}
			continue
		}
		for i := range list {
			v := list[i].Judge(&a)
			if err := j.append(id, int32(i), list[i].Kind, list[i].Definition, v.Pass, v.Evidence); err != nil {
				return err
			}
		}
	}
	return rows.Err()
}

// checksOf are the checks of a request. Rules were read without fault; what was
// recorded may be anything.
func (j *judge) checksOf(q checks.Request, recorded sql.NullString) ([]checks.Check, error) {
	if r := j.rules.For(q); r != nil && r.Checks != nil {
		return r.Checks, nil
	}
	if !recorded.Valid {
		return nil, nil
	}
	d := j.known[recorded.String]
	if d == nil {
		d = &definition{}
		d.list, d.err = checks.Parse([]byte(recorded.String))
		j.known[recorded.String] = d
	}
	return d.list, d.err
}

func (j *judge) unjudged(id int64, list []checks.Check) error {
	for i := range list {
		if err := j.append(id, int32(i), list[i].Kind, list[i].Definition, nil, "not judged: the text of the answer is not in the recording"); err != nil {
			return err
		}
	}
	return nil
}
