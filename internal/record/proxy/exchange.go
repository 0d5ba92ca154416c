package proxy

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"aircheck/internal/record/capture"
	"aircheck/internal/record/content"
	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// exchange is one call: forwarded, and recorded as far as that can be done.
type exchange struct {
	p         *Proxy
	w         http.ResponseWriter
	flush     *http.ResponseController
	row       *schema.Request
	recording *recording // nil: it is not recorded
	keeper    *content.Keeper
	start     int64 // of the request to the provider, on the clock
	out       int64 // when the last bytes were handed to the caller, from start
	begun     bool  // the caller has a head
	gone      bool  // the caller took no more
	whole     bool  // the caller has the whole body
	keep      func(*journal.Frame)
}

func (p *Proxy) exchange(w http.ResponseWriter, r *http.Request, u *Upstream, to *url.URL, body []byte, row *schema.Request, arrived int64) {
	header := r.Header.Clone()
	dropHops(header)
	// A body that is compressed comes in blocks, and hides when its frames came.
	header.Set("Accept-Encoding", "identity")
	secrets := p.keys.of(r.Header, to.Query())
	x := &exchange{p: p, w: w, flush: http.NewResponseController(w), row: row, recording: p.current()}
	x.keep = func(f *journal.Frame) { x.recording.journal.Frame(row.RequestID, f) }
	p.label(row, r.Header, secrets.Text)
	row.Vantage = known(p.o.Vantage)
	row.RequestBody = new(secrets.Text(*row.RequestBody))
	x.keeper = p.o.Content.Begin(row)
	x.begin(secrets)
	ask := &capture.Request{Method: r.Method, URL: to.String(), Header: header, Body: body, Secrets: secrets}
	p.clients[u.Provider].Do(r.Context(), ask, false, row, x)
	x.end(r.Context(), arrived)
	switch {
	case !x.begun && r.Context().Err() == nil:
		why := "the provider gave no answer"
		if row.ErrorText != nil {
			why += ": " + *row.ErrorText
		}
		answerError(w, http.StatusBadGateway, why)
	case !x.whole:
		// The caller sees what the proxy saw: a body that ends too early.
		panic(http.ErrAbortHandler)
	}
}

// begin counts the call in.
func (x *exchange) begin(s *capture.Secrets) {
	p, row := x.p, x.row
	row.InFlight = new(p.inFlight.Add(1) - 1)
	now := p.clock.Now()
	row.IdleBeforeMs = p.lanes.begin(row.Provider, row.Model, now)
	row.StartedAtNs = new(p.clock.Wall(now)) // until it starts
	row.Window = new(time.Unix(0, *row.StartedAtNs).UTC().Format("2006-01-02T15"))
	x.recording.start(p, row, s)
}

// Head passes the response's head on.
func (x *exchange) Head(resp *http.Response) {
	x.start = *x.row.StartedAtNs - x.p.clock.Wall(0)
	if resp.Header.Get(simulatedHeader) != "" {
		x.row.Origin = originSimulated
	}
	if x.recording != nil {
		x.recording.journal.Row(x.row)
		x.keeper.Head()
	}
	h := x.w.Header()
	for name, values := range resp.Header {
		h[name] = values
	}
	dropHops(h)
	if resp.ContentLength >= 0 && resp.Header.Get("Content-Length") == "" {
		h.Del("Content-Length")
	}
	x.w.WriteHeader(resp.StatusCode)
	x.begun = true
	if resp.ContentLength != 0 {
		x.flush.Flush() // servers that stream send their head at once
	}
}

// Body passes a piece of the body on.
func (x *exchange) Body(p []byte) error {
	x.out = x.p.clock.Now() - x.start
	_, err := x.w.Write(p)
	if err == nil {
		err = x.flush.Flush()
	}
	x.gone = err != nil
	return err
}

// Whole hears that the caller has the whole body.
func (x *exchange) Whole() { x.whole = true }

// Frame records a frame.
func (x *exchange) Frame(f *journal.Frame) {
	if x.recording == nil {
		return
	}
	f.Out = x.out
	x.keeper.Frame(f, x.keep)
}

// end completes the row.
func (x *exchange) end(ctx context.Context, arrived int64) {
	p, row := x.p, x.row
	start := *row.StartedAtNs - p.clock.Wall(0)
	row.CallerNs = new(arrived - start)
	if x.begun {
		row.CallerEndNs = new(p.clock.Now() - start)
	}
	if x.gone || ctx.Err() != nil { // the caller ended it, whatever it looks like from here
		row.EndReason, row.ErrorText = new("cancelled"), new("the caller took no more")
	}
	p.inFlight.Add(-1)
	p.lanes.end(row.Provider, row.Model, p.clock.Now())
	x.keeper.End()
	x.recording.end(p, row)
}

// hops are headers of one connection, which are not passed on.
var hops = []string{"Connection", "Proxy-Connection", "Keep-Alive", "Proxy-Authenticate", "Proxy-Authorization", "Te", "Trailer", "Transfer-Encoding", "Upgrade", "Expect"}

func dropHops(h http.Header) {
	for _, v := range h.Values("Connection") {
		for _, name := range strings.Split(v, ",") {
			h.Del(strings.TrimSpace(name))
		}
	}
	for _, name := range hops {
		h.Del(name)
	}
}

func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
