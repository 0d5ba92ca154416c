// Package robust asks how stubborn verdicts are: it decides the headlines of a
// recording again under other choices that a reasonable analyst could have made,
// and says in how many they hold, and what makes them fall. It costs no request.
package robust

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"aircheck/internal/analyze/inference"
	"aircheck/internal/kit/duck"
)

// Views are those that it reads.
var Views = []string{"metrics", "_windows", "_never", "_periods", "results", "_like_for_like", "definitions"}

// Headline is one verdict, and how it fares.
type Headline struct {
	Kind    string   `json:"kind"` // first, cheapest, most reliable, flip
	Text    string   `json:"text"`
	Holds   int      `json:"holds"`
	Choices int      `json:"choices"` // that could be asked
	Falls   []string `json:"falls"`   // those under which it does not hold

	metric string
	pairs  []claim // that have to be decided so
}

// claim is that one provider beats another in a contest.
type claim struct {
	contest       int64
	leader, other string
}

// Result is what Run finds.
type Result struct {
	Headlines []Headline `json:"headlines"`
	Choices   []string   `json:"choices"` // of all headlines together
	Live      int        `json:"live"`    // contests of live traffic, which are left out
}

// mostFlips bounds how many flips are asked, the strongest first.
const mostFlips = 20

// headlineMetrics are those whose verdicts a report leads with, with the kind of
// headline that each makes.
var headlineMetrics = []struct{ metric, kind string }{
	{"ttft_net_ms", "first"}, {"e2e_ms", "first"}, {"tokens_per_s", "first"},
	{"cost_per_useful_usd", "cheapest"}, {"answered_share", "most reliable"},
}

// Run re-decides the headlines of an open data set.
func Run(ctx context.Context, e duck.Execer, workers int) (*Result, error) {
	metrics, err := inference.Registry(ctx, e)
	if err != nil {
		return nil, err
	}
	live, err := liveContests(ctx, e)
	if err != nil {
		return nil, err
	}
	out := &Result{Headlines: []Headline{}, Choices: []string{}, Live: len(live)}
	seen := map[string]bool{}
	present, err := measured(ctx, e)
	if err != nil {
		return nil, err
	}
	for _, h := range headlineMetrics {
		name := h.metric
		if name == "ttft_net_ms" && !present[name] {
			name = "ttft_ms" // what imports have
		}
		i := slices.IndexFunc(metrics, func(m inference.Metric) bool { return m.Name == name })
		if i < 0 || !present[name] {
			continue
		}
		r := &run{ctx: ctx, e: e, workers: workers, metric: metrics[i], metrics: metrics, live: live}
		list, err := r.headlines(h.kind)
		if err != nil {
			return nil, err
		}
		if len(list) == 0 {
			continue
		}
		choices, err := r.choices()
		if err != nil {
			return nil, err
		}
		for _, c := range choices {
			if !seen[c.name] {
				seen[c.name] = true
				out.Choices = append(out.Choices, c.name)
			}
			if err := r.ask(c, list); err != nil {
				return nil, err
			}
		}
		out.Headlines = append(out.Headlines, list...)
	}
	return out, nil
}

// run is the work on one metric.
type run struct {
	ctx     context.Context
	e       duck.Execer
	workers int
	metric  inference.Metric
	metrics []inference.Metric
	live    map[int64]bool
	windows []inference.CellWindow
}

func (r *run) judge(m *inference.Metric, windows []inference.CellWindow) ([]inference.Pair, error) {
	return inference.Judge(r.ctx, m, windows, r.workers)
}

// headlines are what the metric's verdicts say under the project's own choices.
func (r *run) headlines(kind string) ([]Headline, error) {
	windows, err := r.read(r.metric.Name, true)
	if err != nil {
		return nil, err
	}
	r.windows = windows
	pairs, err := r.judge(&r.metric, windows)
	if err != nil {
		return nil, err
	}
	var out []Headline
	for _, contest := range inference.Chunked(pairs, func(p *inference.Pair) int64 { return p.Contest }) {
		if h := r.leader(kind, contest); h != nil {
			out = append(out, *h)
		}
	}
	return append(out, r.flips(pairs)...), nil
}

