package robust

import (
	"fmt"
	"math"
	"slices"

	"aircheck/internal/analyze/inference"
	"aircheck/internal/kit/duck"
)

// choice is another way to decide a metric. judge says whether it could be asked:
// a definition needs recorded frames, a price a cost.
type choice struct {
	name  string
	judge func() (pairs []inference.Pair, asked bool, err error)
}

// mostLeftOut bounds how many windows are left out, one at a time.
const mostLeftOut = 24

// choices for the metric of a run.
func (r *run) choices() ([]choice, error) {
	out := r.margins()
	if r.metric.Statistic == "p50" {
		m := r.metric
		m.Quantile = 0.9
		out = append(out, choice{"p90 instead of p50", func() ([]inference.Pair, bool, error) {
			pairs, err := r.judge(&m, r.windows)
			return pairs, true, err
		}})
		out = append(out, choice{"failures left out", func() ([]inference.Pair, bool, error) { return r.other(r.metric.Name, false) }})
		out = append(out, choice{"warm-up requests counted", r.withWarmups})
	}
	switch r.metric.Name {
	case "ttft_net_ms", "ttft_ms":
		for _, o := range []struct{ metric, name string }{
			{"ttft_net_ms", "without connection set-up"}, {"ttft_ms", "with connection set-up"},
			{"ttfat_ms", "first token of the answer, thinking left out"}, {"first_byte_ms", "first byte"},
		} {
			if o.metric != r.metric.Name {
				out = append(out, choice{o.name, func() ([]inference.Pair, bool, error) { return r.other(o.metric, true) }})
			}
		}
		tools, err := r.asTools("ttft_ms", "first tokens as %s counts them")
		if err != nil {
			return nil, err
		}
		out = append(out, tools...)
	case "tokens_per_s":
		for _, o := range []struct{ metric, name string }{
			{"chars_per_s", "characters instead of tokens"}, {"output_per_e2e", "speed over the whole request"},
		} {
			out = append(out, choice{o.name, func() ([]inference.Pair, bool, error) { return r.other(o.metric, true) }})
		}
		tools, err := r.asTools("tokens_per_s", "speed as %s counts it")
		if err != nil {
			return nil, err
		}
		out = append(out, tools...)
	case "cost_per_useful_usd":
		for _, p := range providersOf(r.windows) {
			for _, by := range []float64{0.9, 1.1} {
				out = append(out, choice{fmt.Sprintf("prices of %s %+.0f %%", p, 100*(by-1)), func() ([]inference.Pair, bool, error) { return r.priced(p, by) }})
			}
		}
	}
	return append(out, r.lessOneWindow()...), nil
}

func (r *run) margins() (out []choice) {
	for _, percent := range []float64{5, 15, 20, 25} {
		m := r.metric
		if m.Shares() {
			m.Margin.Abs = percent / 1000 // 0.5 to 2.5 points
		} else {
			m.Margin.Ratio = 1 + percent/100
		}
		name := fmt.Sprintf("a margin of %.0f %%", percent)
		if m.Shares() {
			name = fmt.Sprintf("a margin of %.1f points", percent/10)
		}
		out = append(out, choice{name, func() ([]inference.Pair, bool, error) {
			pairs, err := r.judge(&m, r.windows)
			return pairs, true, err
		}})
	}
	return out
}

