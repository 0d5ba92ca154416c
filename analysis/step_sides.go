package analysis

import (
	"context"
	"database/sql"
	"slices"
	"sync"

	"aircheck/stats"
)

func init() {
	addStep(&Step{
		Name: "_sides", Version: 1, Key: []string{"side"},
		Needs: []string{"_windows", "_periods", "metrics"},
		// The ids stand for the names beside them: joins over millions of pairs
		// go by numbers.
		Columns: "side BIGINT, metric_id INTEGER, model_id INTEGER, scenario_id INTEGER, vantage_id INTEGER, period_id INTEGER, pair_id INTEGER, " +
			"metric VARCHAR, model VARCHAR, scenario VARCHAR, concurrency INTEGER, vantage VARCHAR, period VARCHAR, " +
			"provider_a VARCHAR, provider_b VARCHAR, leader VARCHAR, n_windows BIGINT, n_a BIGINT, n_b BIGINT, " +
			"level_a DOUBLE, level_b DOUBLE, ratio DOUBLE, lo DOUBLE, hi DOUBLE, p DOUBLE, q DOUBLE, evidence VARCHAR, decided BOOLEAN",
		Run: sideRows,
	})
}

// FalseDiscovery is the share of decided sides that may be wrong.
const FalseDiscovery = 0.05

// side is one comparison: two providers in one contest, for one metric. period
// is "" over the whole of the data.
type side struct {
	contestKey
	period string
	a, b   string
	stats.Side
}

// sideRows compares, for each metric and contest, every provider with every
// other. All sides of a metric are one family of tests; those within periods,
// which ask another question, are a family of their own.
func sideRows(ctx context.Context, s *StepRun) error {
	metrics, err := registry(ctx, s.Conn)
	if err != nil {
		return err
	}
	rows, err := newSideTable(ctx, s)
	if err != nil {
		return err
	}
	for i := range metrics {
		m := &metrics[i]
		windows, err := windowsOf(ctx, s.Conn, m.Name)
		if err != nil {
			return err
		}
		whole, parts, err := sides(ctx, m, windows, s.in.opts.workers())
		if err != nil {
			return err
		}
		for _, family := range [][]side{whole, parts} {
			if err := rows.append(m, int32(i+1), family); err != nil {
				return err
			}
		}
	}
	return nil
}

// sideTable numbers sides and names as it appends them.
type sideTable struct {
	step                               *StepRun
	n                                  int64
	models, scenarios, vantages, times map[sql.NullString]int32
	pairs                              map[[2]string]int32
}

func newSideTable(ctx context.Context, s *StepRun) (*sideTable, error) {
	t := &sideTable{step: s, pairs: map[[2]string]int32{}}
	for query, into := range map[string]*map[sql.NullString]int32{
		"SELECT DISTINCT model AS name FROM _windows":    &t.models,
		"SELECT DISTINCT scenario AS name FROM _windows": &t.scenarios,
		"SELECT DISTINCT vantage AS name FROM _windows":  &t.vantages,
		"SELECT DISTINCT period AS name FROM _periods":   &t.times,
	} {
		names, err := s.names(ctx, query+" ORDER BY name NULLS FIRST")
		if err != nil {
			return nil, err
		}
		*into = map[sql.NullString]int32{}
		for i, name := range names {
			(*into)[name] = int32(i + 1)
		}
	}
	return t, nil
}

