package prices

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"
)

type lookup struct{ provider, sent, model, url string }

// hit is a model's prices and what is to be said about how they were found.
type hit struct {
	provider *provider
	model    *model
	note     string
	missing  string
}

// find looks a model up. The provider is found by id or alias, then by
// provider_match, then by the URL; never by the model's name, since others sell
// the same model at other prices. The model is the first whose clause matches
// the name as sent, else the canonical one; then the same among the providers
// whose models this one resells.
func (t *Table) find(l lookup) hit {
	if h, ok := t.found.Load(l); ok {
		return h.(hit)
	}
	h := t.search(l)
	t.found.Store(l, h)
	return h
}

func (t *Table) search(l lookup) hit {
	p := t.provider(l.provider, l.url)
	if p == nil {
		return hit{missing: fmt.Sprintf("provider %q is not in the price table", l.provider)}
	}
	names := slices.DeleteFunc([]string{strings.ToLower(l.sent), strings.ToLower(l.model)}, func(s string) bool { return s == "" })
	if m, note := p.find(names); m != nil {
		return hit{provider: p, model: m, note: note}
	}
	for _, f := range p.Fallback {
		if other := t.byName[normal(f)]; other != nil {
			if m, note := other.find(names); m != nil {
				return hit{provider: other, model: m, note: strings.TrimSuffix(fmt.Sprintf("no price of %s: that of %s; %s", p.ID, other.ID, note), "; ")}
			}
		}
	}
	return hit{missing: fmt.Sprintf("model \"%s\" of %s is not in the price table", strings.Join(names, `" or "`), p.ID)}
}

func (t *Table) provider(name, url string) *provider {
	if p, ok := t.byName[normal(name)]; ok {
		return p
	}
	lower := strings.ToLower(strings.TrimSpace(name))
	for i := range t.providers {
		if p := &t.providers[i]; p.ProviderMatch != nil && lower != "" && p.ProviderMatch(lower) {
			return p
		}
	}
	if url == "" {
		return nil
	}
	if !strings.Contains(url, "://") {
		url = "https://" + url
	}
	for i := range t.providers {
		if p := &t.providers[i]; p.APIPattern != nil && p.APIPattern.MatchString(url) {
			return p
		}
	}
	return nil
}

// find gives the model that a name is meant by. The exact name of any goes
// before what a part of it fits; that it was a part, and may be a sibling's, is
// the note.
func (p *provider) find(names []string) (*model, string) {
	for _, name := range names {
		var part *model
		for i := range p.Models {
			switch m := &p.Models[i]; {
			case strings.EqualFold(m.ID, name):
				return m, ""
			case part == nil && m.Match(name):
				part = m
			}
		}
		switch {
		case part == nil:
		case part.exactly(name) || alike(name, part.ID):
			return part, ""
		default:
			return part, fmt.Sprintf("found by a part of the name %s: that of %s, which may be another model", name, part.ID)
		}
	}
	return nil, ""
}

// served looks up the model that answered: the one that is billed, whatever was
// asked for. A name that says no more of the model than the one asked for does
// (a date, a path, another spelling) is that model.
func (t *Table) served(q Query) hit {
	asked := t.find(lookup{q.Provider, q.ModelID, q.Model, q.URL})
	if q.Served == "" || alike(q.Served, q.ModelID) || alike(q.Served, q.Model) {
		return asked
	}
	h := t.find(lookup{q.Provider, q.Served, "", q.URL})
	name := q.ModelID
	if name == "" {
		name = q.Model
	}
	switch {
	case h.missing != "" && asked.provider == nil:
		return asked
	case h.missing != "":
		return hit{missing: fmt.Sprintf("served by %s, asked for %s: %s", q.Served, name, h.missing)}
	case asked.model == h.model:
		return asked
	}
	h.note = strings.TrimSuffix(fmt.Sprintf("asked for %s, served and priced as %s; %s", name, q.Served, h.note), "; ")
	return h
}

// alike reports whether two names are spellings of one model's, or one of them
// is the other with something added.
func alike(a, b string) bool {
	x, y := letters(a), letters(b)
	if x == "" || y == "" {
		return false
	}
	if len(x) < len(y) {
		x, y = y, x
	}
	if x == y || strings.HasSuffix(x, y) && len(y) >= 4 { // a path or a vendor before it
		return true
	}
	rest, ok := strings.CutPrefix(x, y)
	return ok && added.MatchString(rest)
}

