package build

import (
	"context"
	"database/sql"
	"fmt"

	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/duck"
)

// metricRow is a metric as the registry has it, as far as comparisons go.
type metricRow struct {
	Name, Title, Unit, Family string
	Lower                     bool // lower is better
	Statistic, Test           string
	Margin                    stats.Margin
}

// options of a comparison of the metric.
func (m *metricRow) options() stats.Options {
	if m.Statistic == "p95" {
		return stats.Options{Quantile: 0.95}
	}
	return stats.Options{}
}

func (m *metricRow) sums() bool   { return m.Test == "sums" }
func (m *metricRow) shares() bool { return m.Unit == "share" }

// better reports whether a beats b by what was estimated: 1, −1, or 0 where
// they are equal or nothing is known.
func (m *metricRow) better(s stats.Side) int {
	way := 0
	switch {
	case s.Ratio != nil && *s.Ratio != 1:
		way = 1
		if *s.Ratio < 1 {
			way = -1
		}
	case s.Ratio == nil && s.LevelA != nil && s.LevelB != nil && *s.LevelA != *s.LevelB:
		way = 1
		if *s.LevelA < *s.LevelB {
			way = -1
		}
	}
	if m.Lower {
		way = -way
	}
	return way
}

// registry reads the metrics that have windows, in the order of listing.
func registry(ctx context.Context, e duck.Execer) ([]metricRow, error) {
	rows, err := e.QueryContext(ctx, `
		SELECT metric, title, unit, family, better = 'lower', statistic, test, 1 + coalesce(margin_ratio, 0), coalesce(margin_abs, 0)
		FROM metrics
		ORDER BY place`)
	if err != nil {
		return nil, duck.Wrap("metrics", err)
	}
	defer rows.Close()
	var out []metricRow
	for rows.Next() {
		var m metricRow
		if err := rows.Scan(&m.Name, &m.Title, &m.Unit, &m.Family, &m.Lower, &m.Statistic, &m.Test, &m.Margin.Ratio, &m.Margin.Abs); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, rows.Err()
}

// contestKey names a contest but for its metric.
type contestKey struct {
	Model, Scenario string
	Concurrency     sql.NullInt32
	Vantage         sql.NullString
}

func (k *contestKey) into() []any {
	return []any{&k.Model, &k.Scenario, &k.Concurrency, &k.Vantage}
}

// values are the columns of a key for an appender.
func (k *contestKey) values() []any {
	v := []any{k.Model, k.Scenario, nil, nil}
	if k.Concurrency.Valid {
		v[2] = k.Concurrency.Int32
	}
	if k.Vantage.Valid {
		v[3] = k.Vantage.String
	}
	return v
}

// cellWindow is one row of _windows: one window of one cell, for one metric.
type cellWindow struct {
	contestKey
	Provider string
	Params   sql.NullString
	Period   sql.NullString
	ID       string
	Started  sql.NullTime
	Values   []float64
	Num, Den int64
	Per      float64
}

// windowsOf reads the windows of one metric, ordered by contest, provider,
// parameters and window.
func windowsOf(ctx context.Context, e duck.Execer, metric string) ([]cellWindow, error) {
	rows, err := e.QueryContext(ctx, `
		SELECT w.model, w.scenario, w.concurrency, w.vantage, w.provider, w.params, p.period, w.window_key, w.started_at,
			w.ascending, coalesce(w.num, 0), coalesce(w.den, 0), coalesce(w.per, 1)
		FROM _windows w
		LEFT JOIN _periods p ON p.window_key = w.window_key
		WHERE w.metric = $1
		ORDER BY w.model, w.scenario, w.concurrency NULLS FIRST, w.vantage NULLS FIRST, w.provider, w.params NULLS FIRST, w.window_key`, metric)
	if err != nil {
		return nil, duck.Wrap("_windows", err)
	}
	defer rows.Close()
	var out []cellWindow
	for rows.Next() {
		var w cellWindow
		var values any
		if err := rows.Scan(append(w.into(), &w.Provider, &w.Params, &w.Period, &w.ID, &w.Started, &values, &w.Num, &w.Den, &w.Per)...); err != nil {
			return nil, err
		}
		if list, ok := values.([]any); ok {
			w.Values = make([]float64, len(list))
			for i, v := range list {
				f, ok := v.(float64)
				if !ok {
					return nil, fmt.Errorf("_windows: %s has a value that is no number: %v", metric, v)
				}
				w.Values[i] = f
			}
		}
		out = append(out, w)
	}
	return out, rows.Err()
}

// sample is some windows of one metric, ready for the comparisons of stats.
type sample struct {
	m    *metricRow
	n    int            // values, or what a ratio of sums is over
	per  float64        // integer units in a unit of the metric
	cell *stats.Cell    // of a metric with values
	sums *stats.SumCell // of a ratio of sums
}

func newSample(m *metricRow, windows []cellWindow) *sample {
	s := &sample{m: m, per: 1}
	if m.sums() {
		list := make([]stats.Sums, len(windows))
		for i, w := range windows {
			s.n, s.per = s.n+int(w.Den), w.Per
			list[i] = stats.Sums{ID: w.ID, Num: w.Num, Den: w.Den}
		}
		s.sums = stats.NewSumCell(list)
		return s
	}
	list := make([]stats.Window, len(windows))
	for i, w := range windows {
		s.n += len(w.Values)
		list[i] = stats.Window{ID: w.ID, Values: w.Values}
	}
	s.cell = stats.NewCell(list)
	return s
}

// without is the sample without windows of another.
func (s *sample) without(o *sample) *sample {
	rest := &sample{m: s.m, n: s.n - o.n, per: s.per}
	if s.m.sums() {
		rest.sums = s.sums.Without(o.sums)
	} else {
		rest.cell = s.cell.Without(o.cell)
	}
	return rest
}

// against compares two samples over their common windows.
func (s *sample) against(t *sample) stats.Side {
	if s.m.sums() {
		return s.inUnits(s.sums.Against(t.sums, s.m.shares(), s.m.options()))
	}
	return s.cell.Against(t.cell, s.m.options())
}

// since compares two samples that nothing pairs.
func (s *sample) since(before *sample) stats.Side { return s.change(before, s.m.options()) }

func (s *sample) change(before *sample, o stats.Options) stats.Side {
	if s.m.sums() {
		return s.inUnits(s.sums.Since(before.sums, s.m.shares(), o))
	}
	return s.cell.Since(before.cell, o)
}

// inUnits turns levels of integer sums into the metric's unit.
func (s *sample) inUnits(side stats.Side) stats.Side {
	for _, level := range []**float64{&side.LevelA, &side.LevelB} {
		if *level != nil {
			*level = new(**level / s.per)
		}
	}
	return side
}

// level is the metric's statistic over everything in the sample.
func (s *sample) level() *float64 {
	if s.m.sums() {
		v := s.sums.Ratio()
		if v != nil {
			v = new(*v / s.per)
		}
		return v
	}
	quantile := s.m.options().Quantile
	if quantile == 0 {
		quantile = 0.5
	}
	return s.cell.Quantile(quantile)
}

// number is a value for an appender; nil is NULL.
func number(v *float64) any { return perhaps(v).value() }
