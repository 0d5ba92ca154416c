package capture

import (
	"bytes"
	"cmp"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"sync"
	"time"

	"aircheck/internal/kit/limits"
	"aircheck/internal/wire/dialect"
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

// Request is what is sent. Header holds the credentials.
type Request struct {
	Method string
	URL    string
	Header http.Header
	Body   []byte
	// Secrets are hidden in what is recorded of this request, where the client
	// has none.
	Secrets *Secrets
}

// Options of a client.
type Options struct {
	Clock    *Clock
	Timeouts Timeouts
	// Fresh opens a connection for every request; else one that is idle is used
	// again.
	Fresh   bool
	Secrets *Secrets
	TLS     *tls.Config // beyond the defaults; nil for none
	Limits  limits.Response
	// Windows is shared by the clients of a run; nil: compressed bodies of zstd and
	// brotli are kept as they come.
	Windows *limits.Budget
	// HTTP2 asks for HTTP/2, with times by the read clock.
	HTTP2 bool
	// ReadClock stamps bytes when their read returns, also where the kernel's
	// time of receiving can be had.
	ReadClock bool
}

// Client sends the requests of one target.
type Client struct {
	o         Options
	transport *http.Transport

	mu   sync.Mutex
	idle []*link // the latest used last
}

// link is an open connection that speaks HTTP.
type link struct {
	http *http.ClientConn
	conn *conn
	host string
	used int64 // when its last response ended
}

const (
	// maxIdle is how long an unused connection is trusted: gateways between
	// forget one that is silent, and say nothing.
	maxIdle = 90 * time.Second
	// readSize is the most that one read of the socket takes. It holds the frames of
	// a burst; there is one for each open stream.
	readSize = 8 << 10
)

// NewClient makes a client. Close it to close its connections.
func NewClient(o Options) *Client {
	config := &tls.Config{}
	if o.TLS != nil {
		config = o.TLS.Clone()
	}
	// One request a connection at a time: the streams of HTTP/2 share one
	// socket, and then a read does not belong to one response.
	config.NextProtos = []string{"http/1.1"}
	config.MinVersion = max(config.MinVersion, tls.VersionTLS12)
	o.ReadClock = o.ReadClock || o.HTTP2
	o.Limits = o.Limits.Or(limits.Default())
	c := &Client{o: o}
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	c.transport = &http.Transport{DisableCompression: true, Protocols: protocols, MaxResponseHeaderBytes: o.Limits.Head, ReadBufferSize: readSize, WriteBufferSize: 4 << 10}
	if o.HTTP2 {
		c.http2(c.transport, config)
	}
	d := newDialer(o.Clock, config, o.ReadClock)
	c.transport.DialContext, c.transport.DialTLSContext = d.dial, d.dialTLS
	return c
}

// Close closes the idle connections.
func (c *Client) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, l := range c.idle {
		l.http.Close()
	}
	c.idle = nil
}

// Do sends a request and records what becomes of it in the row: its groups
// "clock" and "received", and the host. The row's api helps to cut a body whose
// headers do not tell. The frames of the body go to the sink, in order. When ctx
// is cancelled the request ends as cancelled, with what has arrived.
//
// fresh asks for a connection of its own, whatever the client's options say.
func (c *Client) Do(ctx context.Context, r *Request, fresh bool, row *schema.Request, sink Sink) {
	x := &exchange{client: c, request: r, row: row, sink: sink, fresh: fresh || c.o.Fresh, start: c.o.Clock.Now(), secrets: c.o.Secrets}
	if x.secrets == nil {
		x.secrets = r.Secrets
	}
	row.StartedAtNs = new(c.o.Clock.Wall(x.start))
	var own context.Context
	x.watch, own = newWatch(ctx, c.o.Clock, c.o.Timeouts, x.start)
	defer x.watch.stop()
	err := x.run(own)
	row.EndNs = new(c.o.Clock.Now() - x.start)
	row.EndReason = new(endEOF)
	if err != nil {
		if x.link != nil && x.link.conn.failure() != nil && resetCode(err) == nil {
			err = x.link.conn.failure()
		}
		end, text := reason(own, err)
		if end == endReset {
			row.ResetCode = resetCode(err)
		}
		row.EndReason, row.ErrorText = &end, new(x.secrets.Text(text))
	}
	x.finish()
	x.release(err == nil)
}

// exchange is one request and its response.
type exchange struct {
	client  *Client
	request *Request
	row     *schema.Request
	sink    Sink
	secrets *Secrets
	fresh   bool
	start   int64
	watch   *watch
	link    *link
	tape    *tape
	reads   int64 // of the body, under HTTP/2
}

// run returns nil when the body came to its proper end.
func (x *exchange) run(ctx context.Context) error {
	r := x.request
	u, err := url.Parse(r.URL)
	if err != nil {
		return fmt.Errorf("%w: its url is not valid", errUnsendable)
	}
	x.row.Host = new(u.Host)
	if err := x.connect(ctx, u); err != nil {
		return err
	}
	x.watch.connected(x.link.conn.unread)
	x.link.conn.begin()
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { x.link.conn.written(x.client.o.HTTP2) }})
	// A body that cannot be read twice is a request that cannot be sent twice.
	req := (&http.Request{Method: r.Method, URL: u, Host: u.Host, Header: r.Header, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: io.NopCloser(bytes.NewReader(r.Body)), ContentLength: int64(len(r.Body))}).WithContext(ctx)
	resp, err := x.link.http.RoundTrip(req)
	if err != nil {
		if strings.HasPrefix(err.Error(), "http: invalid header") || strings.HasPrefix(err.Error(), "net/http: invalid header") {
			return fmt.Errorf("%w: a header's name or value is not valid", errUnsendable)
		}
		return err
	}
	defer resp.Body.Close()
	x.head(resp)
	return x.body(resp)
}