// lessOneWindow leaves out each window, or so many spread evenly.
func (r *run) lessOneWindow() (out []choice) {
	var ids []string
	for _, w := range r.windows {
		ids = append(ids, w.ID)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	n := min(len(ids), mostLeftOut)
	for i := range n {
		id := ids[i*len(ids)/n]
		out = append(out, choice{"without window " + id, func() ([]inference.Pair, bool, error) {
			rest := slices.DeleteFunc(slices.Clone(r.windows), func(w inference.CellWindow) bool { return w.ID == id })
			pairs, err := r.judge(&r.metric, rest)
			return pairs, true, err
		}})
	}
	return out
}

// other decides by another metric.
func (r *run) other(metric string, failures bool) ([]inference.Pair, bool, error) {
	i := slices.IndexFunc(r.metrics, func(m inference.Metric) bool { return m.Name == metric })
	windows, err := r.read(metric, failures)
	if err != nil || i < 0 || len(windows) == 0 {
		return nil, false, err
	}
	pairs, err := r.judge(&r.metrics[i], windows)
	return pairs, true, err
}

// priced decides costs with one provider's prices changed.
func (r *run) priced(provider string, by float64) ([]inference.Pair, bool, error) {
	windows := slices.Clone(r.windows)
	for i := range windows {
		if windows[i].Provider == provider {
			windows[i].Num = int64(math.Round(by * float64(windows[i].Num)))
		}
	}
	pairs, err := r.judge(&r.metric, windows)
	return pairs, true, err
}

func providersOf(windows []inference.CellWindow) []string {
	var out []string
	for _, w := range windows {
		out = append(out, w.Provider)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// withWarmups decides with the leading requests of each window among the others.
func (r *run) withWarmups() ([]inference.Pair, bool, error) {
	return r.from(`
		SELECT contest_id, provider, window_key, list_sort(list(value)) AS ascending, bool_or(phase = 'warmup') AS changed
		FROM (SELECT *, ` + r.source() + ` AS value FROM results WHERE (measured OR phase = 'warmup' AND excluded IS NULL) AND complete)
		WHERE value IS NOT NULL
		GROUP BY ALL`)
}

// source is the expression that the registry has for the metric.
func (r *run) source() string {
	var source string
	rows, err := r.e.QueryContext(r.ctx, "SELECT coalesce(source, 'NULL') FROM metrics WHERE metric = $1", r.metric.Name)
	if err != nil {
		return "NULL"
	}
	defer rows.Close()
	for rows.Next() {
		if rows.Scan(&source) != nil {
			return "NULL"
		}
	}
	return "(" + source + ")::DOUBLE"
}

// asTools are choices by what other tools would state of the recorded streams. All
// of them are read at once: each pass over definitions computes every tool.
func (r *run) asTools(metric, name string) (out []choice, err error) {
	rows, err := r.e.QueryContext(r.ctx, `
		SELECT d.tool, r.contest_id, r.provider, r.window_key, list_sort(list(d.value)) AS ascending, true AS changed
		FROM definitions d
		JOIN results r ON r.request_id = d.request_id
		WHERE r.measured AND r.complete AND d.value > 0 AND d.metric = $1
		GROUP BY ALL
		ORDER BY d.tool`, metric)
	if err != nil {
		return nil, duck.Wrap("definitions", err)
	}
	defer rows.Close()
	stated := map[string]*values{}
	for rows.Next() {
		var tool string
		var k cellWindow
		var list any
		var changed bool
		if err := rows.Scan(&tool, &k.contest, &k.provider, &k.window, &list, &changed); err != nil {
			return nil, err
		}
		v := stated[tool]
		if v == nil {
			v = &values{of: map[cellWindow][]float64{}}
			stated[tool] = v
			out = append(out, choice{fmt.Sprintf(name, tool), func() ([]inference.Pair, bool, error) { return r.with(v) }})
		}
		v.add(k, list, changed)
	}
	return out, rows.Err()
}

// values stand in the place of those that windows have.
type values struct {
	of      map[cellWindow][]float64
	changed bool // whether they can differ from the windows' own
}

type cellWindow struct {
	contest          int64
	provider, window string
}

func (v *values) add(k cellWindow, list any, changed bool) {
	v.changed = v.changed || changed
	for _, x := range list.([]any) {
		v.of[k] = append(v.of[k], x.(float64))
	}
}

// from decides with values of other rows in the place of the windows' own. It was
// not asked where nothing changed.
func (r *run) from(query string, args ...any) ([]inference.Pair, bool, error) {
	rows, err := r.e.QueryContext(r.ctx, query, args...)
	if err != nil {
		return nil, false, duck.Wrap("robust", err)
	}
	defer rows.Close()
	v := &values{of: map[cellWindow][]float64{}}
	for rows.Next() {
		var k cellWindow
		var list any
		var changed bool
		if err := rows.Scan(&k.contest, &k.provider, &k.window, &list, &changed); err != nil {
			return nil, false, err
		}
		v.add(k, list, changed)
	}
	if err := rows.Err(); err != nil || !v.changed {
		return nil, false, err
	}
	return r.with(v)
}

func (r *run) with(v *values) ([]inference.Pair, bool, error) {
	windows := slices.Clone(r.windows)
	taken := map[cellWindow]bool{}
	for i := range windows {
		k := cellWindow{windows[i].ContestID, windows[i].Provider, windows[i].ID}
		windows[i].Values = nil
		if !taken[k] { // several sets of parameters are one mixture all the same
			windows[i].Values, taken[k] = v.of[k], true
		}
	}
	pairs, err := r.judge(&r.metric, windows)
	return pairs, true, err
}
