package plan

import "time"

// Pace is how fast answers are assumed to come.
type Pace struct {
	First     time.Duration // to the first token
	PerToken  time.Duration // from one to the next
	Unbounded int           // tokens of an answer that nothing bounds
}

// TypicalPace is one second, then 50 tokens a second.
var TypicalPace = Pace{First: time.Second, PerToken: 20 * time.Millisecond, Unbounded: 500}

// answer is how long a request takes whose answer is as long as it may be.
func (a Pace) answer(q *Request) time.Duration {
	n := q.OutputCap()
	if n == 0 {
		n = a.Unbounded
	}
	return a.First + time.Duration(n)*a.PerToken
}

// Duration is how long a window takes at a pace, and the whole plan with its
// intervals between windows. Nothing fails, and no target slows down.
func (p *Plan) Duration(pace Pace) (window, whole time.Duration) {
	window = p.windowDuration(0, pace)
	if p.Windows.Count == 1 {
		return window, window
	}
	// The first window has the probes; all others are alike.
	other := p.windowDuration(1, pace)
	whole = max(window, p.Windows.Every) + time.Duration(p.Windows.Count-2)*max(other, p.Windows.Every) + other
	return max(window, other), whole
}

// windowDuration adds up the blocks of a window.
func (p *Plan) windowDuration(w int, pace Pace) (sum time.Duration) {
	quiet := map[*Target]time.Duration{} // when a target was asked last
	for _, b := range p.Window(w) {
		if b.Idle > 0 {
			last := time.Duration(0)
			for i := range b.Requests {
				last = max(last, quiet[b.Requests[i].Target])
			}
			sum = max(sum, last+b.Idle)
		}
		sum += b.duration(pace)
		for i := range b.Requests {
			quiet[b.Requests[i].Target] = sum
		}
	}
	return sum
}

// duration of a block: its requests on its streams, no faster than the limits
// of its targets.
func (b *Block) duration(pace Pace) (d time.Duration) {
	spaced := map[*Target]time.Duration{}
	for i := range b.Requests {
		q := &b.Requests[i]
		one := pace.answer(q)
		if b.OpenLoop {
			d = max(d, q.At+one)
			continue
		}
		d += one
		if q.Phase != PhaseBurst {
			spaced[q.Target] += q.Target.Limit.Gap()
		}
	}
	if b.OpenLoop {
		return d
	}
	d /= time.Duration(max(b.Streams, 1))
	for _, gap := range spaced {
		d = max(d, gap)
	}
	return d
}
