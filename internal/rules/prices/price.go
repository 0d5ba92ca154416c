package prices

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Query asks what one request costs.
type Query struct {
	Provider    string // as the plan or the recording names it
	ModelID     string // as sent; tried first
	Model       string // canonical
	Served      string // as the response states it; "" where it does not
	URL         string // base URL or host; used where the provider's name is unknown
	ServiceTier string // "" where none was declared
	At          time.Time
	Usage       Usage
}

// Usage is what a provider says that a request used, in tokens; nil where it
// does not say. Only Input and Output are needed.
type Usage struct {
	Input        *int64 // prompt
	Cached       *int64 // of the prompt, read from a cache
	CacheWrite   *int64 // of the prompt, written to a cache for minutes
	CacheWrite1h *int64 // of the prompt, written to a cache for an hour
	Output       *int64 // generated
	Reasoning    *int64 // of that, thinking

	AudioInput, ImageInput   *int64 // of the prompt
	AudioOutput, ImageOutput *int64 // of the output

	// What is billed by the call. SearchContext (low, medium, high) sets a
	// request's fee, and RequestFee is that fee in nano-dollars where the provider
	// states it. Geo is where it says that it computed.
	Searches, CodeExecutions, FileSearches *int64
	SearchContext, Geo                     string
	RequestFee                             *int64

	// CachedBeside: Input leaves out Cached, CacheWrite and CacheWrite1h.
	// ReasoningBeside: Output leaves out Reasoning.
	// Otherwise the aggregate holds them. The dialect and the row's own totals
	// say which; the vendor's name does not.
	CachedBeside, ReasoningBeside bool
}

// MostTokens is ten times the largest context that any model offers: a count
// beyond it is none.
const MostTokens = 100_000_000

// Believable is the usage without what cannot be: counts beyond MostTokens, and
// more cached input than input that it is part of.
func (u Usage) Believable() Usage {
	for _, n := range []**int64{&u.Input, &u.Output, &u.Cached, &u.CacheWrite, &u.CacheWrite1h, &u.Reasoning} {
		if *n != nil && **n > MostTokens {
			*n = nil
		}
	}
	if !u.CachedBeside && u.Input != nil && count(u.Cached)+count(u.CacheWrite)+count(u.CacheWrite1h) > *u.Input {
		u.Cached, u.CacheWrite, u.CacheWrite1h = nil, nil, nil
	}
	return u
}

// Quote is the cost of one request in nano-dollars. A part is nil where its
// token count is not stated; what it would hold is then in the aggregate's.
type Quote struct {
	Input      *int64 // prompt tokens neither read from nor written to a cache
	CacheRead  *int64
	CacheWrite *int64 // of both kinds
	Output     *int64 // generated tokens that are not known to be thinking
	Reasoning  *int64
	Request    *int64 // fees per request, search and run of code, where there are any
	Total      int64  // the sum of the parts

	Source  string   // provider/model, and date, hours and tier of the price
	Undated bool     // the price may not have held at the request's time
	Notes   []string // prices that stand in for others, and counts that contradict
	Missing string   // why there is no price, where Price is false
}

