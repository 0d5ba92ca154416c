package page

import (
	"context"
	"html/template"
	"runtime"
	"slices"
	"strings"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// Options are what a report is told beside the data.
type Options struct {
	Language *words.Language // default English
	Publication
	Data      Level     // how much of the data stands beside the pages; default DataDerived
	Catalogue []View    // documents the public views; those that pages read are published
	Baseline  *Baseline // what changed since an earlier data set; nil: none is compared
	Pins      []Pin     // what the numbers rest on beside the data set and the program
	Checksum  string    // identifies the dataset, for the cite block
	Tool      string    // name and version of the program
	LeftOut   []string  // runs that cannot be read, with why
}

// Report is a finished report, ready to be written as a site or as one file.
type Report struct {
	options  Options
	kicker   string
	index    *indexPage
	models   []*modelPage
	others   []*otherPage
	data     []File // tables, citation
	citation citation
	said     *template.Template
	last     string // day of the last request
}

// otherPage is a page beside the index and those of models: of a provider, of
// one measure of the matrix, or of one question.
type otherPage struct {
	Path     string // "provider/x.html", "cost.html"
	Nav      string // in the list of pages; "" where it is not there
	Title    string
	H1       string
	Lead     []string
	Matrix   *matrix
	Provider *providerPage
	Proof    *proof
	Figures  []*figure
	Tables   []detail
	Data     []publishedSet
}

// indexPage is the first page: the findings, one verdict table a contest.
type indexPage struct {
	H1       string
	Proof    string // path of the page that proves it; "" without one
	Lead     []string
	Faults   string // how many the audit finds; "" for none
	Answers  []answer
	Matrix   *matrix
	FitModel string
	Fit      []fitRow
	Sections []section
	More     []moreLink // contests whose table is on their model's page only
	Ranks    *figure
	Thinking *figure
	Cost     *figure
	Flips    *table
	FlipsSQL string
	Method   method
}

// modelPage is all that is said of one model.
type modelPage struct {
	Model    string
	Slug     string
	H1       string
	Lead     []string
	Faults   string // of its cells
	Sections []section
}

// section is one contest on a page.
type section struct {
	ID      string
	Heading string // the finding
	Sub     string // which contest
	Model   string // slug of the page that tells more; "" on that page itself
	Verdict verdict
	Figures []*figure
	Tables  []detail
}

// detail is a table that a reader opens.
type detail struct {
	ID     string
	Title  string
	Sub    string // what is shown, in which unit
	Empty  string // what stands in its place where it has no rows
	Table  table
	SQL    string
	Folded bool
}

type moreLink struct{ Slug, Anchor, Text string }

// tablesOnIndex is how many verdict tables the first page holds where no matrix
// shows all models.
const tablesOnIndex = 4

// Build reads the views and draws every chart.
func Build(ctx context.Context, src Source, opt Options) (*Report, error) {
	r, err := compose(ctx, src, opt)
	if err != nil {
		return nil, err
	}
	return r, r.draw(ctx)
}

// compose reads the views and writes everything but the drawings.
func compose(ctx context.Context, src Source, opt Options) (*Report, error) {
	if opt.Language == nil {
		opt.Language, _ = words.LanguageFor("en")
	}
	l := opt.Language
	d, err := read(ctx, src, l)
	if err != nil {
		return nil, err
	}
	all := contests(d)
	if opt.Data == "" {
		opt.Data = DataDerived
	}
	if opt.Title == "" {
		opt.Title = title(l, d.scope)
	}
	r := &Report{options: opt, kicker: kicker(l, d.scope)}
	r.citation = newCitation(l, opt, r.kicker, d.scope)
	if d.scope.last.Valid {
		r.last = d.scope.last.Time.UTC().Format("2006-01-02")
	}
	if opt.Baseline != nil {
		r.others = append(r.others, opt.Baseline.page(l))
	}
	slugs := map[string]bool{}
	slugOf := map[string]string{}
	for _, c := range mains(all) {
		slugOf[c.model] = unique(slugs, slug(c.model))
	}
	flips := strongest(d.flips, mainMetric(all), all[0].setting())
	keep := keeps(d.limits)
	r.index = newIndex(all, flips, d, slugOf, keep)
	r.index.FitModel, r.index.Fit = all[0].model, fitTable(l, all[0].model, d.limits, keep)
	if m := newMarket(all, d.places, takes("chat", all, keep), slugOf); m != nil {
		first := matrixMetrics[0]
		r.index.Matrix = m.of(first.metric, first.slug, first.name, mostShown)
		for _, o := range matrixMetrics {
			if x := m.of(o.metric, o.slug, o.name, 0); x != nil && o.slug != "" {
				r.others = append(r.others, &otherPage{Path: o.slug + ".html", Title: l.Term(o.name), H1: l.Say("The market by %s", l.Term(o.name)), Matrix: x})
			}
		}
	}
	providerSlugs := map[string]string{}
	taken := map[string]bool{}
	for _, c := range all {
		for _, x := range c.cells {
			if providerSlugs[x.provider] == "" {
				providerSlugs[x.provider] = unique(taken, slug(x.provider))
			}
		}
	}
	for _, p := range providerPages(all, providerSlugs, d) {
		r.others = append(r.others, &otherPage{Path: "provider/" + p.Slug + ".html", Title: l.Name(p.Provider), H1: p.H1, Lead: p.Lead, Provider: p})
	}
	pc, pa, pb := headlinePair(all, flips)
	pr, err := newProof(ctx, src, l, pc, pa, pb, d.scope.simulated == d.scope.runs)
	if err != nil {
		return nil, err
	}
	if pr != nil {
		pr.Windows.About = pc.about()
		if pr.Requests != nil {
			pr.Requests.About = d.about(2)
		}
		r.index.Proof = "proof.html"
		r.others = append(r.others, &otherPage{Path: r.index.Proof, Title: l.Say("From headline to byte"), H1: pr.sentence(l), Proof: pr,
			Lead: []string{l.Say("From the sentence down to the bytes that it rests on. Each step has its query.")}})
	}
	for _, t := range topics {
		tables, err := topicTables(ctx, src, t.Slug, l)
		if err != nil {
			return nil, err
		}
		figures, err := topicFigures(ctx, src, t.Slug, d)
		if err != nil {
			return nil, err
		}
		r.others = append(r.others, &otherPage{Path: t.Slug + ".html", Figures: figures, Nav: l.Term(t.Nav), Title: l.Term(t.Nav), H1: l.Term(t.H1), Tables: tables})
	}
	for _, c := range mains(all) {
		r.models = append(r.models, newModel(all, d, c.model, slugOf[c.model], flips, faults(l, d.audit, c.model)))
	}
	data, sets, err := tables(ctx, src, opt)
	if err != nil {
		return nil, err
	}
	besides, err := parquets(ctx, src, opt, pr)
	if err != nil {
		return nil, err
	}
	r.data = append(append(data, besides...), File{"CITATION.cff", []byte(r.citation.CFF)}, File{"citation.bib", []byte(r.citation.BibTeX)})
	if len(sets) > 0 {
		r.others = append(r.others, &otherPage{Path: "data.html", Nav: l.Say("Data"), Title: l.Say("Data"), H1: l.Say("The data behind every number"), Data: publishedSets(l, sets, len(besides) > 0)})
	}
	return r, nil
}

func newIndex(all []*contest, flips []flip, d *data, slugOf map[string]string, keep map[[2]string][]kept) *indexPage {
	p := &indexPage{Ranks: bumpFigure(all, d.sides, d.lang), FlipsSQL: query("flips") + ";", Method: newMethod(d)}
	main := mains(all)
	p.H1 = headline(main, flips, d.champion)
	p.Lead = lead(main, flips, d.champion)
	if s := event(main, d); s != "" {
		p.Lead = append([]string{d.lang.Sentence(p.H1)}, p.Lead...)
		p.H1 = s
	}
	if s := nobody(all, d); s != "" {
		p.H1, p.Lead = s, nil
	}
	p.Thinking, p.Cost = thinkingFigure(all, d.lang), all[0].costFigure()
	for _, f := range []*figure{p.Ranks, p.Thinking} {
		if f != nil {
			f.About = d.about(d.scope.measured)
		}
	}
	if p.Cost != nil {
		p.Cost.About = all[0].about()
	}
	p.Faults = faults(d.lang, d.audit, "")
	p.Answers = answers(main, d)
	shown := all[:min(len(all), tablesOnIndex)]
	if compares(main) { // the matrix has the other models
		shown = main[:1]
	}
	// One axis for all tables, so that models can be compared, too.
	scale := scaleOf(shown...)
	for i, c := range shown {
		s := section{ID: "c-" + c.id, Heading: c.lang.Say("%s: %s", c.lang.Name(c.model), c.finding()), Sub: c.label, Model: slugOf[c.model],
			Verdict: c.verdict("t-", scale)}
		s.Verdict.Legend = i == 0
		s.Verdict.advise(d.lang, d.lang.Say("For chat"), keep[[2]string{"chat", c.model}])
		p.Sections = append(p.Sections, s)
	}
	for _, c := range all {
		if !slices.Contains(shown, c) {
			p.More = append(p.More, moreLink{slugOf[c.model], "m-" + c.id, c.lang.Say("%s: %s", c.where(), c.finding())})
		}
	}
	p.Flips = flipTable(d.lang, all, flips)
	return p
}

func newModel(all []*contest, d *data, model, slug string, flips []flip, faults string) *modelPage {
	p := &modelPage{Model: model, Slug: slug, Faults: faults}
	for _, c := range all {
		if c.model != model {
			continue
		}
		first := len(p.Sections) == 0
		s := section{ID: "m-" + c.id, Sub: c.label, Verdict: c.verdict("v-", scaleOf(c))}
		s.Verdict.Legend = first
		if first {
			p.H1 = c.lang.Say("%s: %s", c.lang.Name(model), c.finding())
			p.Lead = modelLead(c, flips)
		} else {
			s.Heading = words.Capital(c.finding())
		}
		for _, f := range []*figure{c.rangeFigure(), c.tailFigure(), c.paretoOnce(first, all[0]), c.timeOnce(first, d), c.availabilityFigure()} {
			if f != nil {
				f.About = c.about()
				s.Figures = append(s.Figures, f)
			}
		}
		if t := c.outcomeTable(); t != nil {
			s.Tables = append(s.Tables, detail{ID: "o-" + c.id, Title: c.lang.Say("How the requests ended"), Table: *t, SQL: c.narrowed("outcomes", false)})
		}
		if t := c.costTable(); t != nil {
			s.Tables = append(s.Tables, detail{ID: "s-" + c.id, Title: c.costTitle(), Table: *t, SQL: c.narrowed("verdict", c.metric != "")})
		}
		if t := c.thinkingTable(); t != nil {
			s.Tables = append(s.Tables, detail{ID: "k-" + c.id, Title: c.lang.Say("What thinking takes"), Table: *t, SQL: c.narrowed("thinking", false)})
		}
		if t := c.measureTable(); t != nil {
			s.Tables = append(s.Tables, detail{ID: "a-" + c.id, Title: c.lang.Say("Every measure"), Table: *t, SQL: c.narrowed("measures", false), Folded: true})
		}
		p.Sections = append(p.Sections, s)
	}
	return p
}

// figures are all charts of the report, in page order.
func (r *Report) figures() []*figure {
	var all []*figure
	for _, f := range []*figure{r.index.Ranks, r.index.Thinking, r.index.Cost} {
		if f != nil {
			all = append(all, f)
		}
	}
	for _, o := range r.others {
		if o.Proof != nil {
			all = append(all, o.Proof.Windows)
			if o.Proof.Requests != nil {
				all = append(all, o.Proof.Requests)
			}
		}
		all = append(all, o.Figures...)
	}
	for _, m := range r.models {
		for _, s := range m.Sections {
			all = append(all, s.Figures...)
		}
	}
	return all
}

func (r *Report) draw(ctx context.Context) error {
	figures := r.figures()
	charts := make([]chart.Chart, len(figures))
	for i, f := range figures {
		charts[i] = chart.Titled{Chart: f.chart, Title: f.Title, Desc: f.Sub + " The numbers stand in the table below."}
	}
	drawn, err := chart.NewRenderer(min(runtime.GOMAXPROCS(0), 4)).Draw(ctx, charts)
	if err != nil {
		return err
	}
	for i, f := range figures {
		f.Drawn = drawn[i]
	}
	return nil
}

func mainMetric(all []*contest) string {
	for _, c := range all {
		if c.metric != "" {
			return c.metric
		}
	}
	return ""
}

func kicker(l *words.Language, s scope) string {
	parts := []string{}
	if s.first.Valid {
		parts = append(parts, l.Say("Measured %s", dates(l, s.first.Time, s.last.Time)))
	}
	parts = append(parts, words.Runs{All: s.runs, Simulated: s.simulated, Interrupted: s.interrupted}.Marks(l)...)
	if s.vantages.Valid && s.vantages.String != "" {
		parts = append(parts, pick(s.elsewhere == 0, l.Say("from %s", l.Name(s.vantages.String)), l.Say("in part from %s", l.Name(s.vantages.String))))
	}
	parts = append(parts, l.Count(s.requests, "request"), l.Count(s.providers, "provider"), l.Count(s.models, "model"))
	return strings.Join(parts, " · ")
}

// title names the report after its plan.
func title(l *words.Language, s scope) string {
	t := l.Name(s.names.String)
	if s.names.String == "" {
		t = l.Say("LLM APIs compared")
	}
	if s.first.Valid {
		t = l.SayAs("place", "%s, %s", t, dates(l, s.first.Time, s.last.Time))
	}
	return t
}

// flipTable lists the pairs that trade places between models, the strongest
// first; nil without any.
func flipTable(l *words.Language, all []*contest, flips []flip) *table {
	if len(flips) == 0 {
		return nil
	}
	names := map[key]string{}
	for _, c := range all {
		names[c.key] = c.where()
	}
	t := &table{Caption: l.Say("Pairs of providers that trade places between models"), Left: 3,
		Head: []string{l.Say("Pair"), l.Say("Faster on one model"), l.Say("Slower on the other"), l.Say("n"), l.Say("Verdict")}}
	ids := map[string]bool{}
	for _, f := range flips[:min(len(flips), flipsShown)] {
		other := f.key
		other.model = f.model2
		t.Rows = append(t.Rows, row{ID: unique(ids, "flip-"+slug(f.leader1+" "+f.leader2)), Cells: []value{
			text(l.Say("%s against %s", l.Name(f.leader1), l.Name(f.leader2))),
			text(l.Say("%s on %s", times(l, *f.times1, f.times1Lo, f.times1Hi), names[f.key])),
			text(l.Say("%s on %s", times(l, *f.times2, f.times2Lo, f.times2Hi), names[other])),
			text(showCount(f.n1).Text + " / " + showCount(f.n2).Text), text(l.Term(words.Verdict(f.verdict.String))),
		}})
	}
	if n, all := len(t.Rows), flips[0].pairs; int64(n) < all {
		t.Notes = append(t.Notes, l.Say("%d of %s pairs, the strongest; the view flips has all", n, human.Count(all)))
	}
	return t
}

const flipsShown = 6

// times writes a ratio with its interval: "2.6× (2.2 to 3.0)".
func times(l *words.Language, v float64, lo, hi *float64) string {
	if lo == nil && hi == nil {
		return l.Ratio(v)
	}
	return l.Say("%s (%s to %s)", l.Ratio(v), open(lo, human.Number), open(hi, human.Number))
}
