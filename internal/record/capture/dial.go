package capture

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http/httptrace"
	"sync"
	"syscall"
	"time"
)

// setup is what opening a connection took, in nanoseconds. A step that did not
// happen has no time.
type setup struct {
	dns, connect, tls *int64
	conn              *conn
}

// handshakeError is a failure of the TLS handshake, whatever caused it.
type handshakeError struct{ err error }

func (e *handshakeError) Error() string { return "tls handshake: " + e.err.Error() }
func (e *handshakeError) Unwrap() error { return e.err }

// dialer opens the connections of a client, one step after the other, so that
// each step's time and failure are its own.
type dialer struct {
	clock *Clock
	tls   *tls.Config
	net   net.Dialer

	readClock bool
}

// stamping is asked for once a process.
var stamping = sync.OnceFunc(keepStamping)

// newDialer makes a dialer whose connections the kernel stamps, unless the read
// clock is wanted.
func newDialer(clock *Clock, config *tls.Config, readClock bool) *dialer {
	d := &dialer{clock: clock, tls: config, net: net.Dialer{KeepAlive: keepAlive}, readClock: readClock}
	if !readClock {
		stamping()
		d.net.ControlContext = func(_ context.Context, _, _ string, c syscall.RawConn) error {
			return c.Control(kernelStamps)
		}
	}
	return d
}

// keepAlive probes connections that are silent for long, as models that think are.
const keepAlive = 15 * time.Second

// setupKey carries a *setup through the transport to the dial that it asks for.
type setupKey struct{}

// dial opens a plain connection.
func (d *dialer) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	s, _ := ctx.Value(setupKey{}).(*setup)
	if s == nil {
		return nil, fmt.Errorf("dial %s: no request asked for it", addr)
	}
	// The look-up's hooks run in this goroutine, and before the dial returns. A
	// literal address has no look-up.
	start := d.clock.Now()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		DNSStart: func(httptrace.DNSStartInfo) { start = d.clock.Now() },
		DNSDone: func(httptrace.DNSDoneInfo) {
			now := d.clock.Now()
			s.dns, start = new(now-start), now
		},
	})
	nc, err := d.net.DialContext(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	s.connect = new(d.clock.Now() - start)
	s.conn = &conn{Conn: nc, clock: d.clock}
	if !d.readClock {
		s.conn.recv = newReceiver(nc, d.clock)
	}
	return s.conn, nil
}

// dialTLS opens a connection and shakes hands. The TLS connection is returned
// bare, since the transport knows no other as one.
func (d *dialer) dialTLS(ctx context.Context, network, addr string) (net.Conn, error) {
	nc, err := d.dial(ctx, network, addr)
	if err != nil {
		return nil, err
	}
	s := ctx.Value(setupKey{}).(*setup)
	config := d.tls.Clone()
	if config.ServerName == "" {
		config.ServerName, _, _ = net.SplitHostPort(addr)
	}
	start := d.clock.Now()
	tc := tls.Client(nc, config)
	if err := tc.HandshakeContext(ctx); err != nil {
		nc.Close()
		return nil, &handshakeError{err}
	}
	s.tls = new(d.clock.Now() - start)
	if config.NextProtos[0] == "h2" && tc.ConnectionState().NegotiatedProtocol != "h2" {
		tc.Close()
		return nil, &handshakeError{errNoHTTP2}
	}
	return tc, nil
}
