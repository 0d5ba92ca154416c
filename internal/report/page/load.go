package page

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"aircheck/internal/report/words"
)

// key is a contest: what providers are compared in.
type key struct {
	model       string
	scenario    sql.NullString
	concurrency sql.NullInt64
	vantage     sql.NullString
}

func (k *key) fields() []any { return []any{&k.model, &k.scenario, &k.concurrency, &k.vantage} }

// who is a provider in a contest. Where one entered with several sets of
// declared parameters, each is a row; contests then puts them into the name.
type who struct {
	key
	provider string
	params   sql.NullString
}

func (w *who) fields() []any { return append(w.key.fields(), &w.provider, &w.params) }

// cell is one provider in a contest, by one time metric. Times are ms.
type cell struct {
	who
	metric                 sql.NullString // NULL: no time of any kind
	rankLo, rankHi         *int64
	n, windows, failed     *int64
	p50, p50Lo, p50Hi      *float64
	p95, p95Lo, p95Hi, p99 *float64
	p95All                 *float64
	cost, costLo, costHi   *float64 // USD per useful result
	wasted, wastedShare    *float64 // USD of results that are not useful
	costWarning            sql.NullString
	costRankLo, costRankHi *int64
	useful                 *int64
	basis                  sql.NullString // what useful means here: useful or completed
	usefulShare            *float64       // of attempts
	requests               *int64         // measured, attempts and others
	attempts, answered     *int64
	share                  *float64
	shareLo, shareHi       *float64
	servable               string
	lang                   *words.Language
}

func (c *cell) scan() []any {
	return append(c.who.fields(), &c.metric, &c.rankLo, &c.rankHi, &c.n, &c.windows, &c.failed,
		&c.p50, &c.p50Lo, &c.p50Hi, &c.p95, &c.p95Lo, &c.p95Hi, &c.p99, &c.p95All,
		&c.cost, &c.costLo, &c.costHi, &c.wasted, &c.wastedShare, &c.costWarning, &c.costRankLo, &c.costRankHi,
		&c.useful, &c.basis, &c.usefulShare, &c.requests, &c.attempts, &c.answered, &c.share, &c.shareLo, &c.shareHi, &c.servable)
}

// whyNoTime says why the cell has no time.
func (c *cell) whyNoTime() string {
	return pick(c.answered != nil && *c.answered > 0, c.lang.Say("no times are known"), c.lang.Say("no answer arrived"))
}

// measure is one provider in a contest, by any metric of the view latency.
type measure struct {
	who
	metric             string
	unit, better       sql.NullString
	n, windows, failed *int64
	p50, p50Lo, p50Hi  *float64
	p90                *float64
	p95, p95Lo, p95Hi  *float64
	p99, max, p95All   *float64
	spread, ratio      *float64
	warning            sql.NullString
}

func (m *measure) scan() []any {
	return append(m.who.fields(), &m.metric, &m.unit, &m.better, &m.n, &m.windows, &m.failed,
		&m.p50, &m.p50Lo, &m.p50Hi, &m.p90, &m.p95, &m.p95Lo, &m.p95Hi, &m.p99, &m.max, &m.p95All, &m.spread, &m.ratio, &m.warning)
}

// tailPoint says that share of the n requests waited longer than ms.
type tailPoint struct {
	who
	metric    string
	n         int64
	share, ms float64
}

func (p *tailPoint) scan() []any {
	return append(p.who.fields(), &p.metric, &p.n, &p.share, &p.ms)
}

// window counts the requests of one provider in one hour of one window.
type window struct {
	who
	slot               string
	hour, first        time.Time
	attempts, answered int64
}

func (w *window) scan() []any {
	return append(w.who.fields(), &w.slot, &w.hour, &w.first, &w.attempts, &w.answered)
}

// outcome counts the requests of one provider that ended in one way.
type outcome struct {
	who
	outcome string
	n       int64
}

func (o *outcome) scan() []any { return append(o.who.fields(), &o.outcome, &o.n) }

// thought is what one provider's thinking took in a contest.
type thought struct {
	who
	n                        int64    // answers whose thinking tokens are known
	tokens                   *float64 // per answer
	ofOutput, ofCost, ofTime *float64
	starved                  *int64
}

func (t *thought) scan() []any {
	return append(t.who.fields(), &t.n, &t.tokens, &t.ofOutput, &t.ofCost, &t.ofTime, &t.starved)
}

// flip is a pair of providers whose order differs between two models. Ratios
// say how many times better the leader is, above 1.
type flip struct {
	key                        // setting of both; model is the first
	metric                     words.Metric
	model2                     string
	leader1, leader2           string
	times1, times1Lo, times1Hi *float64
	times2, times2Lo, times2Hi *float64
	n1, n2                     *int64
	windows1, windows2         int64
	decided1, decided2         bool
	evidence, verdict          sql.NullString
	pairs                      int64 // that the metric has, shown or not
}

func (f *flip) scan() []any {
	return []any{&f.metric.Name, &f.model, &f.model2, &f.scenario, &f.concurrency, &f.vantage, &f.leader1, &f.leader2,
		&f.times1, &f.times1Lo, &f.times1Hi, &f.times2, &f.times2Lo, &f.times2Hi, &f.n1, &f.n2,
		&f.windows1, &f.windows2, &f.decided1, &f.decided2, &f.evidence, &f.verdict, &f.pairs}
}

func (f *flip) supported() bool { return f.verdict.String == "supported" }

