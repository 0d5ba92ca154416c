package inference

import (
	"context"
	"database/sql"
	"slices"
	"time"

	"aircheck/internal/analyze/stats"
)

var changesStep = &Step{
	Name: "_changes", Key: []string{"provider", "model", "model_id", "scenario", "concurrency", "params", "what", "changed_at"}, Version: 1,
	Needs: []string{"_served"},
	Columns: "provider VARCHAR, model VARCHAR, model_id VARCHAR, scenario VARCHAR, concurrency INTEGER, params VARCHAR, what VARCHAR, " +
		"changed_at TIMESTAMP, last_before TIMESTAMP, value VARCHAR, share_before DOUBLE, share_after DOUBLE, n_before BIGINT, n_after BIGINT, " +
		"before VARCHAR, after VARCHAR, clean BOOLEAN, p DOUBLE",
	Run: changeRows,
}

// changeLevel is the chance that a change of shares must not exceed, of a whole
// sequence of one mixture.
const changeLevel = 0.001

// series is one sequence in time of what a provider states.
type series struct {
	provider, model           string
	modelID, scenario, params sql.NullString
	concurrency               sql.NullInt32
	what                      string

	names  []int
	runs   []stretch        // of equal values
	values []sql.NullString // by name
	index  map[sql.NullString]int
}

// stretch is a run of equal values.
type stretch struct {
	end         int // index after its last value
	first, last time.Time
}

func (s *series) same(o *series) bool {
	return s.provider == o.provider && s.model == o.model && s.modelID == o.modelID && s.scenario == o.scenario &&
		s.params == o.params && s.concurrency == o.concurrency && s.what == o.what
}

func (s *series) add(value sql.NullString, n int, first, last time.Time) {
	name, ok := s.index[value]
	if !ok {
		name = len(s.values)
		s.index[value] = name
		s.values = append(s.values, value)
	}
	for range n {
		s.names = append(s.names, name)
	}
	s.runs = append(s.runs, stretch{len(s.names), first, last})
}

// changeRows finds where sequences of served models, fingerprints, finish
// reasons and prices break.
func changeRows(ctx context.Context, s *Call) error {
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT provider, model, model_id, scenario, concurrency, params, what, value, n, first_at, last_at
		FROM _served
		ORDER BY provider, model, model_id, scenario, concurrency, params, what, place`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var at *series
	for rows.Next() {
		next := &series{index: map[sql.NullString]int{}}
		var value sql.NullString
		var n int
		var first, last time.Time
		if err := rows.Scan(&next.provider, &next.model, &next.modelID, &next.scenario, &next.concurrency, &next.params, &next.what,
			&value, &n, &first, &last); err != nil {
			return err
		}
		if at == nil || !at.same(next) {
			if err := at.breaks(s); err != nil {
				return err
			}
			at = next
		}
		at.add(value, n, first, last)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	return at.breaks(s)
}

// breaks writes the rows of one sequence. One in which most values are new
// names answers, not a configuration.
func (s *series) breaks(out *Call) error {
	if s == nil || len(s.values) > 2 && 2*len(s.values) > len(s.names) {
		return nil
	}
	last := 0
	found := stats.Breaks(s.names, changeLevel)
	for i, b := range found {
		to := len(s.names)
		if i+1 < len(found) {
			to = found[i+1].At
		}
		// A break is always where a run ends: within one, χ² is convex.
		run := slices.IndexFunc(s.runs, func(r stretch) bool { return r.end == b.At })
		err := out.Append(s.provider, s.model, orNullString(s.modelID), orNullString(s.scenario), orNullInt(s.concurrency), orNullString(s.params), s.what,
			s.runs[run+1].first, s.runs[run].last, orNullString(s.values[b.Name]),
			float64(b.KB)/float64(b.Before), float64(b.KA)/float64(b.After), int64(b.Before), int64(b.After),
			orNullString(s.commonest(last, b.At)), orNullString(s.commonest(b.At, to)), b.Clean, b.P)
		if err != nil {
			return err
		}
		last = b.At
	}
	return nil
}

// commonest is the most frequent value of a stretch, the earliest of equal ones.
func (s *series) commonest(from, to int) sql.NullString {
	count := make([]int, len(s.values))
	best := s.names[from]
	for _, n := range s.names[from:to] {
		count[n]++
	}
	for _, n := range s.names[from:to] {
		if count[n] > count[best] {
			best = n
		}
	}
	return s.values[best]
}

func orNullString(s sql.NullString) any {
	if !s.Valid {
		return nil
	}
	return s.String
}

func orNullInt(v sql.NullInt32) any {
	if !v.Valid {
		return nil
	}
	return v.Int32
}
