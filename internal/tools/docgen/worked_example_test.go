package main

import (
	"context"
	"database/sql"
	"fmt"
	"strings"

	"aircheck/internal/kit/duck"
	"aircheck/internal/report/words"
)

// What follows writes docs/worked-example.md: what the history of a public
// benchmark says of its providers, and one pair of them worked through, so that
// a reader can follow every number with a pocket calculator. A test keeps the
// page equal to what the program computes, and to a computation of its own.

// workedViews are those that the page is made of.
var workedViews = []string{"results", "ranks", "flips", "_comparisons", "metrics"}

// The pair that is worked: a supported flip with so few windows that all steps
// fit a page.
const (
	metric = "e2e_ms"
	a, b   = "databricks", "octoai"
	model1 = "llama-2-70b-chat"
	model2 = "mixtral-8x7b-instruct"
	at     = "cdg"
)

// window is what both providers have in one window, in ms.
type window struct {
	id   string
	a, b float64
}

func (w window) ratio() float64 { return w.a / w.b }

// workedExample is the whole page.
func workedExample(ctx context.Context, e duck.Execer) (string, error) {
	p := &example{ctx: ctx, e: e}
	p.intro()
	p.leaders()
	p.flips()
	p.pair()
	return p.String(), p.err
}

type example struct {
	strings.Builder
	ctx context.Context
	e   duck.Execer
	err error
}

func (p *example) printf(format string, args ...any) { fmt.Fprintf(&p.Builder, format, args...) }

// rows calls f for each row of a query.
func (p *example) rows(query string, f func(*sql.Rows) error, args ...any) {
	if p.err != nil {
		return
	}
	rows, err := p.e.QueryContext(p.ctx, query, args...)
	if err != nil {
		p.err = duck.Wrap("worked example", err)
		return
	}
	defer rows.Close()
	for rows.Next() {
		if err := f(rows); err != nil {
			p.err = err
			return
		}
	}
	p.err = rows.Err()
}

func (p *example) intro() {
	p.printf(`# A worked example

[thefastest.ai](https://thefastest.ai) published its latest results as one file, latest.json (MIT licence, fixie-ai/thefastest.ai). 33 versions of that file, of April and May 2024, hold 4,924 requests from three places: Paris (cdg), Virginia (iad) and Seattle (sea). Each of its runs asked every provider once per model, so a run is a window, and a window has one value. This page is made from that history (%s), and a test keeps it so.

%s
record import thefastest *.json --to traces
analyze build traces
%s

`, "`go test ./internal/tools/docgen -run WorkedExample -update`", "```", "```")
}

func (p *example) leaders() {
	p.printf("## Who leads\n\nTime to the whole answer, by model and place: the providers that no other significantly beats, with the places that the data allow them. One name with place 1 is a leader; several are a tie that the data do not break.\n\n")
	p.printf("| model | cdg | iad | sea |\n|---|---|---|---|\n")
	cells := map[string]map[string]string{}
	var models []string
	p.rows(`
		SELECT model, vantage, string_agg(provider || CASE WHEN rank_hi > 1 THEN ' (1–' || rank_hi || ')' ELSE '' END, ', ' ORDER BY estimate, provider)
		FROM ranks
		WHERE metric = $1 AND rank_lo = 1 AND providers > 1
		GROUP BY ALL
		ORDER BY ALL`, func(r *sql.Rows) error {
		var model, place, names string
		if err := r.Scan(&model, &place, &names); err != nil {
			return err
		}
		if cells[model] == nil {
			cells[model] = map[string]string{}
			models = append(models, model)
		}
		if !strings.Contains(names, ", ") {
			names = "**" + names + "**"
		}
		cells[model][place] = names
		return nil
	}, metric)
	for _, m := range models {
		p.printf("| %s | %s | %s | %s |\n", m, cells[m]["cdg"], cells[m]["iad"], cells[m]["sea"])
	}
	p.printf("\n")
}

