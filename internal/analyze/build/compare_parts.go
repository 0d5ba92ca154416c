package build

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/analyze/inference"
	"aircheck/internal/analyze/settings"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/nearest"
)

// spanned is the windows of one side.
type spanned struct {
	Span
	read func(ctx context.Context, metric string) ([]inference.CellWindow, error)
	// clocks says which clocks timed it.
	clocks inference.Clocks
	// unavailable counts the requests of cells of which each was told that there
	// is no such model: they are no attempts, and have no windows.
	unavailable func(ctx context.Context) (map[inference.CellKey]int64, error)
}

type windowReader struct {
	*Reader
	clocks inference.Clocks
}

func openWindows(ctx context.Context, o Options) (*windowReader, error) {
	r, err := OpenFor(ctx, o, "_windows", "_never", "_periods", "_clocks", "metrics", "results")
	if err != nil {
		return nil, err
	}
	clocks, err := inference.ClocksOf(ctx, r)
	if err != nil {
		r.Close()
		return nil, err
	}
	return &windowReader{r, clocks}, nil
}

// whole is a dataset as one side.
func (r *windowReader) whole(ctx context.Context, dir string) (spanned, error) {
	s := spanned{
		Span:   Span{Name: dir},
		clocks: r.clocks,
		read: func(ctx context.Context, metric string) ([]inference.CellWindow, error) {
			return inference.ComparedWindows(ctx, r, metric)
		},
		unavailable: func(ctx context.Context) (map[inference.CellKey]int64, error) { return r.unavailable(ctx, nil) },
	}
	err := r.QueryRowContext(ctx, "SELECT count(DISTINCT window_key), count(*) FROM results WHERE measured").Scan(&s.Windows, &s.Requests)
	return s, duck.Wrap("results", err)
}

// timePart is the windows of one run, period, or window.
type timePart struct {
	Span
	also    []string // shorter names: a run's is its plan's, a window's that of its run left out
	windows map[string]bool
}

func (p *timePart) of(r *windowReader) spanned {
	return spanned{
		Span:   p.Span,
		clocks: r.clocks,
		read: func(ctx context.Context, metric string) ([]inference.CellWindow, error) {
			all, err := inference.ComparedWindows(ctx, r, metric)
			return slices.DeleteFunc(all, func(w inference.CellWindow) bool { return !p.windows[w.ID] }), err
		},
		unavailable: func(ctx context.Context) (map[inference.CellKey]int64, error) { return r.unavailable(ctx, p.windows) },
	}
}

// unavailable is what a span's field of that name gives; no windows are all.
func (r *windowReader) unavailable(ctx context.Context, windows map[string]bool) (map[inference.CellKey]int64, error) {
	rows, err := r.QueryContext(ctx, `
		SELECT contest_id, model, scenario, concurrency, vantage, provider, params, window_key, count(*), count(*) FILTER (outcome = 'unavailable')
		FROM results
		WHERE measured
		GROUP BY ALL`)
	if err != nil {
		return nil, duck.Wrap("results", err)
	}
	defer rows.Close()
	out, served := map[inference.CellKey]int64{}, map[inference.CellKey]bool{}
	for rows.Next() {
		var w inference.CellWindow
		var all, unavailable int64
		if err := rows.Scan(append(w.Into(), &w.Provider, &w.Params, &w.ID, &all, &unavailable)...); err != nil {
			return nil, err
		}
		if windows != nil && !windows[w.ID] {
			continue
		}
		out[inference.CellOf(&w)] += unavailable
		if unavailable < all {
			served[inference.CellOf(&w)] = true
		}
	}
	for k := range served {
		delete(out, k)
	}
	return out, rows.Err()
}

// Parts are the ways of cutting a dataset for [CompareBy].
var Parts = []string{"window", "run", "period"}

