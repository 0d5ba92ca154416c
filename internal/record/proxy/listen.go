package proxy

import (
	"io"
	"log"
	"net"
	"time"
)

// quiet: net/http logs what callers send wrongly, with their bytes.
var quiet = log.New(io.Discard, "", 0)

// Listener is where the application connects.
type Listener struct {
	net.Listener
	Public bool // not only this machine can connect
}

// Listen takes an address. Without a host it is this machine's alone.
func Listen(addr string) (*Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	l, err := net.Listen("tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	bound, _ := l.Addr().(*net.TCPAddr)
	return &Listener{l, bound == nil || !bound.IP.IsLoopback()}, nil
}

// wait waits until the requests that were cut off are over.
func (p *Proxy) wait() {
	for range 500 { // each ends as soon as its connection is closed
		if p.inFlight.Load() == 0 {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
}
