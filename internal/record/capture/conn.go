package capture

import (
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"aircheck/schema"
)

// conn is a connection that notes when its bytes came, and when its writes
// returned. It sits below TLS. The interface is embedded, not the TCP connection, so that no
// ReadFrom or WriteTo leads around it.
type conn struct {
	net.Conn
	clock *Clock
	recv  *receiver // nil: reads are stamped when they return

	mu      sync.Mutex
	last    stamp // of the last read that brought bytes
	sent    write // the last write of the request
	writing phase
	wrote   int64 // when the transport said that the request was written
	failed  error // what a read failed with, the end of the stream left out
}

// stamp is one read of the socket.
type stamp struct {
	seq   int64        // number of the read on this connection, from 1; 0: none yet
	at    int64        // best known arrival of its last byte, on the run's clock
	read  int64        // its return
	clock schema.Clock // what at is
	lo    int64        // when the socket was last known to be empty before: nothing in this read came earlier
	// drained: the read took all that had arrived, or less than it asked for.
	drained bool
}

// write is the bracket of one write; zero before the first.
type write struct{ before, after int64 }

// phase of sending a request.
type phase uint8

const (
	sending  phase = iota // every write is the request's
	flushing              // the transport flushes what its buffer still holds
	over                  // later writes are not the request's, such as the farewell of TLS
)

const (
	// writeBlockedNs is how long a write may take before its end, not its start,
	// counts as the time of sending: the socket's buffer was full.
	writeBlockedNs = int64(time.Millisecond)
	// flushNs bounds the time from the transport's word that a request is
	// written to the writes that really send its end. They follow each other
	// in one goroutine.
	flushNs = int64(20 * time.Millisecond)
)

// slackNs is how far the kernel's stamp may lie outside of what the reads say:
// the two clocks are compared to within so much.
const slackNs = int64(50 * time.Microsecond)

// Read stamps every read that brought bytes. The end of the stream brings none:
// it must not move the time of the last bytes.
func (c *conn) Read(p []byte) (int, error) {
	var n int
	var kernel, empty int64
	var err error
	if c.recv != nil {
		n, kernel, empty, err = c.recv.read(p)
	} else {
		n, err = c.Conn.Read(p)
	}
	if n > 0 {
		now, anchor := c.clock.both()
		c.mu.Lock()
		s := stamp{seq: c.last.seq + 1, at: now, read: now, lo: c.last.lo, drained: n < len(p)}
		switch {
		case empty > 0:
			s.lo = empty
		case c.last.clock == schema.ClockKernel:
			s.lo = c.last.at
		case c.last.drained && c.recv == nil:
			s.lo = c.last.read
		}
		// What the kernel says must fit: not before the socket was empty, not after
		// the read. Else the wall clock was set in between.
		if at := kernel + c.clock.stepped.Load() - anchor; kernel != 0 && anchor != 0 && at >= s.lo-slackNs && at <= now+slackNs {
			s.at, s.clock = min(max(at, s.lo), now), schema.ClockKernel
		}
		c.last = s
		c.mu.Unlock()
	}
	if err != nil && err != io.EOF {
		c.mu.Lock()
		c.failed = err
		c.mu.Unlock()
	}
	return n, err
}

// unread is how many bytes lie in the socket, where that can be told.
func (c *conn) unread() int {
	if c.recv == nil {
		return 0
	}
	return c.recv.unread()
}

// Write notes the write before it is done: a server may have answered before
// this goroutine runs again.
func (c *conn) Write(p []byte) (int, error) {
	before := c.clock.Now()
	c.mu.Lock()
	if c.writing == flushing && before-max(c.wrote, c.sent.after) > flushNs {
		c.writing = over
	}
	ours, earlier := c.writing != over, c.sent
	if ours {
		c.sent = write{before, before}
	}
	c.mu.Unlock()
	n, err := c.Conn.Write(p)
	if ours {
		after := c.clock.Now()
		c.mu.Lock()
		if c.sent.after = after; n == 0 {
			c.sent = earlier
		}
		c.mu.Unlock()
	}
	return n, err
}

// begin makes ready for a request.
func (c *conn) begin() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent, c.writing = write{}, sending
}

// written hears from the transport that a request is written. HTTP/1.1 says so
// before it flushes its buffer, HTTP/2 afterwards.
func (c *conn) written(flushed bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.writing, c.wrote = flushing, c.clock.Now(); flushed {
		c.writing = over
	}
}

func (c *conn) lastRead() stamp {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// sentAt is the bracket of the write that sent the request's end, zero if
// nothing was sent.
func (c *conn) sentAt() write {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.sent
}

// failure is what a read of the socket failed with, nil if none did. It is
// nearer to the truth than what the layers above make of half a line.
func (c *conn) failure() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(c.failed, net.ErrClosed) {
		return nil // by ourselves
	}
	return c.failed
}

// time is when the write handed its bytes to the kernel.
func (w write) time() int64 {
	if w.after-w.before > writeBlockedNs {
		return w.after
	}
	return w.before
}
