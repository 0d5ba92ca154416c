package simulate

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Server is a fleet on a socket.
type Server struct {
	fleet    *Fleet
	counts   *counts
	listener net.Listener
	http     *http.Server
	served   chan error
	handlers sync.WaitGroup
	truth    truthLog

	mu    sync.Mutex
	began time.Time // the fleet's clock; zero until the first request
}

// Start serves a fleet at listenAddr ("127.0.0.1:0" for any free port) until
// Close. Each provider answers at http://ADDR/NAME/v1/…. For every request one
// line of JSON (see Truth) is written to truth when its response has ended;
// truth may be nil.
//
// The fleet's clock, which windows and changes refer to, starts with the first
// request.
func Start(fleet *Fleet, listenAddr string, truth io.Writer) (*Server, error) {
	l, err := net.Listen("tcp", listenAddr)
	if err != nil {
		return nil, fmt.Errorf("start the simulated fleet: %w", err)
	}
	s := &Server{fleet: fleet, counts: newCounts(fleet, strconv.FormatInt(time.Now().UnixMilli(), 36)),
		listener: l, served: make(chan error, 1), truth: truthLog{w: truth}}
	s.http = &http.Server{Handler: http.HandlerFunc(s.route), ErrorLog: log.New(io.Discard, "", 0)}
	go func() { s.served <- s.http.Serve(l) }()
	return s, nil
}

// Addr is the address served, "host:port".
func (s *Server) Addr() string { return s.listener.Addr().String() }

// URL is a provider's base URL as plans state it.
func (s *Server) URL(provider string) string {
	return "http://" + s.Addr() + "/" + provider + "/v1"
}

// SetWindow sets the fleet's window by hand, from now on.
func (s *Server) SetWindow(i int) { s.counts.setWindow(i) }

// clock is the fleet's, which starts with the first request.
func (s *Server) clock(now time.Time) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.began.IsZero() {
		// A recorder's windows begin a little before the request that shows
		// it, by a different delay each time: the fleet's are set earlier by
		// more than that, so that no first request falls into the old window.
		s.began = now.Add(-min(s.fleet.Window/10, 500*time.Millisecond))
	}
	return now.Sub(s.began)
}

// Close ends all responses at once, waits until each has written its truth, and
// returns the first error of serving or of writing the truth.
func (s *Server) Close() error {
	err := s.http.Close()
	if e := <-s.served; !errors.Is(e, http.ErrServerClosed) {
		err = errors.Join(err, e)
	}
	s.handlers.Wait()
	s.truth.mu.Lock()
	defer s.truth.mu.Unlock()
	return errors.Join(err, s.truth.err)
}

// route finds the provider and the dialect.
func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	received := time.Now()
	s.handlers.Add(1)
	defer s.handlers.Done()
	name, path, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	path = "/" + path
	if name == "_fleet" {
		s.control(w, r, path)
		return
	}
	p := s.fleet.Provider(name)
	if p == nil {
		http.Error(w, fmt.Sprintf(`{"error":{"message":"no provider %q in this fleet"}}`, name), http.StatusNotFound)
		return
	}
	if r.Method == http.MethodGet && strings.HasSuffix(path, "/models") {
		p.list(w)
		return
	}
	for _, d := range dialects {
		if !d.serves(path) || len(p.APIs) > 0 && !contains(p.APIs, d.traits().name) {
			continue
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the client left while sending
		}
		x := &exchange{fleet: s.fleet, counts: s.counts, provider: p, dialect: d, url: r.URL, path: path, key: apiKey(r.URL, r.Header),
			body: body, received: received, at: s.clock(received)}
		s.play(w, r, x)
		return
	}
	http.Error(w, fmt.Sprintf(`{"error":{"message":"%s does not answer at %s"}}`, name, path), http.StatusNotFound)
}

// control sets the window: PUT /_fleet/window/3.
func (s *Server) control(w http.ResponseWriter, r *http.Request, path string) {
	i, err := strconv.Atoi(strings.TrimPrefix(path, "/window/"))
	if r.Method != http.MethodPut || err != nil {
		http.Error(w, "use PUT /_fleet/window/INDEX", http.StatusNotFound)
		return
	}
	s.SetWindow(i)
	w.WriteHeader(http.StatusNoContent)
}

// list answers GET …/models as OpenAI does.
func (p *Provider) list(w http.ResponseWriter) {
	type entry struct {
		ID     string `json:"id"`
		Object string `json:"object"`
		Owner  string `json:"owned_by"`
	}
	list := struct {
		Object string  `json:"object"`
		Data   []entry `json:"data"`
	}{"list", []entry{}}
	for _, m := range p.Models {
		list.Data = append(list.Data, entry{m.ID, "model", p.Name})
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(compact(list))
}