// words states the flip.
func (f *flip) words() words.Flip {
	return words.Flip{Axis: "model", Metric: f.metric, Leader1: f.leader1, Leader2: f.leader2, At1: f.model, At2: f.model2,
		Times1: words.Times{Value: f.times1, Lo: f.times1Lo, Hi: f.times1Hi}, Times2: words.Times{Value: f.times2, Lo: f.times2Lo, Hi: f.times2Hi},
		Windows1: f.windows1, Windows2: f.windows2, Decided1: f.decided1, Decided2: f.decided2, Evidence: f.evidence.String}
}

// side is a decided pair: leader is better than other.
type side struct {
	key
	metric, leader, other string
}

func (s *side) scan() []any {
	return []any{&s.metric, &s.model, &s.scenario, &s.concurrency, &s.vantage, &s.leader, &s.other}
}

// scope is what the dataset holds.
type scope struct {
	requests, measured, providers, models, runs, windows int64
	first, last                                          sql.NullTime
	vantages, names                                      sql.NullString
	elsewhere                                            int64 // requests that state no vantage
	simulated, interrupted                               int64 // runs
}

func (s *scope) scan() []any {
	return []any{&s.requests, &s.measured, &s.providers, &s.models, &s.runs, &s.windows, &s.first, &s.last, &s.vantages, &s.elsewhere, &s.names, &s.simulated, &s.interrupted}
}

// champion answers for one scenario whether one provider is best on every model.
type champion struct {
	scenario, unbeaten string
	words.Champion
}

func (c *champion) scan() []any {
	return []any{&c.Metric.Name, &c.scenario, &c.Claim, &c.Models, &c.Candidates, &c.Provider, &c.ChampionModels, &c.unbeaten}
}

// found counts the cells of a model in which the audit finds something.
type found struct {
	model, severity, rule, finding string
	cells                          int64
}

// leftOut counts requests that no statistic counts.
type leftOut struct {
	phase    string
	excluded sql.NullString // the reason that a stated rule gives
	n        int64
}

// data is everything that the pages show, as the views gave it.
type data struct {
	lang     *words.Language
	scope    scope
	leftOut  []leftOut
	cells    []cell
	measures []measure
	tails    []tailPoint
	windows  []window
	outcomes []outcome
	thoughts []thought
	flips    []flip
	sides    []side
	champion []champion
	audit    []found
	facts    []fact
	hours    []hourly
	happened []happening
	limits   []limit
	places   []placed
	failures []failure
	prices   []priced
	found    []auditFound
	metrics  map[string]words.Metric
}

// ErrEmpty says that the dataset has nothing that a report could show.
var ErrEmpty = errors.New("no measured requests: there is nothing to report")

// read runs every query. Each is one scan of one or two views.
func read(ctx context.Context, src Source, l *words.Language) (*data, error) {
	d := &data{lang: l}
	scopes, err := load(ctx, src, "scope", (*scope).scan)
	if err != nil {
		return nil, err
	}
	if d.scope = scopes[0]; d.scope.measured == 0 {
		return nil, ErrEmpty
	}
	d.leftOut, err = load(ctx, src, "left_out", func(l *leftOut) []any { return []any{&l.phase, &l.excluded, &l.n} })
	for _, step := range []func() error{
		func() (err error) {
			all, err := load(ctx, src, "metrics", (*words.Metric).Into)
			d.metrics = map[string]words.Metric{}
			for _, m := range all {
				d.metrics[m.Name] = l.Metric(m)
			}
			return err
		},
		func() (err error) {
			d.cells, err = load(ctx, src, "verdict", (*cell).scan)
			for i := range d.cells {
				d.cells[i].lang = l
			}
			return
		},
		func() (err error) { d.measures, err = load(ctx, src, "measures", (*measure).scan); return },
		func() (err error) { d.tails, err = load(ctx, src, "tail", (*tailPoint).scan); return },
		func() (err error) { d.windows, err = load(ctx, src, "windows", (*window).scan); return },
		func() (err error) { d.outcomes, err = load(ctx, src, "outcomes", (*outcome).scan); return },
		func() (err error) { d.thoughts, err = load(ctx, src, "thinking", (*thought).scan); return },
		func() (err error) { d.hours, err = load(ctx, src, "over_time", (*hourly).scan); return },
		func() (err error) { d.happened, err = load(ctx, src, "events_in_time", (*happening).scan); return },
		func() (err error) { d.sides, err = load(ctx, src, "decided", (*side).scan); return },
		func() (err error) { d.facts, err = load(ctx, src, "answers", (*fact).scan); return },
		func() (err error) {
			d.limits, err = load(ctx, src, "fit", (*limit).scan)
			for i := range d.limits {
				d.limits[i].lang = l
			}
			return
		},
		func() (err error) { d.places, err = load(ctx, src, "matrix", (*placed).scan); return },
		func() (err error) { d.failures, err = load(ctx, src, "failures", (*failure).scan); return },
		func() (err error) { d.prices, err = load(ctx, src, "prices_used", (*priced).scan); return },
		func() (err error) { d.found, err = load(ctx, src, "audit_provider", (*auditFound).scan); return },
		func() (err error) {
			d.flips, err = load(ctx, src, "flips", (*flip).scan)
			for i := range d.flips {
				d.flips[i].metric = d.metrics[d.flips[i].metric.Name]
			}
			return
		},
		func() (err error) {
			d.champion, err = load(ctx, src, "champions", (*champion).scan)
			for i := range d.champion {
				d.champion[i].Metric = d.metrics[d.champion[i].Metric.Name]
			}
			return
		},
		func() (err error) {
			d.audit, err = load(ctx, src, "audit", func(f *found) []any { return []any{&f.model, &f.severity, &f.rule, &f.finding, &f.cells} })
			return
		},
	} {
		if err == nil {
			err = step()
		}
	}
	return d, err
}
