package prices

import (
	"fmt"
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
	if m := p.find(names); m != nil {
		return hit{provider: p, model: m}
	}
	for _, f := range p.Fallback {
		if other := t.byName[normal(f)]; other != nil {
			if m := other.find(names); m != nil {
				return hit{provider: other, model: m, note: fmt.Sprintf("no price of %s: that of %s", p.ID, other.ID)}
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

func (p *provider) find(names []string) *model {
	for _, name := range names {
		for i := range p.Models {
			if p.Models[i].Match(name) {
				return &p.Models[i]
			}
		}
	}
	return nil
}

// standardTiers are the service tiers that providers bill at their list price.
var standardTiers = []string{"", "default", "standard", "auto", "on_demand", "on-demand"}

// entryAt picks the price for a tier and time, and says whether the table
// vouches for it at that time.
func (t *Table) entryAt(m *model, serviceTier string, at time.Time) (e *entry, dated bool) {
	serviceTier = strings.ToLower(serviceTier)
	standard := slices.Contains(standardTiers, serviceTier)
	var first, active *entry
	for i := range m.Prices {
		one := &m.Prices[i]
		switch of := one.Constraint.Tier; {
		case of == nil && !standard,
			of != nil && strings.ToLower(*of) != serviceTier && !(standard && slices.Contains(standardTiers, strings.ToLower(*of))):
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