func (p *example) flips() {
	p.printf("## What flips\n\nPairs of providers whose order differs between two models, by place and metric. A flip is supported where both of its sides are decided: by eight common windows or more, at 5 %% over all sides of the metric, and beyond the margin. All others are tendencies.\n\n")
	p.printf("| metric | supported | tendencies |\n|---|---:|---:|\n")
	p.rows(`
		SELECT f.metric, count(*) FILTER (verdict = 'supported'), count(*) FILTER (verdict = 'tendency')
		FROM flips f
		JOIN metrics m ON m.metric = f.metric
		WHERE axis = 'model'
		GROUP BY f.metric, m.place
		ORDER BY m.place`, func(r *sql.Rows) error {
		var name string
		var supported, tendency int
		err := r.Scan(&name, &supported, &tendency)
		p.printf("| %s | %d | %d |\n", name, supported, tendency)
		return err
	})
	p.printf("\n`analyze sql traces \"FROM flips WHERE axis = 'model' AND verdict = 'supported'\"` lists them. The one of %s reads:\n\n> %s.\n\n", metric, p.flip().Text())
}

// flip is the pair's flip, as the view has it.
func (p *example) flip() (f words.Flip) {
	f = words.Flip{Axis: "model", Setting: "from " + at}
	p.rows("SELECT "+words.MetricColumns+" FROM metrics WHERE metric = $1", func(r *sql.Rows) error { return r.Scan(f.Metric.Into()...) }, metric)
	found := 0
	p.rows(`
		SELECT leader_1, leader_2, at_1, at_2, ratio_1, ratio_1_lo, ratio_1_hi, ratio_2, ratio_2_lo, ratio_2_hi, n_windows_1, n_windows_2, decided_1, decided_2, evidence
		FROM flips
		WHERE axis = 'model' AND metric = $1 AND provider_a = $2 AND provider_b = $3 AND at_1 = $4 AND at_2 = $5 AND vantage = $6`, func(r *sql.Rows) error {
		found++
		return r.Scan(&f.Leader1, &f.Leader2, &f.At1, &f.At2, &f.Times1.Value, &f.Times1.Lo, &f.Times1.Hi, &f.Times2.Value, &f.Times2.Lo, &f.Times2.Hi,
			&f.Windows1, &f.Windows2, &f.Decided1, &f.Decided2, &f.Evidence)
	}, metric, a, b, model1, model2, at)
	if p.err == nil && found != 1 {
		p.err = fmt.Errorf("worked example: %d flips of %s and %s between %s and %s, want one", found, a, b, model1, model2)
	}
	return f
}

// side is one row of _comparisons.
type side struct {
	windows        int
	levelA, levelB float64
	ratio, lo, hi  float64
	p, q           float64
	worth, rho     float64
	decided        bool
	lasting        sql.NullBool
}

func (p *example) side(model string) (s side) {
	p.rows(`
		SELECT n_windows, level_a, level_b, ratio, lo, hi, p, q, n_effective, rho, decided, lasting
		FROM _comparisons
		WHERE metric = $1 AND provider_a = $2 AND provider_b = $3 AND model = $4 AND vantage = $5 AND period IS NULL`, func(r *sql.Rows) error {
		return r.Scan(&s.windows, &s.levelA, &s.levelB, &s.ratio, &s.lo, &s.hi, &s.p, &s.q, &s.worth, &s.rho, &s.decided, &s.lasting)
	}, metric, a, b, model, at)
	return s
}

// Windows are the pair's common windows on a model, in order of time.
func (p *example) windows(model string) (out []window) {
	p.rows(`
		SELECT window_name, max(e2e_ms) FILTER (provider = $1) AS a, max(e2e_ms) FILTER (provider = $2) AS b
		FROM results
		WHERE measured AND model = $3 AND vantage = $4 AND provider IN ($1, $2)
		GROUP BY window_name
		HAVING a IS NOT NULL AND b IS NOT NULL
		ORDER BY window_name`, func(r *sql.Rows) error {
		var w window
		err := r.Scan(&w.id, &w.a, &w.b)
		out = append(out, w)
		return err
	}, a, b, model, at)
	return out
}

// family is the p-values of all sides of the metric that are compared over windows, ascending.
func (p *example) family() (all []float64) {
	p.rows("SELECT p FROM _comparisons WHERE metric = $1 AND period IS NULL AND evidence = 'windows' ORDER BY p", func(r *sql.Rows) error {
		var v float64
		err := r.Scan(&v)
		all = append(all, v)
		return err
	}, metric)
	return all
}
