package simulate

import (
	"math"
	"net/http"
	"strconv"
	"time"
)

// exchange is one request and its response.
type exchange struct {
	server   *Server
	provider *Provider
	dialect  dialect
	path     string
	body     []byte
	received time.Time

	truth  Truth
	player player
	reply  reply
}

// serve answers the request and logs its truth.
func (x *exchange) serve(w http.ResponseWriter, r *http.Request) {
	x.truth = Truth{Provider: x.provider.Name, API: x.dialect.traits().name, Path: r.URL.Path,
		ReceivedNs: x.received.UnixNano(), Weather: 1, Load: 1}
	x.player = player{w: w, ctx: r.Context(), start: x.received, truth: &x.truth, body: newBody()}
	a, err := x.dialect.read(r.URL, x.path, x.body)
	if err != nil {
		a = &ask{}
	}
	m := x.provider.model(a.model)
	arrived, tally := x.server.arrive(x.provider, m, a.prompt, x.received)
	x.truth.ID, x.truth.ModelID, x.truth.Stream, x.truth.Window = arrived.id, a.model, a.stream, arrived.place.window
	drop := false
	defer func() {
		x.truth.EndNs = time.Now().UnixNano()
		x.truth.Bytes, x.truth.SHA256 = x.player.body.n, x.player.body.hex()
		x.server.truth.log(&x.truth)
		if tally != nil {
			x.server.leave(tally)
		}
		if drop {
			panic(http.ErrAbortHandler) // the way to end a response short of its end
		}
	}()
	b := defaults()
	x.reply = reply{id: arrived.id, created: x.received, model: a.model, ask: a, b: &b, script: &script{}, traits: x.dialect.traits()}
	switch {
	case err != nil:
		x.refuse(fail(Rejected, a.model, "The body is not valid: "+err.Error()), 0)
	case m == nil:
		x.refuse(fail(Unavailable, a.model, ""), 0)
	default:
		x.truth.Model = m.Name
		x.reply.b = m.at(arrived.elapsed, arrived.place.window)
		drop = x.answer(a, arrived, tally, apiKey(r))
	}
}

// answer plays what the model's behaviour makes of the request. It returns true
// if the connection is to be dropped.
func (x *exchange) answer(a *ask, at arrival, t *tally, key string) (drop bool) {
	b := x.reply.b
	if b.Served != "" {
		x.reply.model = b.Served
	}
	tr := &x.truth
	tr.Ordinal, tr.InFlight = at.place.ordinal, at.inFlight
	tr.Weather = b.weather(at.place)
	tr.Load = b.Load.factor(at.inFlight)
	tr.Cold = b.Cold.After > 0 && (at.idle < 0 && at.inFlight == 1 || at.idle >= b.Cold.After)
	if at.idle >= 0 {
		tr.IdleMs = new(ms(at.idle))
	}
	if b.Key != "" && key != b.Key {
		x.refuse(fail(Account, a.model, ""), 0)
		return false
	}
	for _, p := range a.params() {
		if contains(b.Rejects, p) {
			x.refuse(fail(Rejected, a.model, "Unsupported parameter: '"+string(p)+"' is not supported with this model."), 0)
			return false
		}
	}
	f := b.fault(at.place)
	if f != nil {
		tr.Fault = f.Kind
		switch {
		case f.Kind == Refuse:
			tr.Outcome = f.Kind.outcome()
			x.player.reset()
			return false
		case f.Kind.status() >= 400:
			x.refuse(fail(f.Kind, a.model, f.Message), f.RetryAfter)
			return false
		}
	}
	if over, wait := x.server.limited(t, b.RateLimit, at.elapsed); over {
		x.refuse(fail(RateLimited, a.model, ""), wait)
		return false
	}
	if b.Load.Reject > 0 && at.inFlight > b.Load.Reject {
		x.refuse(fail(RateLimited, a.model, ""), 0)
		return false
	}
	heard := a.forget(b)
	x.reply.ask = &heard
	d := director{composer: composer{seed: x.server.fleet.Seed, model: tr.Model, b: b, place: at.place},
		fault: f, factor: tr.Weather * tr.Load, cold: tr.Cold, wholeCalls: x.reply.traits.wholeCalls}
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

// stream plays a script frame by frame.
func (x *exchange) stream(s *script) (drop bool) {
	r := x.dialect.open(&x.reply)
	writes := s.writes(r, x.reply.b.Fragments)
	if len(writes) > 0 {
		if !x.player.wait(writes[0].at) {
			return true
		}
		x.head(200, r.streamType())
	}
	if !x.player.play(writes) {
		return true
	}
	var heartbeat []byte
	if x.truth.Fault == Stall {
		heartbeat = r.frames(&step{act: actComment})
	}
	x.player.finish(s, heartbeat, x.reply.b.KeepAlive.Every)
	return s.ending == endAbort || s.ending == endNever
}

// whole plays a script as a response in one piece, sent when all of it has
// been generated.
func (x *exchange) whole(s *script) (drop bool) {
	r := x.dialect.open(&x.reply)
	body := r.whole(s.steps)
	f := x.truth.Fault
	switch {
	case s.ending == endNever:
		x.truth.Outcome = Hang.outcome()
		x.player.finish(s, nil, 0)
		return true
	case f == StreamError:
		body = r.failure(fail(StreamError, x.reply.model, s.fault.Message))
	case f == Cut, s.ending != endProperly:
		body = body[:len(body)/2]
	}
	if !x.player.wait(s.end) {
		return true
	}
	if f != Cut {
		x.player.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	}
	if s.ending != endProperly { // the rest that never comes
		x.player.w.Header().Set("Content-Length", strconv.Itoa(2*len(body)))
	}
	x.head(200, "application/json")
	if !x.player.play([]write{{at: s.end, bytes: body, holds: "whole"}}) {
		return true
	}
	x.player.finish(s, nil, 0)
	return s.ending == endAbort
}

// refuse answers with an error status.
func (x *exchange) refuse(f failure, retryAfter time.Duration) {
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
	x.player.w.Header().Set("X-Amzn-Errortype", f.exception())
	if retryAfter > 0 {
		x.player.w.Header().Set("Retry-After", strconv.Itoa(int(math.Ceil(retryAfter.Seconds()))))
	}
	x.player.w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	x.head(f.statusIn(x.reply.traits.name), kind)
	x.player.play([]write{{bytes: body, holds: "error"}})
}

// head writes status and headers.
func (x *exchange) head(status int, contentType string) {
	h := x.player.w.Header()
	h.Set("Content-Type", contentType)
	h.Set("Cache-Control", "no-cache")
	h.Set("X-Aircheck-Simulated", "1")                                                // recordings say so, lest it be taken for a measurement
	for _, name := range []string{"X-Request-Id", "Request-Id", "X-Amzn-Requestid"} { // whoever reads which
		h.Set(name, x.truth.ID)
	}
	x.truth.Status = status
	x.player.w.WriteHeader(status)
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

// weather is the multiplier of a window.
func (b *Behaviour) weather(p place) float64 {
	m := 1.0
	if n := len(b.Weather); n > 0 {
		m = b.Weather[((p.window%n)+n)%n]
	}
	if b.WeatherSigma > 0 {
		z := random(p.seed, "weather", p.provider, strconv.Itoa(p.window)).NormFloat64()
		m *= math.Exp(b.WeatherSigma * z)
	}
	return m
}
