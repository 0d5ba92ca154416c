// Package proxy records an application's real traffic while it forwards it.
//
//	application → proxy → provider
//
// The application points its base URL at the proxy and works as before: heads,
// bodies and errors pass as they are, each piece as it arrives. Calls of models
// become rows of phase "live", with the times of both sides; everything else is
// forwarded and counted. What cannot be recorded is forwarded all the same.
package proxy

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/capture"
	"aircheck/internal/record/content"
	"aircheck/schema"
)

// Upstream is a provider that is forwarded to.
type Upstream struct {
	Provider string   // names the rows, and the first part of the path
	URL      *url.URL // what stands before the path that the application asks for
	API      string   // "": by the path that is asked for
	Region   string
}

// Options of a proxy.
type Options struct {
	Dir       string // the dataset; need not exist
	Name      string // of the runs
	Upstreams []Upstream
	Headers   map[string]string // header → what it names: session, attempt, request, scenario, workload, or a label
	Content   content.Policy
	Vantage   string
	Durable   bool
	Say       func(string) // hears what the operator must know; may be nil
	// Memory is the most that the proxy takes; 0 for limits.Memory.
	Memory int64
	// Retry is how often recording is tried again after it failed; 0 for 30 s.
	Retry time.Duration
}

// Proxy is an http.Handler. Close it when the last request is over.
type Proxy struct {
	o       Options
	clock   *capture.Clock
	ids     *schema.IDs
	clients map[string]*capture.Client // by provider
	bodies  *limits.Budget             // for those of requests
	plain   map[string]*httputil.ReverseProxy
	keys    keys
	lanes   lanes

	inFlight atomic.Int32

	mu        sync.Mutex
	recording *recording   // nil: nothing can be recorded
	broken    []*recording // not sealed yet
	runs      []*schema.Run
	apart     map[string]int
	closing   chan struct{}
	stop      context.CancelFunc // the clock's beat
	retries   sync.WaitGroup
}

// Done is what a proxy came to.
type Done struct {
	Runs  []*schema.Run
	Apart map[string]int // requests that were forwarded and not recorded, by reason
}

// New makes a proxy, and begins a run.
func New(o Options) (*Proxy, error) {
	if o.Say == nil {
		o.Say = func(string) {}
	}
	if o.Retry == 0 {
		o.Retry = 30 * time.Second
	}
	if o.Memory == 0 {
		o.Memory = limits.Memory
	}
	p := &Proxy{o: o, clock: capture.NewClock(), ids: schema.NewIDs(), clients: map[string]*capture.Client{},
		plain: map[string]*httputil.ReverseProxy{}, apart: map[string]int{}, bodies: limits.NewBudget(limits.ProxyBodies(o.Memory)), closing: make(chan struct{})}
	most := limits.Of(o.Memory, limits.ProxyStreams)
	windows := limits.NewBudget(most.Windows)
	for _, u := range o.Upstreams {
		p.clients[u.Provider] = capture.NewClient(capture.Options{Clock: p.clock, Timeouts: timeouts, Limits: most, Windows: windows})
		p.plain[u.Provider] = plainProxy(&u)
	}
	var err error
	if p.recording, err = p.begin(); err != nil {
		return nil, err
	}
	beat, stop := context.WithCancel(context.Background())
	p.stop = stop
	go p.clock.Beat(beat)
	return p, nil
}

// timeouts: the application has its own, and goes away when they are over.
var timeouts = capture.Timeouts{Connect: 30 * time.Second}

// bodyCopies is how often a request's body is in memory: as received, as text,
// as JSON for the journal.
const bodyCopies = 3

// ServeHTTP forwards one request.
func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	arrived := p.clock.Now()
	u, rest := p.route(r.URL)
	if u == nil {
		p.fail(w, http.StatusNotFound, "no upstream for this path; "+p.served())
		return
	}
	if r.Method != http.MethodPost || r.Header.Get("Upgrade") != "" {
		p.forward(w, r, u, rest, "no call of a model")
		return
	}
	// The body is read whole first: a response that comes before its end would
	// otherwise abort the stream.
	most := limits.ProxyBody(p.o.Memory)
	size := r.ContentLength
	if size < 0 {
		size = most
	}
	if size > most || !p.bodies.Take(bodyCopies*size) {
		p.forward(w, r, u, rest, "bodies that there was no memory for (--memory)")
		return
	}
	defer p.bodies.Give(bodyCopies * size)
	body, err := io.ReadAll(io.LimitReader(r.Body, most+1))
	if err != nil {
		return // the caller has gone
	}
	if int64(len(body)) > most {
		r.Body = io.NopCloser(io.MultiReader(bytes.NewReader(body), r.Body))
		p.forward(w, r, u, rest, "bodies that there was no memory for (--memory)")
		return
	}
	to := u.target(rest)
	row := callRow(u, to, r, body)
	if row == nil {
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		p.forward(w, r, u, rest, "no call of a model")
		return
	}
	p.exchange(w, r, u, to, body, row, arrived)
}