// letters is a name without its path, and without what spellings differ in.
func letters(name string) string {
	name = strings.ToLower(name)
	name = name[strings.LastIndexAny(name, "/")+1:]
	return strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, name)
}

// added is what a name may have more than a model's without being another's: a
// date, a version, a word on its form.
var added = regexp.MustCompile(`^(20\d{6}|\d{4}|00\d|v\d+|latest|instruct|it|chat|hf|fp8|fp4|bf16|int4|int8|turbo|preview|exp|beta|maas|free)+$`)

// surcharged are the tiers that cost more than the list price.
var surcharged = []string{"priority", "fast"}

// tierOf is a service tier in one spelling for all providers: Gemini says
// ON_DEMAND_FLEX, others flex.
func tierOf(tier string) string {
	tier = strings.ReplaceAll(strings.ToLower(strings.TrimSpace(tier)), "-", "_")
	for _, prefix := range []string{"service_tier_", "on_demand_"} {
		tier = strings.TrimPrefix(tier, prefix)
	}
	if slices.Contains(standardTiers, tier) {
		return ""
	}
	return tier
}

// standardTiers are the service tiers that providers bill at their list price.
var standardTiers = []string{"", "default", "standard", "standard_only", "auto", "on_demand"}

// circumstances are what a price may be bound to beside the time.
type circumstances struct{ tier, context, geo string }

// fit reports whether a constraint allows for them.
func (c constraint) fit(w circumstances) bool {
	if (c.Tier == nil) != (w.tier == "") && (c.Tier == nil || tierOf(*c.Tier) != "") {
		return false
	}
	return (c.Tier == nil || tierOf(*c.Tier) == w.tier) &&
		(c.Context == nil || strings.EqualFold(*c.Context, w.context)) && (c.Geo == nil || strings.EqualFold(*c.Geo, w.geo))
}

// entryAt picks the price for a tier and time, and says whether the table
// vouches for it at that time.
func (t *Table) entryAt(m *model, w circumstances, at time.Time) (e *entry, dated bool) {
	var first, active *entry
	for i := range m.Prices {
		one := &m.Prices[i]
		if !one.Constraint.fit(w) {
			continue
		}
		if first == nil {
			first = one
		}
		if one.Constraint.holds(at) {
			active = one
		}
	}
	switch {
	case first == nil:
		return nil, false
	case active == nil:
		// As the form has it: where no condition is met, the first price.
		return first, first.Constraint.Start == nil || !at.Before(first.Constraint.Start.Time)
	}
	return active, t.vouches(m, active, at)
}

func (c constraint) holds(at time.Time) bool {
	at = at.UTC()
	if c.Start != nil && at.Before(c.Start.Time) {
		return false
	}
	if c.From == nil {
		return true
	}
	now := clock(at.Sub(at.Truncate(24 * time.Hour)))
	if *c.From <= *c.To {
		return *c.From <= now && now < *c.To
	}
	return now >= *c.From || now < *c.To // over midnight
}

// vouches reports whether the table says that an active entry held at a time.
// A price is known to hold from its start_date, on the table's day, and until
// the next start_date of its model; and is trusted for the grace period before
// the first and after the last of these days. A table without as_of vouches
// for all times that its dates leave open, as the v2 form means it.
func (t *Table) vouches(m *model, e *entry, at time.Time) bool {
	if t.AsOf.IsZero() {
		return true
	}
	var start, next time.Time
	if e.Constraint.Start != nil {
		start = e.Constraint.Start.Time
	}
	for _, o := range m.Prices {
		if s := o.Constraint.Start; s != nil && s.After(start) && (next.IsZero() || s.Before(next)) {
			next = s.Time
		}
	}
	if start.IsZero() {
		known := t.AsOf
		if !next.IsZero() && next.Before(known) {
			known = next
		}
		if at.Before(known.Add(-t.grace)) {
			return false
		}
	}
	if next.IsZero() {
		known := t.AsOf
		if start.After(known) {
			known = start
		}
		// The table's day is known whole.
		return at.Before(known.Add(24*time.Hour + t.grace))
	}
	return true
}
