package simulate

import (
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// exchange is one request and what the fleet makes of it. It knows neither
// socket nor clock: a server plays its response in real time, and Virtual gives
// it with its times as planned.
type exchange struct {
	fleet    *Fleet
	counts   *counts
	provider *Provider
	dialect  dialect
	url      *url.URL
	path     string // without the provider
	key      string // the API key that came with it
	body     []byte
	received time.Time
	at       time.Duration // the same on the fleet's clock

	tally *tally // nil for an unknown model
	truth Truth
	reply reply
}

// response is what is sent, in full. Its head goes with the first write; where
// nothing is written, none is sent.
type response struct {
	status int
	header http.Header
	// spell gives the writes, and the bytes that repeat in a stall.
	spell func() (writes []write, heartbeat []byte)
	// due are the times of the writes, as far as they are known unspelled.
	due []time.Duration
	// end is when the ending happens.
	end    time.Duration
	ending ending
}

// decide takes the request in and gives its response. The request is open until
// its tally is left.
func (x *exchange) decide() *response {
	x.truth = Truth{Provider: x.provider.Name, API: x.dialect.traits().name, Path: x.url.Path,
		ReceivedNs: x.received.UnixNano(), Conditions: 1, Load: 1}
	a, err := x.dialect.read(x.url, x.path, x.body)
	if err != nil {
		a = &ask{}
	}
	m := x.provider.model(a.model)
	var arrived arrival
	arrived, x.tally = x.counts.arrive(x.fleet, x.provider, m, a.prompt, x.at)
	x.truth.ID, x.truth.ModelID, x.truth.Stream, x.truth.Window = arrived.id, a.model, a.stream, arrived.place.window
	b := defaults()
	x.reply = reply{id: arrived.id, created: x.received, model: a.model, ask: a, b: &b, script: &script{}, traits: x.dialect.traits()}
	switch {
	case err != nil:
		return x.refuse(fail(Rejected, a.model, "The body is not valid: "+err.Error()), 0)
	case m == nil:
		return x.refuse(fail(Unavailable, a.model, ""), 0)
	}
	x.truth.Model = m.Name
	x.reply.b = m.at(x.fleet.moment(x.at, arrived.place.window))
	return x.answer(a, arrived)
}

// answer is what the model's behaviour makes of the request.
func (x *exchange) answer(a *ask, at arrival) *response {
	b := x.reply.b
	if b.Served != "" {
		x.reply.model = b.Served
	}
	tr := &x.truth
	tr.Ordinal, tr.InFlight = at.place.ordinal, at.inFlight
	tr.Conditions = b.conditions(x.fleet, at.place)
	tr.Load = b.Load.factor(at.inFlight)
	tr.Cold = b.Cold.After > 0 && (at.idle < 0 && at.inFlight == 1 || at.idle >= b.Cold.After)
	if at.idle >= 0 {
		tr.IdleMs = new(ms(at.idle))
	}
	if b.Key != "" && x.key != b.Key {
		return x.refuse(fail(Account, a.model, ""), 0)
	}
	for _, p := range a.params() {
		if contains(b.Rejects, p) {
			return x.refuse(fail(Rejected, a.model, "Unsupported parameter: '"+string(p)+"' is not supported with this model."), 0)
		}
	}
	f := b.fault(at.place)
	if f != nil {
		tr.Fault = f.Kind
		switch {
		case f.Kind == Refuse:
			tr.Outcome = f.Kind.outcome()
			return &response{spell: silence, ending: endReset}
		case f.Kind.status() >= 400:
			return x.refuse(fail(f.Kind, a.model, f.Message), f.RetryAfter)
		}
	}
	if over, wait := x.counts.limited(x.tally, b.RateLimit, x.at); over {
		return x.refuse(fail(RateLimited, a.model, ""), wait)
	}
	if b.Load.Reject > 0 && at.inFlight > b.Load.Reject {
		return x.refuse(fail(RateLimited, a.model, ""), 0)
	}
	heard := a.forget(b)
	x.reply.ask = &heard
	d := director{composer: composer{seed: x.fleet.Seed, model: tr.Model, b: b, place: at.place},
		fault: f, factor: tr.Conditions * tr.Load, cold: tr.Cold, wholeCalls: x.reply.traits.wholeCalls}
	if b.Fallback.Share > 0 && at.place.random("fallback") < b.Fallback.Share {
		tr.Fallback, d.model, x.reply.model = b.Fallback.Model, b.Fallback.Model, b.Fallback.Model
	}
	if at.repeated {
		d.cached = int(math.Round(b.Usage.Cached * float64(a.input)))
	}
	s := d.plan(&heard)
	x.reply.script = s
	tr.Tokens, tr.Finish = s.tokens, s.finish
	tr.Outcome = s.outcome(x.showsThinking(&heard))
	if tr.Fault == NoFinish && !x.reply.traits.endMarker {
		tr.Outcome = Cut.outcome()
	}
	if b.Price != nil {
		tr.Price, tr.CostNano = b.Price, new(b.Price.cost(s.tokens))
	}
	if a.stream {
		return x.stream(s)
	}
	return x.whole(s)
}

// silence is a response of which nothing is sent.
func silence() ([]write, []byte) { return nil, nil }

// stream gives a script frame by frame.
func (x *exchange) stream(s *script) *response {
	r := x.dialect.open(&x.reply)
	return &response{status: 200, header: x.head(r.streamType()), end: s.end, ending: s.ending, due: s.due(),
		spell: func() ([]write, []byte) {
			writes := s.writes(r, x.reply.b.Fragments)
			if x.truth.Fault == Stall {
				return writes, r.frames(&step{act: actComment})
			}
			return writes, nil
		}}
}

// whole gives a script as a response in one piece, sent when all of it has
// been generated.
func (x *exchange) whole(s *script) *response {
	if s.ending == endNever {
		x.truth.Outcome = Hang.outcome()
		return &response{spell: silence, end: s.end, ending: endNever}
	}
	r := x.dialect.open(&x.reply)
	body := r.whole(s.steps)
	f := x.truth.Fault
	switch {
	case f == StreamError:
		body = r.failure(fail(StreamError, x.reply.model, s.fault.Message))
	case f == Cut, s.ending != endProperly:
		body = body[:len(body)/2]
	}
	h := x.head("application/json")
	if f != Cut {
		h.Set("Content-Length", strconv.Itoa(len(body)))
	}
	if s.ending != endProperly { // the rest that never comes
		h.Set("Content-Length", strconv.Itoa(2*len(body)))
	}
	return &response{status: 200, header: h, end: s.end, ending: s.ending, due: []time.Duration{s.end},
		spell: func() ([]write, []byte) { return []write{{at: s.end, bytes: body, holds: "whole"}}, nil }}
}

// refuse answers with an error status.
func (x *exchange) refuse(f failure, retryAfter time.Duration) *response {
	x.truth.Outcome = f.kind.outcome()
	if x.truth.Fault == "" {
		x.truth.Fault = f.kind
	}
	kind, body := "application/json", []byte(nil)
	if f.kind == BadGateway {
		kind, body = "text/html", []byte(htmlError)
	} else {
		body = x.dialect.open(&x.reply).failure(f)
	}
	h := x.head(kind)
	h.Set("X-Amzn-Errortype", f.exception())
	if retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(retryAfter.Seconds()))))
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	return &response{status: f.statusIn(x.reply.traits.name), header: h, due: []time.Duration{0},
		spell: func() ([]write, []byte) { return []write{{bytes: body, holds: "error"}}, nil }}
}

// head gives the headers.
func (x *exchange) head(contentType string) http.Header {
	h := http.Header{}
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Aircheck-Simulated", "1")                                                // recordings say so, lest it be taken for a measurement
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Amzn-Requestid"} { // whoever reads which
		h.Set(name, x.truth.ID)
	}
	return h
}

// showsThinking reports whether a recording can know that the model thought.
func (x *exchange) showsThinking(a *ask) bool {
	b, t := x.reply.b, x.reply.traits
	if b.Thinking.Show != ShowHidden {
		return true
	}
	reported := b.Usage.When != UsageNever && (b.Usage.When != UsageAsked || t.reportsUnasked || a.usage || !a.stream)
	return reported && b.details() && t.reportsThinking
}