func (s *StepRun) names(ctx context.Context, query string) ([]sql.NullString, error) {
	rows, err := s.Conn.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []sql.NullString
	for rows.Next() {
		var v sql.NullString
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, rows.Err()
}

func name(s string) sql.NullString { return sql.NullString{String: s, Valid: true} }

// pair numbers provider pairs as they come.
func (t *sideTable) pair(a, b string) int32 {
	key := [2]string{a, b}
	if t.pairs[key] == 0 {
		t.pairs[key] = int32(len(t.pairs) + 1)
	}
	return t.pairs[key]
}

// append adjusts the p-values of one family and adds its rows. Period 0 is the
// whole.
func (t *sideTable) append(m *metricRow, metric int32, family []side) error {
	p := make([]*float64, len(family))
	for i := range family {
		p[i] = family[i].P
	}
	q := stats.BenjaminiHochberg(p)
	for i := range family {
		f := &family[i]
		var leader any
		switch m.better(f.Side) {
		case 1:
			leader = f.a
		case -1:
			leader = f.b
		}
		period := int32(0)
		if f.period != "" {
			period = t.times[name(f.period)]
		}
		t.n++
		row := []any{t.n, metric, t.models[name(f.Model)], t.scenarios[name(f.Scenario)], t.vantages[f.Vantage], period, t.pair(f.a, f.b), m.Name}
		row = append(append(row, f.values()...), orNull(f.period), f.a, f.b, leader, int64(f.Windows), int64(f.NA), int64(f.NB))
		for _, v := range []*float64{f.LevelA, f.LevelB, f.Ratio, f.Lo, f.Hi, f.P, q[i]} {
			row = append(row, number(v))
		}
		row = append(row, string(f.Evidence), f.Decided(q[i], FalseDiscovery, m.Margin))
		if err := t.step.Append(row...); err != nil {
			return err
		}
	}
	return nil
}

func number(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}

// sides compares within each contest, over all windows and within each period.
// Contests are shared out among workers; their sides keep the contests' order.
func sides(ctx context.Context, m *metricRow, windows []cellWindow, workers int) (whole, parts []side, err error) {
	contests := chunked(windows, func(w *cellWindow) contestKey { return w.contestKey })
	both := make([][2][]side, len(contests))
	var g sync.WaitGroup
	next := make(chan int)
	for range max(1, workers) {
		g.Go(func() {
			for i := range next {
				both[i][0] = contestSides(m, contests[i], "")
				for _, period := range periodsOf(contests[i]) {
					both[i][1] = append(both[i][1], contestSides(m, within(contests[i], period), period)...)
				}
			}
		})
	}
	for i := range contests {
		if ctx.Err() != nil {
			break
		}
		next <- i
	}
	close(next)
	g.Wait()
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	for _, c := range both {
		whole, parts = append(whole, c[0]...), append(parts, c[1]...)
	}
	return whole, parts, nil
}

// contestSides compares all providers of one contest.
func contestSides(m *metricRow, contest []cellWindow, period string) []side {
	providers := chunked(contest, func(w *cellWindow) string { return w.Provider })
	samples := make([]*sample, len(providers))
	levels := make([]*float64, len(providers))
	for i, p := range providers {
		samples[i] = newSample(m, p)
		levels[i] = samples[i].level()
	}
	out := make([]side, 0, len(providers)*(len(providers)-1)/2)
	for j := range providers {
		for i := range j {
			s := side{contest[0].contestKey, period, providers[i][0].Provider, providers[j][0].Provider, samples[i].against(samples[j])}
			if s.Windows == 0 {
				// Never measured together: all that there is are the estimates.
				s.Side = stats.Side{Evidence: stats.EvidenceNone, NA: samples[i].n, NB: samples[j].n, LevelA: levels[i], LevelB: levels[j]}
				if s.LevelA != nil && s.LevelB != nil && *s.LevelA > 0 && *s.LevelB > 0 {
					s.Ratio = new(*s.LevelA / *s.LevelB)
				}
			}
			out = append(out, s)
		}
	}
	return out
}

// periodsOf lists the periods of windows; none where there is but one.
func periodsOf(windows []cellWindow) []string {
	var out []string
	for _, w := range windows {
		if w.Period.Valid && !slices.Contains(out, w.Period.String) {
			out = append(out, w.Period.String)
		}
	}
	slices.Sort(out)
	if len(out) < 2 {
		return nil
	}
	return out
}

// within keeps the windows of a period.
func within(windows []cellWindow, period string) []cellWindow {
	var in []cellWindow
	for _, w := range windows {
		if w.Period.Valid && w.Period.String == period {
			in = append(in, w)
		}
	}
	return in
}

// chunked cuts ordered rows where their key changes.
func chunked[T any, K comparable](rows []T, key func(*T) K) [][]T {
	var out [][]T
	from := 0
	for i := range rows {
		if i+1 == len(rows) || key(&rows[i+1]) != key(&rows[i]) {
			out = append(out, rows[from:i+1])
			from = i + 1
		}
	}
	return out
}