// parts cuts the measured windows, in order of time.
func (r *windowReader) parts(ctx context.Context, by string) ([]*timePart, error) {
	name := map[string]string{"window": "w.window_key", "run": "w.run", "period": "p.period"}[by]
	if name == "" {
		return nil, settings.Wrap(fmt.Errorf("by %q: want one of %s", by, strings.Join(Parts, ", ")))
	}
	rows, err := r.QueryContext(ctx, `
		WITH w AS (
			SELECT window_key, min(window_name) AS name, min(run_id) AS run, min(started_at) AS started_at, count(*) AS requests
			FROM results
			WHERE measured
			GROUP BY window_key
		)
		SELECT `+name+`, w.window_key, w.name, w.run, w.requests
		FROM w
		LEFT JOIN _periods p ON p.window_key = w.window_key
		ORDER BY w.started_at NULLS FIRST, w.window_key`)
	if err != nil {
		return nil, duck.Wrap("results", err)
	}
	defer rows.Close()
	plans := map[string]string{}
	for _, run := range r.b.runs {
		plans[run.RunID] = run.Name
	}
	var out []*timePart
	byName := map[string]*timePart{}
	for rows.Next() {
		var label sql.NullString
		var window, short, run string
		var requests int64
		if err := rows.Scan(&label, &window, &short, &run, &requests); err != nil {
			return nil, err
		}
		if !label.Valid {
			continue
		}
		p := byName[label.String]
		if p == nil {
			p = &timePart{Span: Span{Name: label.String}, windows: map[string]bool{}}
			switch by {
			case "run":
				p.also = []string{plans[run]}
			case "window":
				p.also = []string{short, plans[run] + "/" + short}
			}
			byName[label.String] = p
			out = append(out, p)
		}
		p.windows[window] = true
		p.Windows, p.Requests = p.Windows+1, p.Requests+requests
	}
	return out, rows.Err()
}

// tooFew says why there is nothing to compare.
func (r *windowReader) tooFew(ctx context.Context, by string, parts int) error {
	unit, err := r.b.opts.PeriodUnit()
	if err != nil {
		return err
	}
	if by == "period" && unit == "half" {
		var windows int
		err := r.QueryRowContext(ctx, "SELECT count(DISTINCT window_key) FROM results WHERE measured AND started_at IS NOT NULL").Scan(&windows)
		if err != nil {
			return duck.Wrap("results", err)
		}
		return settings.Wrap(fmt.Errorf("nothing to compare: halves are made of twelve windows or more, and the dataset has %d; --period day, week, month or quarter cuts it otherwise", windows))
	}
	what := by
	if by == "period" {
		what = unit
	}
	if parts != 1 {
		what += "s"
	}
	return settings.Wrap(fmt.Errorf("nothing to compare: the dataset has %d %s with measured requests, and it takes two", parts, what))
}

// pick finds the parts to compare, by name or by a shorter name that only one
// of them has; without names, the last part and the one before it.
func pick(parts []*timePart, by, before, after string) (x, y *timePart, err error) {
	j, err := find(parts, by, after, len(parts)-1)
	if err != nil {
		return nil, nil, err
	}
	i, err := find(parts, by, before, max(j-1, 0))
	if err != nil {
		return nil, nil, err
	}
	if i == j {
		return nil, nil, settings.Wrap(fmt.Errorf("%s %s is before and after: name two different ones", by, parts[i].Name))
	}
	return parts[i], parts[j], nil
}

func find(parts []*timePart, by, name string, otherwise int) (int, error) {
	if name == "" {
		return otherwise, nil
	}
	var names, same []string
	at := 0
	for i, p := range parts {
		if p.Name == name {
			return i, nil
		}
		if slices.Contains(p.also, name) {
			at, same = i, append(same, p.Name)
		}
		names = append(names, p.Name)
	}
	switch len(same) {
	case 0:
		if near := nearest.Likely(name, names); near != "" {
			return 0, settings.Wrap(fmt.Errorf("no %s %q: did you mean %s?", by, name, near))
		}
		return 0, settings.Wrap(fmt.Errorf("no %s %q; there are %s", by, name, few(names)))
	case 1:
		return at, nil
	}
	return 0, settings.Wrap(fmt.Errorf("%d %ss are named %q: %s; name one of them in full", len(same), by, name, few(same)))
}

func few(names []string) string {
	if len(names) > 8 {
		return strings.Join(names[:8], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
