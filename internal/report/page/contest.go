package page

import (
	"cmp"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"aircheck/internal/report/words"
)

// contest is one comparison with all that its pages show.
type contest struct {
	key
	id       string // of its anchors: unique over the report
	label    string // what tells it from the model's other contests; "" where it has none
	lang     *words.Language
	when     string // the dates of the data
	excluded int64  // requests that stated exclusions take out of the report
	metric   string // the time that ranks it; "" when no time is known
	metrics  map[string]words.Metric
	cells    []cell // by median
	tailBy   string // how figures of the tail sort: by p95, or by p50 where the sample does not bound p95
	measures []measure
	tails    map[string][]tailPoint // by provider, in the contest's metric
	places   map[[2]string]placed   // by metric and provider
	slots    []slot
	counts   map[string][]count // by provider, one a slot
	outcomes []outcome
	thoughts []thought
}

// metrics that can rank a contest, the first that has values does. Connection
// set-up is the network's and the client's, so the time without it comes first;
// what was not streamed has no first token.
var rankings = []string{"ttft_net_ms", "ttft_ms", "e2e_ms"}

// contests groups the data. Models on which most providers compete come first;
// within a model, the setting with the most evidence over all models.
func contests(d *data) []*contest {
	byKey := map[key]*contest{}
	var all []*contest
	d.name()
	for _, c := range d.cells {
		if byKey[c.key] == nil {
			byKey[c.key] = &contest{key: c.key, lang: d.lang, when: dates(d.lang, d.scope.first.Time, d.scope.last.Time), excluded: d.excluded(), metrics: d.metrics, tails: map[string][]tailPoint{}, places: map[[2]string]placed{}}
			all = append(all, byKey[c.key])
		}
		byKey[c.key].cells = append(byKey[c.key].cells, c)
	}
	for _, c := range all {
		c.choose()
	}
	order(all)
	label(all, d.lang)
	for _, m := range d.measures {
		if c := byKey[m.key]; c != nil {
			c.measures = append(c.measures, m)
		}
	}
	for _, p := range d.tails {
		if c := byKey[p.key]; c != nil && p.metric == c.metric {
			c.tails[p.provider] = append(c.tails[p.provider], p)
		}
	}
	for _, o := range d.outcomes {
		if c := byKey[o.key]; c != nil {
			c.outcomes = append(c.outcomes, o)
		}
	}
	for _, t := range d.thoughts {
		if c := byKey[t.key]; c != nil {
			c.thoughts = append(c.thoughts, t)
		}
	}
	for _, p := range d.places {
		if c := byKey[p.key]; c != nil {
			c.places[[2]string{p.metric, p.provider}] = p
		}
	}
	windows := map[key][]window{}
	for _, w := range d.windows {
		windows[w.key] = append(windows[w.key], w)
	}
	for k, rows := range windows {
		if c := byKey[k]; c != nil {
			c.slots, c.counts = slots(d.lang, rows)
		}
	}
	return all
}

// name puts declared parameters into a provider's name where it entered a
// contest with several sets of them.
func (d *data) name() {
	sets := map[who]map[sql.NullString]bool{}
	for _, c := range d.cells {
		w := c.who
		w.params = sql.NullString{}
		if sets[w] == nil {
			sets[w] = map[sql.NullString]bool{}
		}
		sets[w][c.params] = true
	}
	name := func(w *who) {
		plain := *w
		plain.params = sql.NullString{}
		if len(sets[plain]) > 1 {
			w.provider += " (" + params(w.params) + ")"
		}
	}
	for i := range d.cells {
		name(&d.cells[i].who)
	}
	for i := range d.measures {
		name(&d.measures[i].who)
	}
	for i := range d.tails {
		name(&d.tails[i].who)
	}
	for i := range d.windows {
		name(&d.windows[i].who)
	}
	for i := range d.outcomes {
		name(&d.outcomes[i].who)
	}
	for i := range d.thoughts {
		name(&d.thoughts[i].who)
	}
	for i := range d.hours {
		name(&d.hours[i].who)
	}
}

// params writes declared parameters (a JSON object) as "reasoning_effort low".
func params(p sql.NullString) string {
	var object map[string]any
	if json.Unmarshal([]byte(p.String), &object) != nil || len(object) == 0 {
		return "no parameters"
	}
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(object)) {
		parts = append(parts, fmt.Sprintf("%s %v", k, object[k]))
	}
	return strings.Join(parts, ", ")
}

// choose picks the ranking metric and the tail's sort key, keeps one row a provider,
// and puts the rows in order.
func (c *contest) choose() {
	for _, metric := range rankings {
		if slices.ContainsFunc(c.cells, func(x cell) bool { return x.metric.String == metric && x.p50 != nil }) {
			c.metric = metric
			break
		}
	}
	best := map[string]cell{}
	for _, x := range c.cells {
		if old, ok := best[x.provider]; !ok || x.metric.String == c.metric && old.metric.String != c.metric {
			best[x.provider] = x
		}
	}
	c.cells = c.cells[:0]
	c.tailBy = "p95"
	for _, x := range best {
		if x.metric.String != c.metric {
			x.p50, x.p95, x.p99, x.n, x.windows, x.rankLo, x.rankHi = nil, nil, nil, nil, nil, nil, nil
		}
		if x.p50 != nil && x.p95Hi == nil {
			c.tailBy = "p50"
		}
		c.cells = append(c.cells, x)
	}
	slices.SortFunc(c.cells, func(a, b cell) int {
		return cmp.Or(ascending(a.p50, b.p50), ascending(b.share, a.share), cmp.Compare(a.provider, b.provider))
	})
}

