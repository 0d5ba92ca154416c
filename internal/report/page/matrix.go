package page

import (
	"cmp"
	"slices"
	"strings"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// matrix shows a market on one screen: a row a model, a column a provider, in
// the cell the places that the provider may hold and its level.
type matrix struct {
	ID      string
	Caption string
	Metrics []matrixLink
	Heads   []string
	Take    string // head of the second column; "" where there is no advice
	Rows    []matrixRow
	Notes   []string
}

type matrixLink struct {
	Slug, Name string
	Current    bool
}

type matrixRow struct {
	Model, Slug string
	Take        advice
	Cells       []matrixCell
}

// matrixCell is one provider on one model. Class is the tint: "wn" alone first,
// "c1" shares first or within 1.1 times the best, "c2" within 1.6, "c3" within
// 2.5, "x" without a level; Word says why.
type matrixCell struct {
	Provider, Class, Place, Value, Word string
}

// advice is whom to take for a workload on a model.
type advice struct {
	Provider string // "" for nobody
	Sure     bool   // every limit is met by its interval
	Why      string
}

// shown says which measures the matrix has, each on a page of its own but the
// first, which is the index's.
var matrixMetrics = []struct{ metric, slug, name string }{
	{"ttft_net_ms", "", words.Later("first token")},
	{"ttft_net_p95_ms", "matrix-slow-first-token", words.Later("slow first token")},
	{"e2e_ms", "matrix-whole-answer", words.Later("whole answer")},
	{"tokens_per_s", "matrix-output-speed", words.Later("output speed")},
	{"cost_per_useful_usd", "matrix-cost", words.Later("cost")},
	{"answered_share", "matrix-answered", words.Later("answered")},
}

// mostShown is how many models and providers one page of the matrix has.
const mostShown = 20

// placed is a row of matrix.sql.
type placed struct {
	key
	metric, provider string
	estimate         *float64
	lo, hi           *int64
}

func (p *placed) scan() []any {
	return []any{&p.metric, &p.model, &p.scenario, &p.concurrency, &p.vantage, &p.provider, &p.estimate, &p.lo, &p.hi}
}

// market is what the matrices are made of: the contests of one setting.
type market struct {
	setting   key
	models    []*contest
	providers []string // by their median place for the first measure
	places    map[string]map[string]map[string]placed
	take      map[string]advice // by model
	slugOf    map[string]string
	metrics   map[string]words.Metric
	lang      *words.Language
}

// newMarket takes the main contest of each model that is in the setting of the
// first one; nil where there are not two providers and two models.
func newMarket(all []*contest, rows []placed, take map[string]advice, slugOf map[string]string) *market {
	m := &market{setting: all[0].setting(), places: map[string]map[string]map[string]placed{}, take: take, slugOf: slugOf, metrics: all[0].metrics, lang: all[0].lang}
	for _, c := range all {
		if c.setting() == m.setting {
			m.models = append(m.models, c)
		}
	}
	if all[0].metric == "ttft_ms" || all[0].metric == "e2e_ms" {
		for i := range rows {
			if rows[i].metric == all[0].metric {
				rows[i].metric = pick(all[0].metric == "ttft_ms", "ttft_net_ms", "e2e_ms")
			}
		}
	}
	for _, r := range rows {
		if r.setting() != m.setting {
			continue
		}
		if m.places[r.metric] == nil {
			m.places[r.metric] = map[string]map[string]placed{}
		}
		if m.places[r.metric][r.model] == nil {
			m.places[r.metric][r.model] = map[string]placed{}
		}
		m.places[r.metric][r.model][r.provider] = r
	}
	medians := map[string][]float64{}
	for _, c := range m.models {
		for i, x := range c.timed() {
			medians[x.provider] = append(medians[x.provider], float64(i+1))
		}
		for _, x := range c.cells {
			if medians[x.provider] == nil {
				medians[x.provider] = []float64{}
			}
		}
	}
	for p := range medians {
		m.providers = append(m.providers, p)
	}
	middle := func(p string) float64 {
		v := slices.Sorted(slices.Values(medians[p]))
		if len(v) == 0 {
			return 1e9
		}
		return (v[(len(v)-1)/2] + v[len(v)/2]) / 2
	}
	slices.SortFunc(m.providers, func(a, b string) int { return cmp.Or(cmp.Compare(middle(a), middle(b)), cmp.Compare(a, b)) })
	if len(m.models) < 2 || len(m.providers) < 2 {
		return nil
	}
	return m
}

// compares says whether there is a matrix: two models or more on which providers
// compete.
func compares(main []*contest) bool {
	n := 0
	for _, c := range main {
		if c.contested() {
			n++
		}
	}
	return n > 1
}

// of is the matrix of one measure; nil where no model is ranked by it.
func (m *market) of(metric, slug, name string, most int) *matrix {
	places := m.places[metric]
	if len(places) == 0 {
		return nil
	}
	l := m.lang
	out := &matrix{ID: "matrix" + strings.TrimPrefix(slug, "matrix"), Caption: l.Say("Place and %s of each provider on each model", l.Term(name)), Take: m.takeHead()}
	for _, o := range matrixMetrics {
		if len(m.places[o.metric]) > 0 {
			out.Metrics = append(out.Metrics, matrixLink{o.slug, l.Term(o.name), o.metric == metric})
		}
	}
	providers, models := m.providers, m.models
	if most > 0 {
		providers, models = providers[:min(most, len(providers))], models[:min(most, len(models))]
	}
	out.Heads = providers
	for _, c := range models {
		r := matrixRow{Model: c.model, Slug: m.slugOf[c.model], Take: m.take[c.model]}
		best := m.best(metric, c.model)
		for _, p := range providers {
			r.Cells = append(r.Cells, m.cell(c, metric, p, best))
		}
		out.Rows = append(out.Rows, r)
	}
	out.Notes = append(out.Notes, l.Say("A range of places: the data cannot separate them, or they differ by less than the margin%s", marginOf(m.metrics[metric])))
	if len(providers) < len(m.providers) || len(models) < len(m.models) {
		out.Notes = append(out.Notes, l.Say("%d of %s, %d of %s", len(models), l.Count(int64(len(m.models)), "model"), len(providers), l.Count(int64(len(m.providers)), "provider")))
	}
	return out
}

func marginOf(m words.Metric) string {
	if s := m.Margin(); s != "" {
		return m.Language.Say(" (%s)", s)
	}
	return ""
}

func (m *market) takeHead() string {
	if len(m.take) == 0 {
		return ""
	}
	return m.lang.Say("For chat, take")
}

// best is the best level on a model, nil without one.
func (m *market) best(metric, model string) *float64 {
	var best *float64
	for _, r := range m.places[metric][model] {
		if r.estimate != nil && (best == nil || higher(metric) && *r.estimate > *best || !higher(metric) && *r.estimate < *best) {
			best = r.estimate
		}
	}
	return best
}

func higher(metric string) bool { return metric == "tokens_per_s" || metric == "answered_share" }

func (m *market) cell(c *contest, metric, provider string, best *float64) matrixCell {
	out := matrixCell{Provider: provider, Class: "x"}
	r, ok := m.places[metric][c.model][provider]
	if !ok || r.estimate == nil {
		out.Word = m.lang.Say("not asked")
		for _, x := range c.cells {
			if x.provider == provider {
				switch {
				case x.servable == "dedicated-only":
					out.Word, out.Class = m.lang.Say("dedicated only"), "x ded"
				case x.servable == "unavailable":
					out.Word = m.lang.Say("not offered")
				case orZero(x.answered) == 0:
					out.Word = m.lang.Say("no answer")
				default:
					out.Word = m.lang.Say("not known")
				}
				return out
			}
		}
		out.Class = "x na"
		return out
	}
	out.Place = rank(r.lo, r.hi).Text
	out.Value = m.value(metric, *r.estimate)
	out.Class = tint(metric, r, *best)
	return out
}

func (m *market) value(metric string, v float64) string {
	switch metric {
	case "tokens_per_s":
		return human.Number(v)
	case "cost_per_useful_usd":
		return human.USD(1000 * v)
	case "answered_share":
		return human.Share(v)
	}
	return m.lang.Millis(v)
}

// tint is solid for a place alone at the top only: a tie is never a win.
func tint(metric string, r placed, best float64) string {
	first := r.lo != nil && *r.lo == 1
	if metric == "answered_share" {
		switch v := *r.estimate; {
		case v >= 0.995:
			return "c1"
		case v >= 0.99:
			return "c2"
		}
		return ""
	}
	ratio := *r.estimate / best
	if higher(metric) {
		ratio = best / *r.estimate
	}
	switch {
	case first && r.hi != nil && *r.hi == 1:
		return "wn"
	case first || ratio <= 1.1:
		return "c1"
	case ratio <= 1.6:
		return "c2"
	case ratio <= 2.5:
		return "c3"
	}
	return ""
}