// connect takes an idle connection or opens one.
func (x *exchange) connect(ctx context.Context, u *url.URL) error {
	if !x.fresh {
		x.link = x.client.take(u.Host)
	}
	x.row.ConnReused = new(x.link != nil)
	if x.link != nil {
		return nil
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443"}[u.Scheme]
		if port == "" {
			port = "80"
		}
	}
	var s setup
	hc, err := x.client.transport.NewClientConn(context.WithValue(ctx, setupKey{}, &s), u.Scheme, net.JoinHostPort(u.Hostname(), port))
	x.row.DNSNs, x.row.ConnectNs, x.row.TLSNs = s.dns, s.connect, s.tls
	if err != nil {
		return err
	}
	x.link = &link{http: hc, conn: s.conn, host: u.Host}
	return nil
}

// head takes the response's head down.
func (x *exchange) head(resp *http.Response) {
	row, secrets := x.row, x.secrets
	row.HeadersNs = new(max(x.link.conn.lastRead().at-x.start, 0))
	if x.client.o.HTTP2 {
		row.HeadersNs = new(x.client.o.Clock.Now() - x.start)
	}
	row.HTTPStatus = new(int32(resp.StatusCode))
	row.HTTPVersion = new(resp.Proto)
	row.ResponseHeaders = new(secrets.HeadersJSON(resp.Header))
	kind := frame.KindFor(resp.Header.Get("Content-Type"), resp.StatusCode, value(row.API))
	if encoding := strings.Join(resp.Header.Values("Content-Encoding"), ", "); encoding != "" && !strings.EqualFold(encoding, "identity") {
		row.ContentEncoding = new(secrets.Text(encoding))
		kind = frame.Reads
	}
	x.tape = newTape(kind, x.sink, secrets, x.client.o.Limits, x.start, max(x.link.conn.sentAt().before, x.start))
	if row.ContentEncoding != nil {
		x.tape.meter = dialect.NewMeter(*row.ContentEncoding, x.client.o.Limits.Inflated, x.client.o.Windows)
	}
	x.sink.Head(resp)
}

// buffers are lent to one response each while its body is read.
var buffers = sync.Pool{New: func() any { return new([readSize]byte) }}

// body reads to the end. Bytes come out of the decoder of chunks, and of TLS,
// in the goroutine that read them from the socket, and none of these layers
// reads on before it has handed out what it holds: so the socket's last read is
// the one that completed the bytes in hand.
func (x *exchange) body(resp *http.Response) error {
	buf := buffers.Get().(*[readSize]byte)
	defer buffers.Put(buf)
	forward, _ := x.sink.(Forwarder)
	var over error // what is beyond a limit, and passed on
	for {
		n, err := resp.Body.Read(buf[:])
		if n > 0 {
			s := x.link.conn.lastRead()
			if x.client.o.HTTP2 {
				s = x.handed()
			}
			x.watch.received(s.read)
			if forward != nil {
				if err := forward.Body(buf[:n]); err != nil {
					return fmt.Errorf("%w: %w", errForward, err)
				}
			}
			if over == nil {
				if over = x.tape.write(buf[:n], s); over != nil && forward == nil {
					return over
				}
			}
		}
		switch {
		case err == io.EOF:
			if forward != nil {
				forward.Whole()
			}
			return over
		case err != nil:
			return cmp.Or(over, err)
		}
	}
}

// finish completes the row, and hands on what is left of the body.
func (x *exchange) finish() {
	if x.link != nil {
		if w := x.link.conn.sentAt(); w.after > 0 {
			sent := w.time()
			// Answered before it returned: it did not block, this goroutine did.
			if h := x.row.HeadersNs; h != nil && w.before <= x.start+*h && sent > x.start+*h {
				sent = w.before
			}
			x.row.SentNs = new(sent - x.start)
		}
	}
	if x.tape != nil {
		x.tape.close()
		x.row.BytesReceived = new(x.tape.bytes)
	}
}

// take gives an idle connection to the host, nil if there is none.
func (c *Client) take(host string) *link {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.o.Clock.Now()
	for len(c.idle) > 0 {
		l := c.idle[len(c.idle)-1]
		c.idle = c.idle[:len(c.idle)-1]
		if l.host == host && l.http.Err() == nil && now-l.used < int64(maxIdle) {
			return l
		}
		l.http.Close()
	}
	return nil
}

// release keeps the connection for the next request if it is as good as new.
func (x *exchange) release(ok bool) {
	l := x.link
	if l == nil {
		return
	}
	if !ok || x.fresh || l.http.Err() != nil || l.http.Available() == 0 {
		l.http.Close()
		return
	}
	l.used = x.client.o.Clock.Now()
	x.client.mu.Lock()
	defer x.client.mu.Unlock()
	x.client.idle = append(x.client.idle, l)
}

func value(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
