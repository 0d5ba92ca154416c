package inference

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"aircheck/internal/kit/duck"
)

// ComparedWindows are the windows of a metric as comparisons take them: those of
// [WindowsOf] with the attempts that failed.
func ComparedWindows(ctx context.Context, e duck.Execer, metric string) ([]CellWindow, error) {
	windows, err := WindowsOf(ctx, e, metric)
	if err != nil {
		return nil, err
	}
	return WithFailures(ctx, e, metric, windows)
}

// WithFailures adds to the windows of a metric the attempts that failed, and the
// windows in which all did, in the order of [WindowsOf].
func WithFailures(ctx context.Context, e duck.Execer, metric string, windows []CellWindow) ([]CellWindow, error) {
	rows, err := e.QueryContext(ctx, `
		SELECT f.contest_id, f.model, f.scenario, f.concurrency, f.vantage, f.cell_id, f.provider, f.params, p.period, f.window_key, f.started_at, f.failed
		FROM _never f
		LEFT JOIN _periods p ON p.window_key = f.window_key
		WHERE f.metric = $1`, metric)
	if err != nil {
		return nil, duck.Wrap("_never", err)
	}
	defer rows.Close()
	type key struct {
		cell   int64
		window string
	}
	place := make(map[key]int, len(windows))
	for i := range windows {
		place[key{windows[i].CellID, windows[i].ID}] = i
	}
	for rows.Next() {
		w := CellWindow{Per: 1}
		if err := rows.Scan(append(w.Into(), &w.CellID, &w.Provider, &w.Params, &w.Period, &w.ID, &w.Started, &w.Failed)...); err != nil {
			return nil, err
		}
		if i, ok := place[key{w.CellID, w.ID}]; ok {
			windows[i].Failed = w.Failed
		} else {
			windows = append(windows, w)
		}
	}
	slices.SortStableFunc(windows, func(a, b CellWindow) int {
		return cmp.Or(strings.Compare(a.Model, b.Model), strings.Compare(a.Scenario, b.Scenario),
			compareBools(a.Concurrency.Valid, b.Concurrency.Valid), cmp.Compare(a.Concurrency.Int32, b.Concurrency.Int32),
			compareBools(a.Vantage.Valid, b.Vantage.Valid), strings.Compare(a.Vantage.String, b.Vantage.String),
			strings.Compare(a.Provider, b.Provider),
			compareBools(a.Params.Valid, b.Params.Valid), strings.Compare(a.Params.String, b.Params.String),
			strings.Compare(a.ID, b.ID))
	})
	return windows, rows.Err()
}