// tail is the value that sorts figures of the tail.
func (c *contest) tail(x cell) *float64 {
	if c.tailBy == "p95" {
		return x.p95
	}
	return x.p50
}

// ascending compares numbers, the missing ones last.
func ascending(a, b *float64) int {
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return 1
	case b == nil:
		return -1
	}
	return cmp.Compare(*a, *b)
}

// setting is a contest without its model.
func (k key) setting() key { k.model = ""; return k }

// evidence adds what a contest can tell.
func (c *contest) evidence(e *words.Evidence) {
	var windows, n []int64
	for _, x := range c.timed() {
		windows, n = append(windows, orZero(x.windows)), append(n, orZero(x.n))
	}
	e.Add(windows, n)
}

func orZero(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// order sorts contests by the most providers that compete on their model, then
// by its name, and inside a model by the evidence of the setting, over all
// models, then by the setting's own parts.
func order(all []*contest) {
	evidence, rivals := map[key]*words.Evidence{}, map[string]int{}
	for _, c := range all {
		if evidence[c.setting()] == nil {
			evidence[c.setting()] = &words.Evidence{}
		}
		c.evidence(evidence[c.setting()])
		rivals[c.model] = max(rivals[c.model], len(c.timed()))
	}
	slices.SortFunc(all, func(a, b *contest) int {
		return cmp.Or(cmp.Compare(rivals[b.model], rivals[a.model]), cmp.Compare(a.model, b.model), evidence[a.setting()].Compare(*evidence[b.setting()]),
			cmp.Compare(a.concurrency.Int64, b.concurrency.Int64), cmp.Compare(a.scenario.String, b.scenario.String),
			cmp.Compare(a.vantage.String, b.vantage.String))
	})
}

// label names each contest by the parts that differ in this dataset, and gives
// it an id.
func label(all []*contest, l *words.Language) {
	var scenarios, concurrencies, vantages []string
	for _, c := range all {
		scenarios = append(scenarios, c.scenario.String)
		concurrencies = append(concurrencies, fmt.Sprint(c.concurrency.Int64))
		vantages = append(vantages, c.vantage.String)
	}
	taken := map[string]bool{}
	for _, c := range all {
		var parts, plain []string // plain makes the anchor, the same in every language
		if differ(scenarios) {
			parts, plain = append(parts, l.Name(c.scenario.String)), append(plain, c.scenario.String)
		}
		if differ(concurrencies) {
			parts = append(parts, pick(c.concurrency.Valid, l.Say("%d at a time", c.concurrency.Int64), l.Say("concurrency not stated")))
			plain = append(plain, fmt.Sprintf("%d at a time", c.concurrency.Int64))
		}
		if differ(vantages) {
			parts = append(parts, pick(c.vantage.Valid, l.Say("from %s", l.Name(c.vantage.String)), l.Say("vantage not stated")))
			plain = append(plain, "from "+c.vantage.String)
		}
		c.label = l.Commas(parts)
		c.id = unique(taken, slug(c.model+" "+strings.Join(plain, " ")))
	}
}

// about says below a figure what it is drawn from.
func (c *contest) about() string {
	l := c.lang
	var n int64
	for _, x := range c.cells {
		n += orZero(x.requests)
	}
	parts := []string{l.Count(n, "request")}
	if c.vantage.Valid && c.vantage.String != "" {
		parts = append(parts, l.Say("from %s", l.Name(c.vantage.String)))
	}
	return strings.Join(append(parts, c.when, excludes(l, c.excluded)), " · ")
}

// about says the same below a figure that shows more than one contest.
func (d *data) about(n int64) string {
	l := d.lang
	parts := []string{l.Count(n, "request")}
	if d.scope.vantages.String != "" {
		parts = append(parts, pick(d.scope.elsewhere == 0, l.Say("from %s", l.Name(d.scope.vantages.String)), l.Say("in part from %s", l.Name(d.scope.vantages.String))))
	}
	if d.scope.first.Valid {
		parts = append(parts, dates(l, d.scope.first.Time, d.scope.last.Time))
	}
	return strings.Join(append(parts, excludes(l, d.excluded())), " · ")
}

// excludes says how many requests stated rules take out.
func excludes(l *words.Language, n int64) string {
	if n > 0 {
		return l.Say("%s excluded by stated rules", l.Count(n, "request"))
	}
	return l.Say("nothing excluded")
}

// excluded counts the requests that stated exclusions take out.
func (d *data) excluded() (n int64) {
	for _, l := range d.leftOut {
		if l.excluded.Valid {
			n += l.n
		}
	}
	return n
}

func differ(values []string) bool {
	return slices.ContainsFunc(values, func(v string) bool { return v != values[0] })
}

// slug is a name as a file name and an anchor: "m-" and lower-case letters,
// digits and hyphens. Other letters are dropped, so it may need a number.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	s := strings.TrimSuffix(b.String(), "-")
	if len(s) > 60 {
		s = strings.TrimSuffix(s[:60], "-")
	}
	if s == "" {
		s = "x"
	}
	return s
}

// unique numbers a slug that is already taken.
func unique(taken map[string]bool, s string) string {
	id := s
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s-%d", s, n)
	}
	taken[id] = true
	return id
}
