package proxy

import (
	"fmt"
	"runtime"
	"sync"
	"time"

	"aircheck/internal/kit/version"
	"aircheck/internal/record/capture"
	"aircheck/internal/record/content"
	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// recording is one run of the proxy. A nil one records nothing.
type recording struct {
	journal *journal.Journal
	secrets sync.Map // of requests whose frames are not sealed yet, by id

	mu       sync.Mutex
	run      schema.Run
	requests int
}

// begin starts a run.
func (p *Proxy) begin() (*recording, error) {
	r := &recording{run: schema.Run{
		RunID: schema.NewRunID(time.Now()), Name: p.o.Name, Campaign: p.o.Name, Origin: originProxied, Tool: version.Of("record"),
		Host:        fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.GOMAXPROCS(0)),
		StartedAtNs: time.Now().UnixNano(), Clock: p.clock.Epochs(),
	}}
	for _, u := range p.o.Upstreams {
		r.run.Notes = append(r.run.Notes, fmt.Sprintf("%s is %s", u.Provider, u.URL))
	}
	p.o.Content.Mark(&r.run)
	var err error
	r.journal, err = journal.Create(p.o.Dir, &r.run, journal.Options{Durable: p.o.Durable, Mask: r.mask, Failed: func(err error) { p.failed(r, err) }})
	return r, err
}

// mask hides what only a whole response shows.
func (r *recording) mask(row *schema.Request, frames [][]byte, more bool) {
	s, ok := r.secrets.Load(row.RequestID)
	if !ok {
		return
	}
	if !more {
		r.secrets.Delete(row.RequestID)
	}
	if note := content.Seal(s.(*capture.Secrets), row, frames, more); note != "" {
		r.mu.Lock()
		r.run.Notes = append(r.run.Notes, note)
		r.mu.Unlock()
	}
}

// start counts a call in. Ids rise in the order of starting.
func (r *recording) start(p *Proxy, row *schema.Request, s *capture.Secrets) {
	if r == nil {
		p.count("recording had failed")
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	row.RequestID = p.ids.Next(time.Now())
	row.OrderIndex = int32(r.requests)
	row.Campaign = &r.run.Campaign
	r.requests++
	if !s.None() {
		r.secrets.Store(row.RequestID, s)
	}
	r.journal.Begin(row)
}

// end hands over a call that is over.
func (r *recording) end(p *Proxy, row *schema.Request) {
	if r == nil {
		return
	}
	if r.journal.Err() != nil {
		p.count("recording had failed")
		return
	}
	r.journal.End(row)
}

// current is the run that calls go to.
func (p *Proxy) current() *recording {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.recording
}

// failed hears that a run cannot be written any longer. The proxy goes on
// without, and tries again from time to time.
func (p *Proxy) failed(r *recording, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.recording != r {
		return
	}
	p.recording, p.broken = nil, append(p.broken, r)
	p.o.Say(fmt.Sprintf("recording stopped: %s; requests are forwarded, and not recorded; tried again every %s", journal.Cause(err), p.o.Retry))
	select {
	case <-p.closing:
	default:
		p.retries.Go(p.retry)
	}
}

func (p *Proxy) retry() {
	ticks := time.NewTicker(p.o.Retry)
	defer ticks.Stop()
	for {
		select {
		case <-p.closing:
			return
		case <-ticks.C:
		}
		p.sealBroken()
		r, err := p.begin()
		if err != nil {
			continue
		}
		p.mu.Lock()
		p.recording = r
		n := p.apart["recording had failed"]
		p.mu.Unlock()
		p.o.Say(fmt.Sprintf("recording again; %d requests so far were forwarded and not recorded", n))
		return
	}
}

// sealBroken seals what was recorded before recording failed, as soon as there
// is room for it. What cannot be sealed stays in its journal.
func (p *Proxy) sealBroken() (err error) {
	p.mu.Lock()
	broken := p.broken
	p.broken = nil
	p.mu.Unlock()
	for _, r := range broken {
		if e := p.seal(r); e != nil {
			err = e
			p.mu.Lock()
			p.broken = append(p.broken, r)
			p.mu.Unlock()
		}
	}
	return err
}

// seal ends a run.
func (p *Proxy) seal(r *recording) error {
	r.mu.Lock()
	requests := r.requests
	r.run.EndedAtNs, r.run.Clock = time.Now().UnixNano(), p.clock.Epochs()
	r.run.Interrupted = r.journal.Err() != nil
	r.mu.Unlock()
	if requests == 0 {
		r.journal.Abort()
		return nil
	}
	if err := r.journal.Seal(&r.run); err != nil {
		return fmt.Errorf("run %s is in its journal and could not be sealed: %w", r.run.RunID, err)
	}
	p.mu.Lock()
	p.runs = append(p.runs, &r.run)
	p.mu.Unlock()
	return nil
}