// Price is what a request costs. It is false, with Missing set, where the
// table has no price for it, or the usage no counts; a price that is not known
// is never 0.
//
// Each part is its tokens × its price per million, exact in whole numbers and
// rounded once, half to even, to the nano-dollar; Total is the sum of the
// rounded parts. So the parts of a row add up, and a sum over rows depends on
// neither their order nor their number.
//
// Where the table has no price of its own for cached reads or writes, the
// input's stands in, and Notes says so; thinking is billed as output where
// no other price is stated.
func (t *Table) Price(q Query) (Quote, bool) {
	h := t.served(q)
	if h.missing != "" {
		return Quote{Missing: h.missing}, false
	}
	when := circumstances{tier: tierOf(q.ServiceTier), context: strings.ToLower(q.Usage.SearchContext), geo: strings.ToLower(q.Usage.Geo)}
	e, dated := t.entryAt(h.model, when, q.At)
	tierNote := ""
	if e == nil && slices.Contains(surcharged, when.tier) {
		tierNote = fmt.Sprintf("no price for service tier %s: the standard one, a lower bound", when.tier)
		when.tier = ""
		e, dated = t.entryAt(h.model, when, q.At)
	}
	if e == nil {
		return Quote{Missing: fmt.Sprintf("no price of %s/%s for service tier %q", h.provider.ID, h.model.ID, q.ServiceTier)}, false
	}
	s, missing := split(q.Usage)
	if missing != "" {
		return Quote{Missing: missing}, false
	}
	b := bill{rates: e.Prices, split: s, usage: q.Usage, context: e.Constraint.Context != nil, geo: e.Constraint.Geo != nil}
	for _, note := range []string{h.note, tierNote} {
		if note != "" {
			b.quote.Notes = append(b.quote.Notes, note)
		}
	}
	b.quote.Notes = append(b.quote.Notes, s.notes...)
	b.quote.Source = h.provider.ID + "/" + h.model.ID
	if e.Constraint.Start != nil {
		b.quote.Source += " from " + e.Constraint.Start.Format(time.DateOnly)
	}
	if c := e.Constraint; c.From != nil {
		b.quote.Source += " " + c.From.String() + "–" + c.To.String() + " UTC"
	}
	if e.Constraint.Tier != nil {
		b.quote.Source += " " + *e.Constraint.Tier
	}
	for _, of := range []*string{e.Constraint.Context, e.Constraint.Geo} {
		if of != nil {
			b.quote.Source += " " + *of
		}
	}
	b.quote.Undated = !dated
	b.charge()
	if b.missing != "" {
		return Quote{Missing: fmt.Sprintf("%s/%s: %s", h.provider.ID, h.model.ID, b.missing)}, false
	}
	return b.quote, true
}

// parts are the disjoint counts that are charged.
type parts struct {
	input, output                 int64
	cached, write, write1h, think *int64
	prompt                        int64 // all of the input, which tiers go by
	notes                         []string
}

// split decomposes a usage's aggregates.
func split(u Usage) (s parts, missing string) {
	for _, c := range []struct {
		what string
		n    *int64
	}{{"input", u.Input}, {"cached", u.Cached}, {"cache write", u.CacheWrite}, {"cache write", u.CacheWrite1h}, {"output", u.Output}, {"reasoning", u.Reasoning}} {
		if c.n != nil && *c.n < 0 {
			return s, fmt.Sprintf("%s tokens are negative", c.what)
		}
	}
	switch {
	case u.Input == nil:
		return s, "input tokens are unknown"
	case u.Output == nil:
		return s, "output tokens are unknown"
	}
	s = parts{input: *u.Input, output: *u.Output, cached: u.Cached, write: u.CacheWrite, write1h: u.CacheWrite1h, think: u.Reasoning}
	of := count(u.Cached) + count(u.CacheWrite) + count(u.CacheWrite1h)
	if !u.CachedBeside && of > s.input {
		s.notes = append(s.notes, "more cached than input tokens, so they are beside each other")
		u.CachedBeside = true
	}
	s.prompt = s.input
	if u.CachedBeside {
		s.prompt += of
	} else {
		s.input -= of
	}
	think := count(u.Reasoning)
	if !u.ReasoningBeside && think > s.output {
		s.notes = append(s.notes, "more reasoning than output tokens, so they are beside each other")
		u.ReasoningBeside = true
	}
	if !u.ReasoningBeside {
		s.output -= think
	}
	return s, ""
}

func count(n *int64) int64 {
	if n == nil {
		return 0
	}
	return *n
}

// bill charges one request.
type bill struct {
	rates        rates
	split        parts
	usage        Usage
	context, geo bool // the entry is for this search context, for this place
	quote        Quote
	missing      string
}

