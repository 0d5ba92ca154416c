package virtual

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"runtime"
	"slices"
	"sync"
	"time"

	"aircheck/internal/record/capture"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/runner"
	"aircheck/internal/record/simulate"
	"aircheck/schema"
)

// campaign is the one machine that records all plans. Its times are offsets on
// the fleet's clock, in nanoseconds.
type campaign struct {
	fleet    *simulate.Fleet
	net      *simulate.Virtual
	runs     []*run
	ids      *schema.IDs
	rng      *rand.Rand
	secrets  *capture.Secrets
	now      int64
	sent     uint64
	total    int
	progress func(done, total int)

	lanes   map[lane]*laneState
	links   map[*plan.Target][]int64 // when idle connections were last used
	open    []int64                  // ends of the requests open, as the client sees them
	leaving []leave                  // and as the fleet does

	ctx     context.Context
	jobs    chan *job
	workers sync.WaitGroup
	lines   chan *job // jobs in order, for the truth
	written chan error
	mu      sync.Mutex
	failed  error
}

// lane is what idle times are counted for.
type lane struct{ provider, model string }

type laneState struct {
	open  int
	ended int64
}

type leave struct {
	at    int64
	reply *simulate.Reply
	lane  *laneState
}

func (c *campaign) lane(t *plan.Target) *laneState {
	k := lane{t.Provider, t.Model}
	if c.lanes[k] == nil {
		c.lanes[k] = &laneState{}
	}
	return c.lanes[k]
}

// maxIdle is how long an unused connection is trusted, as the recorder has it.
const maxIdle = int64(90 * time.Second)

// send lets a request start, and gives the time at which it is over. Its row
// and its frames are finished elsewhere, while others are sent.
func (c *campaign) send(r *run, b *plan.Block, q *plan.Request, at int64) (end int64) {
	wall := time.Unix(0, c.wall(at)).UTC()
	h, err := q.Build("", runner.Salt(r.id, b, q), wall)
	if err != nil {
		c.fail(err)
		return at
	}
	u, err := url.Parse(h.URL)
	if err != nil {
		c.fail(err)
		return at
	}
	c.sent++
	rng := rand.New(rand.NewPCG(c.fleet.Seed, c.sent))
	c.endUntil(at)
	row := runner.Row(r.plan, b, q, h.Body)
	row.RequestID = c.ids.Next(wall)
	row.Origin = "simulated"
	row.OrderIndex, row.InFlight, row.Host = r.order, new(int32(len(c.open))), new(u.Host)
	r.order++
	r.writer.Begin(row.RequestID)
	l := c.lane(q.Target)
	switch {
	case l.open > 0:
		row.IdleBeforeMs = new(int64(0))
	case l.ended > 0:
		row.IdleBeforeMs = new((at - l.ended) / int64(time.Millisecond))
	}
	if b.OpenLoop {
		row.ScheduledAtNs = new(c.wall(at))
		at += int64(lognormal(rng, 60*time.Microsecond, 0.6))
	}
	row.StartedAtNs = new(c.wall(at))

	x := &job{run: r, row: row, rng: rng, limits: r.plan.Timeouts}
	reused := c.takeLink(q, r.plan, at)
	row.ConnReused = &reused
	rtt := c.net.RTT(q.Target.Provider, q.Target.ModelID, rng)
	if !reused {
		x.ready = c.connect(row, rng, rtt)
	}
	x.sent = x.ready + lognormal(rng, 70*time.Microsecond, 0.5)
	x.away = rtt / 2
	row.SentNs = new(int64(x.sent))
	arrives := time.Duration(at) + x.sent + x.away
	if x.reply, err = c.net.Ask(simulate.Ask{Provider: q.Target.Provider, Path: u.RequestURI(), Header: h.Header, Body: h.Body}, arrives); err != nil {
		c.fail(err)
		return at
	}
	took := x.limit()
	row.EndNs = new(int64(took))
	end = at + int64(took)
	c.open = append(c.open, end)
	l.open++
	c.leaving = append(c.leaving, leave{end - int64(x.away), x.reply, l})
	l.ended = max(l.ended, end)
	if x.reason == "eof" && !q.Fresh && r.plan.Connections != plan.Fresh {
		c.links[q.Target] = append(c.links[q.Target], end)
	}
	c.hand(x)
	return end
}

// endUntil takes note of the requests that are over by a time.
func (c *campaign) endUntil(now int64) {
	c.open = slices.DeleteFunc(c.open, func(end int64) bool { return end <= now })
	slices.SortStableFunc(c.leaving, func(a, b leave) int { return cmp.Compare(a.at, b.at) })
	n := 0
	for ; n < len(c.leaving) && c.leaving[n].at <= now; n++ {
		c.leaving[n].reply.Leave(time.Duration(c.leaving[n].at))
		c.leaving[n].lane.open--
	}
	c.leaving = c.leaving[n:]
}

// takeLink says whether an open connection serves the request.
func (c *campaign) takeLink(q *plan.Request, p *plan.Plan, at int64) bool {
	if q.Fresh || p.Connections == plan.Fresh {
		return false
	}
	idle := c.links[q.Target]
	for i := len(idle) - 1; i >= 0; i-- {
		if idle[i] <= at && at-idle[i] < maxIdle {
			c.links[q.Target] = slices.Delete(idle, i, i+1)
			return true
		}
	}
	c.links[q.Target] = slices.DeleteFunc(idle, func(used int64) bool { return at-used >= maxIdle })
	return false
}

