package inference

import (
	"context"
	"database/sql"
	"fmt"
	"math"

	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/duck"
)

// Metric is a metric as the registry has it, for comparisons.
type Metric struct {
	Name, Title, Unit, Family string
	Lower                     bool // lower is better
	Statistic, Test           string
	Margin                    stats.Margin
	Quantile                  float64 // that is compared; 0: the statistic's
}

// measure is what the comparison of pairs needs to know.
func (m *Metric) measure() stats.Measure {
	out := stats.Measure{Quantile: 0.5, Shares: m.Shares(), Higher: !m.Lower, Margin: m.Margin}
	switch {
	case m.sums():
		out.Quantile = 0
	case m.Quantile > 0:
		out.Quantile = m.Quantile
	case m.Statistic == "p95":
		out.Quantile = 0.95
	case m.Statistic == "spread":
		out.Quantile, out.Spread = 0.95, true
	}
	return out
}

// options of a comparison of the metric.
func (m *Metric) options() stats.Options {
	switch m.Statistic {
	case "p95":
		return stats.Options{Quantile: 0.95}
	case "spread":
		return stats.Options{Quantile: 0.95, Spread: true}
	}
	return stats.Options{}
}

func (m *Metric) sums() bool { return m.Test == "sums" }

// flow reports whether a window's level is a ratio of sums over its answers.
func (m *Metric) flow() bool { return m.Statistic == "flow" }

func (m *Metric) Shares() bool { return m.Unit == "share" }

// Better reports whether a beats b by what was estimated: 1, −1, or 0 where
// they are equal or nothing is known.
func (m *Metric) Better(s stats.Comparison) int {
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
func Registry(ctx context.Context, e duck.Execer) ([]Metric, error) {
	rows, err := e.QueryContext(ctx, `
		SELECT metric, title, unit, family, better = 'lower', statistic, test, 1 + coalesce(margin_ratio, 0), coalesce(margin_abs, 0)
		FROM metrics
		ORDER BY place`)
	if err != nil {
		return nil, duck.Wrap("metrics", err)
	}
	defer rows.Close()
	var out []Metric
	for rows.Next() {
		var m Metric
		if err := rows.Scan(&m.Name, &m.Title, &m.Unit, &m.Family, &m.Lower, &m.Statistic, &m.Test, &m.Margin.Ratio, &m.Margin.Abs); err != nil {
			return nil, err
		}
		out = append(out, m)
	}
	return out, rows.Err()
}

// contestKey names a contest but for its metric.
type contestKey struct {
	ContestID       int64
	Model, Scenario string
	Concurrency     sql.NullInt32
	Vantage         sql.NullString
}

func (k *contestKey) Into() []any {
	return []any{&k.ContestID, &k.Model, &k.Scenario, &k.Concurrency, &k.Vantage}
}

// values are the columns of a key but its number, for an appender.
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

// CellWindow is one row of _windows: one window of one cell, for one metric.
type CellWindow struct {
	contestKey
	CellID   int64
	Provider string
	Params   sql.NullString
	Period   sql.NullString
	ID       string
	Started  sql.NullTime
	Values   []float64
	Failed   int // attempts that count as worse than any value
	Num, Den int64
	Per      float64
}

// WindowsOf reads the windows of one metric, ordered by contest, provider,
// parameters and window.
func WindowsOf(ctx context.Context, e duck.Execer, metric string) ([]CellWindow, error) {
	rows, err := e.QueryContext(ctx, `
		SELECT w.contest_id, w.model, w.scenario, w.concurrency, w.vantage, w.cell_id, w.provider, w.params, p.period, w.window_key, w.started_at,
			w.ascending, coalesce(w.num, 0), coalesce(w.den, 0), coalesce(w.per, 1)
		FROM _windows w
		LEFT JOIN _periods p ON p.window_key = w.window_key
		WHERE w.metric = $1
		ORDER BY w.model, w.scenario, w.concurrency NULLS FIRST, w.vantage NULLS FIRST, w.provider, w.params NULLS FIRST, w.window_key`, metric)
	if err != nil {
		return nil, duck.Wrap("_windows", err)
	}
	defer rows.Close()
	var out []CellWindow
	for rows.Next() {
		var w CellWindow
		var values any
		if err := rows.Scan(append(w.Into(), &w.CellID, &w.Provider, &w.Params, &w.Period, &w.ID, &w.Started, &values, &w.Num, &w.Den, &w.Per)...); err != nil {
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

// Sample is some windows of one metric, ready for the comparisons of stats.
type Sample struct {
	m    *Metric
	N    int            // values, or what a ratio of sums is over
	per  float64        // integer units in a unit of the metric
	cell *stats.Cell    // of a metric with values
	sums *stats.SumCell // of a ratio of sums
	flow stats.Window   // of a speed: its sums
}

// NewSample gathers windows of one metric.
func NewSample(m *Metric, windows []CellWindow) *Sample {
	s := &Sample{m: m, per: 1}
	if m.sums() {
		list := make([]stats.Sums, len(windows))
		for i, w := range windows {
			s.N, s.per = s.N+int(w.Den), w.Per
			list[i] = stats.Sums{ID: w.ID, Num: w.Num, Den: w.Den}
		}
		s.sums = stats.NewSumCell(list)
		return s
	}
	list := make([]stats.Window, len(windows))
	for i, w := range windows {
		s.N += len(w.Values)
		list[i] = stats.Window{ID: w.ID, Values: w.Values}
		if m.flow() {
			list[i].Num, list[i].Den = float64(w.Num), float64(w.Den)*w.Per
			s.flow.Num, s.flow.Den = s.flow.Num+list[i].Num, s.flow.Den+list[i].Den
		}
	}
	s.cell = stats.NewCell(list)
	return s
}

// within compares two samples within the windows that they share.
func (s *Sample) within(t *Sample) stats.Comparison {
	o := s.m.options()
	o.Windows = math.MaxInt
	return s.over(t, o)
}

func (s *Sample) over(t *Sample, o stats.Options) stats.Comparison {
	if s.m.sums() {
		return s.inUnits(s.sums.Against(t.sums, s.m.Shares(), o))
	}
	return s.cell.Against(t.cell, o)
}

// Since compares two samples that nothing pairs.
func (s *Sample) Since(before *Sample) stats.Comparison { return s.change(before, s.m.options()) }

func (s *Sample) change(before *Sample, o stats.Options) stats.Comparison {
	if s.m.sums() {
		return s.inUnits(s.sums.Since(before.sums, s.m.Shares(), o))
	}
	return s.cell.Since(before.cell, o)
}

// inUnits turns levels of integer sums into the metric's unit.
func (s *Sample) inUnits(c stats.Comparison) stats.Comparison {
	for _, level := range []**float64{&c.LevelA, &c.LevelB} {
		if *level != nil {
			*level = new(**level / s.per)
		}
	}
	return c
}

// level is the metric's statistic over everything in the sample.
func (s *Sample) level() *float64 {
	if s.m.sums() {
		v := s.sums.Ratio()
		if v != nil {
			v = new(*v / s.per)
		}
		return v
	}
	if s.flow.Den > 0 {
		return new(s.flow.Num / s.flow.Den)
	}
	quantile := s.m.options().Quantile
	if quantile == 0 {
		quantile = 0.5
	}
	return s.cell.Quantile(quantile)
}

// number is a value for an appender; nil is NULL.
func number(v *float64) any { return perhaps(v).value() }
