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
		tools, err := r.tools("ttft_ms")
		if err != nil {
			return nil, err
		}
		for _, t := range tools {
			out = append(out, choice{"first tokens as " + t + " counts them", func() ([]inference.Pair, bool, error) { return r.asTool(t, "ttft_ms") }})
		}
	case "tokens_per_s":
		for _, o := range []struct{ metric, name string }{
			{"chars_per_s", "characters instead of tokens"}, {"output_per_e2e", "speed over the whole request"},
		} {
			out = append(out, choice{o.name, func() ([]inference.Pair, bool, error) { return r.other(o.metric, true) }})
		}
		tools, err := r.tools("tokens_per_s")
		if err != nil {
			return nil, err
		}
		for _, t := range tools {
			out = append(out, choice{"speed as " + t + " counts it", func() ([]inference.Pair, bool, error) { return r.asTool(t, "tokens_per_s") }})
		}
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

// tools are those that would state something of the recorded streams.
func (r *run) tools(metric string) ([]string, error) {
	rows, err := r.e.QueryContext(r.ctx, "SELECT DISTINCT tool FROM definitions WHERE metric = $1 AND value IS NOT NULL ORDER BY tool", metric)
	if err != nil {
		return nil, duck.Wrap("definitions", err)
	}
	defer rows.Close()
	var out []string
	for rows.Next() {
		var t string
		if err := rows.Scan(&t); err != nil {
			return nil, err
		}
		out = append(out, t)
	}
	return out, rows.Err()
}

// asTool decides by what a tool would state.
func (r *run) asTool(tool, metric string) ([]inference.Pair, bool, error) {
	return r.from(`
		SELECT r.contest_id, r.provider, r.window_key, list_sort(list(d.value)) AS ascending, true AS changed
		FROM definitions d
		JOIN results r ON r.request_id = d.request_id
		WHERE r.measured AND r.complete AND d.value > 0 AND d.tool = $1 AND d.metric = $2
		GROUP BY ALL`, tool, metric)
}

// from decides with values of other rows in the place of the windows' own. It was
// not asked where nothing changed.
func (r *run) from(query string, args ...any) ([]inference.Pair, bool, error) {
	rows, err := r.e.QueryContext(r.ctx, query, args...)
	if err != nil {
		return nil, false, duck.Wrap("robust", err)
	}
	defer rows.Close()
	type key struct {
		contest          int64
		provider, window string
	}
	values, asked := map[key][]float64{}, false
	for rows.Next() {
		var k key
		var list any
		var changed bool
		if err := rows.Scan(&k.contest, &k.provider, &k.window, &list, &changed); err != nil {
			return nil, false, err
		}
		asked = asked || changed
		for _, v := range list.([]any) {
			values[k] = append(values[k], v.(float64))
		}
	}
	if err := rows.Err(); err != nil || !asked {
		return nil, false, err
	}
	windows := slices.Clone(r.windows)
	taken := map[key]bool{}
	for i := range windows {
		k := key{windows[i].ContestID, windows[i].Provider, windows[i].ID}
		windows[i].Values = nil
		if !taken[k] { // several sets of parameters are one mixture all the same
			windows[i].Values, taken[k] = values[k], true
		}
	}
	pairs, err := r.judge(&r.metric, windows)
	return pairs, true, err
}
