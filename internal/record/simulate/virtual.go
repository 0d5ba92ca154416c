package simulate

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/url"
	"time"
)

// Virtual is a fleet that answers without a socket or a clock: it says what it
// would send, and when. What it sends is decided and spelled as a Server's.
type Virtual struct {
	fleet  *Fleet
	counts *counts
}

// NewVirtual starts a fleet's clock at Fleet.Starts.
func NewVirtual(f *Fleet, tag string) *Virtual {
	return &Virtual{fleet: f, counts: newCounts(f, tag)}
}

// Ask is a request to one of the fleet's providers.
type Ask struct {
	Provider string
	Path     string // below the provider's address: /v1/chat/completions
	Header   http.Header
	Body     []byte
}

// Target is one model at one provider, as a plan names it.
type Target struct {
	Provider, Model, ModelID, API, Region string

	Declared map[string]any // what a plan states of it
}

// Targets are whom a recording asks.
func (f *Fleet) Targets(r *Recording) []Target {
	var out []Target
	for _, p := range f.Providers {
		api := "openai-chat"
		if len(p.APIs) > 0 {
			api = p.APIs[0]
		}
		for _, m := range f.models([]string{p.Name}, r.Models) {
			if len(r.Providers) > 0 && !contains(r.Providers, p.Name) {
				continue
			}
			b := m.at(moment{})
			out = append(out, Target{p.Name, m.Name, m.ID, api, b.Region, b.Declared})
		}
	}
	return out
}

// RTT is a round trip between a client and a provider's model.
func (v *Virtual) RTT(provider, modelID string, r *rand.Rand) time.Duration {
	b := defaults()
	if p := v.fleet.Provider(provider); p != nil {
		if m := p.model(modelID); m != nil {
			b = *m.at(moment{})
		}
	}
	return b.Network.RTT.draw(r)
}

// Reply is what a fleet answers. Times are offsets from the request's arrival.
type Reply struct {
	Status int         // nothing of it is sent where Due is empty
	Header http.Header // with the first write
	// Due are the times of the writes to come, in order; End is when the ending
	// happens, and Ending how.
	Due    []time.Duration
	End    time.Duration
	Ending Ending
	// Heartbeat is how often bytes come in a silence that does not end; 0 for
	// never.
	Heartbeat time.Duration

	exchange *exchange
	response *response
	counts   *counts
}

// Ending is how a response ends.
type Ending int

// The endings.
const (
	Whole  Ending = iota // as it should
	Torn                 // the connection is closed inside the body
	Broken               // and with a reset
	Never                // silence until the client leaves
)

// Sent is one write of a response.
type Sent struct {
	At    time.Duration
	Bytes []byte
}

// Ask gives a fleet a request that arrives at a time of its clock. Requests
// come in the order of their arrival; each is open until Leave.
func (v *Virtual) Ask(q Ask, at time.Duration) (*Reply, error) {
	p := v.fleet.Provider(q.Provider)
	if p == nil {
		return nil, fmt.Errorf("no provider %q in this fleet", q.Provider)
	}
	u, err := url.Parse(q.Path)
	if err != nil {
		return nil, err
	}
	for _, d := range dialects {
		if !d.serves(u.Path) || len(p.APIs) > 0 && !contains(p.APIs, d.traits().name) {
			continue
		}
		x := &exchange{fleet: v.fleet, counts: v.counts, provider: p, dialect: d, url: u, path: u.Path, key: apiKey(u, q.Header),
			body: q.Body, received: v.fleet.Starts.Add(at), at: at}
		r := x.decide()
		reply := &Reply{Status: r.status, Header: r.header, Due: r.due, End: r.end, Ending: Ending(r.ending), exchange: x, response: r, counts: v.counts}
		if r.ending == endNever && x.truth.Fault == Stall {
			reply.Heartbeat = x.reply.b.KeepAlive.Every
		}
		return reply, nil
	}
	return nil, fmt.Errorf("%s does not answer at %s", q.Provider, u.Path)
}

// Leave ends the request, at a time of the fleet's clock.
func (r *Reply) Leave(at time.Duration) { r.counts.leave(r.exchange.tally, at) }

// Writes spells the response as far as the client hears it: until an offset
// from the request's arrival. It may run while other requests are asked.
func (r *Reply) Writes(until time.Duration) []Sent {
	writes, heartbeat := r.response.spell()
	x, body := r.exchange, newBody()
	var out []Sent
	send := func(w *write) {
		out = append(out, Sent{w.at, w.bytes})
		body.add(w.bytes)
		at := new(x.truth.ReceivedNs + int64(w.at))
		if w.token && x.truth.FirstTokenNs == nil {
			x.truth.FirstTokenNs = at
		}
		if w.token {
			x.truth.LastTokenNs = at
		}
		if w.answer && x.truth.FirstAnswerNs == nil {
			x.truth.FirstAnswerNs = at
		}
		x.truth.Status = r.Status
	}
	for i := range writes {
		if writes[i].at > until {
			x.truth.ClientGone = true
			break
		}
		send(&writes[i])
	}
	for at := r.End + r.Heartbeat; r.Heartbeat > 0 && at <= until; at += r.Heartbeat {
		send(&write{at: at, bytes: heartbeat})
	}
	x.truth.ClientGone = x.truth.ClientGone || r.Ending == Never
	x.truth.EndNs = x.truth.ReceivedNs + int64(min(until, max(r.End, 0)))
	x.truth.Bytes, x.truth.SHA256 = body.n, body.hex()
	return out
}

// Truth is what the fleet knows of the request; complete after Writes. Of the
// single writes virtual time has nothing to tell.
func (r *Reply) Truth() *Truth { return &r.exchange.truth }