func (b *bill) charge() {
	r, s, q := b.rates, b.split, &b.quote
	var in, out []*int64
	for _, m := range []struct {
		what string
		n    *int64
		of   *int64
		rate *rate
		to   *[]*int64
	}{
		{"audio input", b.usage.AudioInput, &s.input, r.audioIn, &in}, {"image input", b.usage.ImageInput, &s.input, r.imageIn, &in},
		{"audio output", b.usage.AudioOutput, &s.output, r.audioOut, &out}, {"image output", b.usage.ImageOutput, &s.output, r.imageOut, &out},
	} {
		n := min(count(m.n), *m.of) // the rest of it came from a cache
		if n <= 0 {
			continue
		}
		if m.rate == nil {
			b.note("no price for %s: that of text", m.what)
			continue
		}
		*m.of -= n
		*m.to = append(*m.to, b.part(m.what, &n, million, m.rate))
	}
	q.Input = sum(append(in, b.part("input", &s.input, million, r.input))...)
	q.CacheRead = b.part("cached input", s.cached, million, b.standIn("cached reads", s.cached, r.cacheRead, r.input))
	write := b.standIn("cache writes", s.write, r.cacheWrite, r.input)
	hour := r.cacheWrite1h
	if hour == nil {
		if hour = r.cacheWrite; hour != nil && count(s.write1h) > 0 {
			b.note("no price for cache writes for an hour: that for minutes, a lower bound")
		}
	}
	q.CacheWrite = sum(
		b.part("cache writes", s.write, million, write),
		b.part("cache writes", s.write1h, million, b.standIn("cache writes for an hour", s.write1h, hour, r.input)))
	q.Output = sum(append(out, b.part("output", &s.output, million, r.output))...)
	think := r.reasoning
	if think == nil {
		think = r.output
	}
	q.Reasoning = b.part("reasoning", s.think, million, think)
	b.fees()
	if geo := strings.ToLower(b.usage.Geo); geo != "" && geo != "global" && geo != "not_available" && !b.geo {
		b.note("computed in %q, which may be billed at a premium that has no price here: a lower bound", geo)
	}
	for _, p := range []*int64{q.Input, q.CacheRead, q.CacheWrite, q.Output, q.Reasoning, q.Request} {
		q.Total += count(p)
	}
}

// fees are what is billed by the call.
func (b *bill) fees() {
	r, u, q := b.rates, b.usage, &b.quote
	switch {
	case r.request == nil && u.RequestFee == nil:
	case u.RequestFee != nil && !b.context:
		q.Request = u.RequestFee
		b.note("the request's fee as the provider states it")
	default:
		q.Request = b.part("requests", new(int64(1)), thousand, r.request)
		if u.SearchContext != "" && !b.context {
			b.note("the fee of a request depends on its search context, here %s: the one that the table knows", u.SearchContext)
		}
	}
	for _, f := range []struct {
		what string
		n    *int64
		rate *rate
	}{{"searches", u.Searches, r.searches}, {"runs of code", u.CodeExecutions, r.code}, {"file searches", u.FileSearches, r.files}} {
		switch {
		case count(f.n) == 0:
		case f.rate == nil:
			b.note("%d %s, billed apart, have no price here: a lower bound", *f.n, f.what)
		default:
			q.Request = sum(q.Request, b.part(f.what, f.n, thousand, f.rate))
		}
	}
}

func (b *bill) note(format string, args ...any) {
	b.quote.Notes = append(b.quote.Notes, fmt.Sprintf(format, args...))
}

const million, thousand = 1_000_000, 1_000

// standIn is the price itself, or the one that takes its place, with a note if
// that matters.
func (b *bill) standIn(what string, n *int64, own, other *rate) *rate {
	if own == nil && other != nil && count(n) > 0 {
		b.quote.Notes = append(b.quote.Notes, fmt.Sprintf("no price for %s: the input price", what))
	}
	if own == nil {
		return other
	}
	return own
}

// part charges n units; nil where n is not known.
func (b *bill) part(what string, n *int64, per int64, r *rate) *int64 {
	switch {
	case n == nil:
		return nil
	case *n == 0:
		return new(int64(0))
	case r == nil:
		b.missing = "no price for " + what
		return nil
	}
	c, ok := cost(*n, r.at(b.split.prompt), per)
	if !ok {
		b.missing = fmt.Sprintf("the cost of %d %s tokens is out of range", *n, what)
		return nil
	}
	return &c
}

// sum is nil where no part is known.
func sum(parts ...*int64) *int64 {
	var total *int64
	for _, p := range parts {
		if p != nil {
			total = new(count(total) + *p)
		}
	}
	return total
}