// leader is the provider that beats all others of a contest; nil where there is none.
func (r *run) leader(kind string, contest []inference.Pair) *Headline {
	providers, wins := map[string]bool{}, map[string][]claim{}
	for _, p := range contest {
		providers[p.A], providers[p.B] = true, true
		if p.Decided && p.Leader != "" {
			wins[p.Leader] = append(wins[p.Leader], claimOf(p))
		}
	}
	for leader, claims := range wins {
		if len(claims) == len(providers)-1 {
			return &Headline{Kind: kind, metric: r.metric.Name, pairs: claims,
				Text: fmt.Sprintf("%s is %s in %s on %s", leader, kind, r.metric.Title, contest[0].Where)}
		}
	}
	return nil
}

func claimOf(p inference.Pair) claim {
	other := p.A
	if p.Leader == p.A {
		other = p.B
	}
	return claim{p.Contest, p.Leader, other}
}

// flips are the strongest supported ones between models.
func (r *run) flips(pairs []inference.Pair) []Headline {
	type flip struct {
		Headline
		strength float64
	}
	byPair := map[[2]string][]inference.Pair{}
	for _, p := range pairs {
		if p.Decided && p.Leader != "" && p.Ratio != nil {
			byPair[[2]string{p.A, p.B}] = append(byPair[[2]string{p.A, p.B}], p)
		}
	}
	var all []flip
	for _, list := range byPair {
		for i, x := range list {
			for _, y := range list[:i] {
				if x.Leader == y.Leader || x.Model == y.Model || settingOf(x) != settingOf(y) {
					continue
				}
				all = append(all, flip{Headline{Kind: "flip", metric: r.metric.Name, pairs: []claim{claimOf(y), claimOf(x)},
					Text: fmt.Sprintf("%s: %s leads %s on %s, and the other way round on %s", r.metric.Title, y.Leader, claimOf(y).other, y.Where, x.Where)},
					min(factor(x), factor(y))})
			}
		}
	}
	slices.SortFunc(all, func(a, b flip) int { return cmp.Or(cmp.Compare(b.strength, a.strength), cmp.Compare(a.Text, b.Text)) })
	var out []Headline
	for _, f := range all[:min(len(all), mostFlips)] {
		out = append(out, f.Headline)
	}
	return out
}

func factor(p inference.Pair) float64 { return max(*p.Ratio, 1 / *p.Ratio) }

// settingOf is a contest but for its model.
func settingOf(p inference.Pair) string { return p.Where[len(p.Model):] }

// ask decides again under a choice.
func (r *run) ask(c choice, list []Headline) error {
	pairs, asked, err := c.judge()
	if err != nil || !asked {
		return err
	}
	type key struct {
		contest int64
		a, b    string
	}
	answers := map[key]inference.Pair{}
	for _, p := range pairs {
		answers[key{p.Contest, p.A, p.B}] = p
	}
	for i := range list {
		h := &list[i]
		holds, known := true, true
		for _, cl := range h.pairs {
			p, ok := answers[key{cl.contest, min(cl.leader, cl.other), max(cl.leader, cl.other)}]
			known = known && ok && !p.Few
			holds = holds && p.Decided && p.Leader == cl.leader
		}
		switch {
		case !known: // too little is left to ask of it
			continue
		case holds:
			h.Holds++
		default:
			h.Falls = append(h.Falls, c.name)
		}
		h.Choices++
	}
	return nil
}

// read gives the windows of a metric, without live traffic.
func (r *run) read(metric string, failures bool) ([]inference.CellWindow, error) {
	windows, err := inference.WindowsOf(r.ctx, r.e, metric)
	if err == nil && failures {
		windows, err = inference.WithFailures(r.ctx, r.e, metric, windows)
	}
	return slices.DeleteFunc(windows, func(w inference.CellWindow) bool { return r.live[w.ContestID] }), err
}

func liveContests(ctx context.Context, e duck.Execer) (map[int64]bool, error) {
	rows, err := e.QueryContext(ctx, "SELECT DISTINCT contest_id FROM _like_for_like WHERE live")
	if err != nil {
		return nil, duck.Wrap("_like_for_like", err)
	}
	defer rows.Close()
	out := map[int64]bool{}
	for rows.Next() {
		var id int64
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		out[id] = true
	}
	return out, rows.Err()
}

// measured are the metrics that the data set has windows of.
func measured(ctx context.Context, e duck.Execer) (map[string]bool, error) {
	rows, err := e.QueryContext(ctx, "SELECT DISTINCT metric FROM _windows")
	if err != nil {
		return nil, duck.Wrap("_windows", err)
	}
	defer rows.Close()
	out := map[string]bool{}
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return nil, err
		}
		out[name] = true
	}
	return out, rows.Err()
}
