package virtual

import (
	"container/heap"
	"math"
	"math/rand/v2"
	"time"

	"aircheck/internal/record/plan"
)

// silence lets time pass until none of the block's targets was asked anything
// for the time that the block wants.
func (c *campaign) silence(b *plan.Block) {
	if b.Idle == 0 {
		return
	}
	var last int64
	for i := range b.Requests {
		t := b.Requests[i].Target
		last = max(last, c.lane(t).ended)
	}
	c.now = max(c.now, last+int64(b.Idle))
}

// closedLoop keeps a number of requests open until all are done. Of a block
// that keeps providers apart, a stream whose next request goes to a provider
// that another stream is asking waits for its turn.
func (c *campaign) closedLoop(r *run, b *plan.Block) {
	next := 0
	queues := map[string][]int{} // requests that wait for a provider; the first has its turn
	var events agenda
	take := func(at int64) {
		if next >= len(b.Requests) {
			return
		}
		i := next
		next++
		if b.Apart {
			p := b.Requests[i].Target.Provider
			queues[p] = append(queues[p], i)
			if len(queues[p]) > 1 {
				return
			}
		}
		heap.Push(&events, event{at, i, false})
	}
	for range min(b.Streams, len(b.Requests)) {
		take(c.now)
	}
	for events.Len() > 0 && !c.stopped() {
		e := heap.Pop(&events).(event)
		c.now = max(c.now, e.at)
		q := &b.Requests[e.request]
		if !e.over {
			heap.Push(&events, event{c.send(r, b, q, e.at), e.request, true})
			continue
		}
		if b.Apart {
			p := q.Target.Provider
			if queues[p] = queues[p][1:]; len(queues[p]) > 0 {
				heap.Push(&events, event{e.at + c.pause(), queues[p][0], false})
			}
		}
		take(e.at + c.pause())
	}
}

// pause is what a recorder takes between two requests of a stream.
func (c *campaign) pause() int64 { return int64(lognormal(c.rng, 120*time.Microsecond, 0.4)) }

// openLoop starts each request at its time, however many are open.
func (c *campaign) openLoop(r *run, b *plan.Block) {
	start, last := c.now, c.now
	for i := range b.Requests {
		at := start + int64(b.Requests[i].At)
		c.now = max(c.now, at)
		last = max(last, c.send(r, b, &b.Requests[i], at))
		if c.stopped() {
			return
		}
	}
	c.now = max(c.now, last)
}

// event is a request that starts, or that is over.
type event struct {
	at      int64
	request int
	over    bool
}

// agenda is a heap of events by time; of those at one time, in the plan's order.
type agenda []event

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	if a[i].at != a[j].at {
		return a[i].at < a[j].at
	}
	return a[i].request < a[j].request
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(event)) }
func (a *agenda) Pop() any {
	last := len(*a) - 1
	e := (*a)[last]
	*a = (*a)[:last]
	return e
}

// lognormal draws a time by its median and the standard deviation of its
// logarithm.
func lognormal(r *rand.Rand, median time.Duration, sigma float64) time.Duration {
	return time.Duration(float64(median) * math.Exp(sigma*r.NormFloat64()))
}