// route finds the upstream of a path, and what of the path is its own. An
// upstream that is the only one needs no prefix.
func (p *Proxy) route(asked *url.URL) (*Upstream, *url.URL) {
	rest := *asked
	first, tail, _ := strings.Cut(strings.TrimPrefix(asked.Path, "/"), "/")
	i := slices.IndexFunc(p.o.Upstreams, func(u Upstream) bool { return u.Provider == first })
	if i >= 0 {
		rest.Path, rest.RawPath = "/"+tail, ""
		if raw := asked.EscapedPath(); raw != asked.Path { // keep how it was escaped
			_, tail, _ := strings.Cut(strings.TrimPrefix(raw, "/"), "/")
			rest.RawPath = "/" + tail
		}
		return &p.o.Upstreams[i], &rest
	}
	if len(p.o.Upstreams) == 1 {
		return &p.o.Upstreams[0], &rest
	}
	return nil, nil
}

// target is the address at the provider.
func (u *Upstream) target(rest *url.URL) *url.URL {
	to := *u.URL
	to.Path = strings.TrimSuffix(u.URL.Path, "/") + rest.Path
	to.RawPath = ""
	if escaped := strings.TrimSuffix(u.URL.EscapedPath(), "/") + rest.EscapedPath(); escaped != to.Path {
		to.RawPath = escaped
	}
	to.RawQuery = rest.RawQuery
	return &to
}

// forward passes a request on that is not recorded.
func (p *Proxy) forward(w http.ResponseWriter, r *http.Request, u *Upstream, rest *url.URL, why string) {
	p.count(why)
	r = r.Clone(r.Context())
	r.URL.Path, r.URL.RawPath = rest.Path, rest.RawPath
	p.plain[u.Provider].ServeHTTP(w, r)
}

func plainProxy(u *Upstream) *httputil.ReverseProxy {
	return &httputil.ReverseProxy{
		FlushInterval: -1,
		Rewrite: func(r *httputil.ProxyRequest) {
			to := u.target(r.In.URL)
			r.Out.URL, r.Out.Host = to, to.Host
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			answerError(w, http.StatusBadGateway, "the provider cannot be reached")
		},
	}
}

// count counts a request that is not recorded.
func (p *Proxy) count(why string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.apart[why]++
}

func (p *Proxy) served() string {
	var names []string
	for _, u := range p.o.Upstreams {
		names = append(names, "/"+u.Provider+"/")
	}
	return "served are " + strings.Join(names, ", ")
}

func (p *Proxy) fail(w http.ResponseWriter, status int, text string) {
	p.count("answered by the proxy itself")
	answerError(w, status, text)
}

// proxyHeader marks answers that are the proxy's own, and no provider's.
const proxyHeader = "X-Aircheck-Proxy"

// answerError answers in the form in which most clients look for an error.
func answerError(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set(proxyHeader, "error")
	w.WriteHeader(status)
	fmt.Fprintf(w, "{\"error\": {\"type\": \"aircheck_proxy\", \"message\": %q}}\n", "record proxy: "+text)
}

// Close seals the run. No request may be open.
func (p *Proxy) Close() (Done, error) {
	p.stop()
	close(p.closing)
	p.retries.Wait()
	for _, c := range p.clients {
		c.Close()
	}
	p.mu.Lock()
	if p.recording != nil {
		p.broken, p.recording = append(p.broken, p.recording), nil
	}
	p.mu.Unlock()
	err := p.sealBroken()
	return Done{Runs: p.runs, Apart: p.apart}, err
}

// Serve listens until ctx is cancelled, then lets open requests finish; when hard
// is cancelled they are cut off.
func Serve(ctx, hard context.Context, p *Proxy, l *Listener) error {
	s := &http.Server{Handler: p, ReadHeaderTimeout: 30 * time.Second, ErrorLog: quiet}
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l.Listener) }()
	select {
	case err := <-failed:
		return err
	case <-ctx.Done():
	}
	if err := s.Shutdown(hard); err != nil {
		s.Close()
		p.wait()
	}
	return nil
}