// connect is the time that a new connection takes: a look-up, one round trip,
// one more and some arithmetic for TLS.
func (c *campaign) connect(row *schema.Request, rng *rand.Rand, rtt time.Duration) time.Duration {
	dns := lognormal(rng, 900*time.Microsecond, 0.7)
	connect := rtt + lognormal(rng, 80*time.Microsecond, 0.5)
	tls := rtt + lognormal(rng, 1300*time.Microsecond, 0.25)
	row.DNSNs, row.ConnectNs, row.TLSNs = new(int64(dns)), new(int64(connect)), new(int64(tls))
	return dns + connect + tls + lognormal(rng, 50*time.Microsecond, 0.4)
}

// job is a request that is over in virtual time, and not yet written.
type job struct {
	run    *run
	row    *schema.Request
	rng    *rand.Rand
	reply  *simulate.Reply
	limits plan.Timeouts

	ready time.Duration // the connection is there
	sent  time.Duration
	away  time.Duration // from client to provider, and back

	until  time.Duration // what arrives later is not heard
	reason string        // end_reason
	done   chan struct{}
}

// arrival is when a write reaches the client, before any jitter.
func (x *job) arrival(due time.Duration) time.Duration { return x.sent + 2*x.away + due }

// limit ends the request: by its response, or by the first of the client's time
// limits that runs out.
func (x *job) limit() time.Duration {
	end := x.arrival(x.reply.End) + time.Millisecond // the last writes' jitter is below that
	x.reason = map[simulate.Ending]string{simulate.Whole: "eof", simulate.Torn: "unexpected_eof", simulate.Broken: "reset"}[x.reply.Ending]
	text := map[string]string{"unexpected_eof": "unexpected EOF", "reset": "read: connection reset by peer"}[x.reason]
	if x.reply.Ending == simulate.Never {
		end = 1 << 62
	}
	bound := func(from, limit time.Duration, reason, what string) {
		if limit > 0 && from+limit < end {
			end, x.reason, text = from+limit, reason, what+" within "+limit.String()
		}
	}
	if len(x.reply.Due) == 0 {
		bound(x.ready, x.limits.FirstByte, "timeout_first_byte", "no byte of the body")
	} else {
		if x.arrival(x.reply.Due[0]) > x.ready+x.limits.FirstByte {
			bound(x.ready, x.limits.FirstByte, "timeout_first_byte", "no byte of the body")
		}
		x.idle(bound)
	}
	bound(0, x.limits.Total, "timeout_total", "not over")
	x.until = end
	if text != "" {
		x.row.ErrorText = &text
	}
	x.row.EndReason = &x.reason
	return end
}

// idle looks for a silence within the body that is too long.
func (x *job) idle(bound func(from, limit time.Duration, reason, what string)) {
	limit := x.limits.Idle
	for i, due := range x.reply.Due {
		next := x.reply.End
		switch {
		case i+1 < len(x.reply.Due):
			next = x.reply.Due[i+1]
		case x.reply.Ending == simulate.Never && x.reply.Heartbeat > 0:
			next = due + x.reply.Heartbeat // and so on for ever
		case x.reply.Ending == simulate.Never:
			next = 1 << 61
		}
		if next-due > limit {
			bound(x.arrival(due), limit, "timeout_idle", "no further byte")
			return
		}
	}
}

// start lets workers finish rows, and one writer the truth.
func (c *campaign) start(ctx context.Context, truth io.Writer) {
	c.ctx, c.secrets, c.rng = ctx, capture.NewSecrets(), rand.New(rand.NewPCG(c.fleet.Seed, 0))
	n := runtime.GOMAXPROCS(0)
	c.jobs, c.lines, c.written = make(chan *job, 16*n), make(chan *job, 64*n), make(chan error, 1)
	for range n {
		c.workers.Go(func() {
			for x := range c.jobs {
				if c.stopped() {
					close(x.done)
					continue
				}
				chunks := x.finish(c.secrets)
				if err := x.run.writer.Write(x.row, chunks); err != nil {
					c.fail(err)
				}
				close(x.done)
			}
		})
	}
	go func() {
		var err error
		for x := range c.lines {
			<-x.done
			if truth == nil || err != nil || c.stopped() {
				continue
			}
			var line []byte
			if line, err = json.Marshal(x.reply.Truth()); err == nil {
				_, err = truth.Write(append(line, '\n'))
			}
			if err != nil {
				err = fmt.Errorf("write ground truth: %w", err)
				c.fail(err)
			}
		}
		c.written <- err
	}()
}

// hand gives a request to the workers.
func (c *campaign) hand(x *job) {
	x.done = make(chan struct{})
	c.lines <- x
	c.jobs <- x
	if c.progress != nil && c.sent%1000 == 0 {
		c.progress(int(c.sent), c.total)
	}
}

// finish waits until all is written.
func (c *campaign) finish() error {
	c.endUntil(1 << 62)
	close(c.jobs)
	c.workers.Wait()
	close(c.lines)
	<-c.written
	if err := c.ctx.Err(); err != nil && c.failed == nil {
		return err
	}
	return c.failed
}

func (c *campaign) fail(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.failed == nil {
		c.failed = err
	}
}

func (c *campaign) stopped() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.failed != nil || c.ctx.Err() != nil
}
