package analysis

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/duck"
	"aircheck/internal/nearest"
)

// spanned is the windows of one side.
type spanned struct {
	Span
	read func(ctx context.Context, metric string) ([]cellWindow, error)
}

type windowReader struct{ *Reader }

func openWindows(ctx context.Context, o Options) (*windowReader, error) {
	r, err := OpenFor(ctx, o, "_windows", "_periods", "metrics", "results")
	if err != nil {
		return nil, err
	}
	return &windowReader{r}, nil
}

// whole is a dataset as one side.
func (r *windowReader) whole(ctx context.Context, dir string) (spanned, error) {
	s := spanned{Span: Span{Name: dir}, read: func(ctx context.Context, metric string) ([]cellWindow, error) { return windowsOf(ctx, r, metric) }}
	err := r.QueryRowContext(ctx, "SELECT count(DISTINCT window_key), count(*) FROM results WHERE measured").Scan(&s.Windows, &s.Requests)
	return s, duck.Wrap("results", err)
}

// part is the windows of one run, period, or window.
type timePart struct {
	Span
	windows map[string]bool
}

func (p *timePart) of(r *windowReader) spanned {
	return spanned{Span: p.Span, read: func(ctx context.Context, metric string) ([]cellWindow, error) {
		all, err := windowsOf(ctx, r, metric)
		return slices.DeleteFunc(all, func(w cellWindow) bool { return !p.windows[w.ID] }), err
	}}
}

// Parts are the ways of cutting a dataset for [CompareBy].
var Parts = []string{"window", "run", "period"}

// parts cuts the measured windows, in order of time.
func (r *windowReader) parts(ctx context.Context, by string) ([]*timePart, error) {
	name := map[string]string{"window": "w.window_key", "run": "w.run", "period": "p.period"}[by]
	if name == "" {
		return nil, &OptionError{fmt.Errorf("by %q: want one of %s", by, strings.Join(Parts, ", "))}
	}
	rows, err := r.QueryContext(ctx, `
		WITH w AS (
			SELECT window_key, min(run_id) AS run, min(started_at) AS started_at, count(*) AS requests
			FROM results
			WHERE measured
			GROUP BY window_key
		)
		SELECT `+name+`, w.window_key, w.requests
		FROM w
		LEFT JOIN _periods p ON p.window_key = w.window_key
		ORDER BY w.started_at NULLS FIRST, w.window_key`)
	if err != nil {
		return nil, duck.Wrap("results", err)
	}
	defer rows.Close()
	var out []*timePart
	byName := map[string]*timePart{}
	for rows.Next() {
		var label sql.NullString
		var window string
		var requests int64
		if err := rows.Scan(&label, &window, &requests); err != nil {
			return nil, err
		}
		if !label.Valid {
			continue
		}
		p := byName[label.String]
		if p == nil {
			p = &timePart{Span{Name: label.String}, map[string]bool{}}
			byName[label.String] = p
			out = append(out, p)
		}
		p.windows[window] = true
		p.Windows, p.Requests = p.Windows+1, p.Requests+requests
	}
	return out, rows.Err()
}

func pick(parts []*timePart, by, before, after string) (x, y *timePart, err error) {
	var names []string
	for _, p := range parts {
		names = append(names, p.Name)
	}
	if len(parts) < 2 {
		return nil, nil, &OptionError{fmt.Errorf("nothing to compare: the dataset has %d %s with measured requests, and it takes two", len(parts), by)}
	}
	find := func(name string, otherwise int) (int, error) {
		if name == "" {
			return otherwise, nil
		}
		if i := slices.Index(names, name); i >= 0 {
			return i, nil
		}
		err := fmt.Errorf("no %s %q; there are %s", by, name, few(names))
		if near := nearest.Likely(name, names); near != "" {
			err = fmt.Errorf("no %s %q: did you mean %s?", by, name, near)
		}
		return 0, &OptionError{err}
	}
	j, err := find(after, len(parts)-1)
	if err != nil {
		return nil, nil, err
	}
	i, err := find(before, max(j-1, 0))
	if err != nil {
		return nil, nil, err
	}
	if i == j {
		return nil, nil, &OptionError{fmt.Errorf("%s %s is before and after: name two different ones", by, names[i])}
	}
	return parts[i], parts[j], nil
}

func few(names []string) string {
	if len(names) > 8 {
		return strings.Join(names[:8], ", ") + ", …"
	}
	return strings.Join(names, ", ")
}
