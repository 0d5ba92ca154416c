package simulate

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
)

// act is what a step of a script does.
type act int

const (
	actStart    act = iota // headers, and the frames that open a response
	actThinking            // tokens of thinking
	actText                // tokens of the answer
	actTool                // tokens of a tool call's arguments
	actFinish              // why the answer ends
	actUsage               // what it cost in tokens
	actDone                // the end marker
	actComment             // keep-alive
	actError               // an error inside the stream
	actJunk                // a frame that cannot be decoded
)

// step is one frame or so of a response, before any dialect spells it.
type step struct {
	at     time.Duration // since the request's arrival
	act    act
	choice int
	pieces []string // tokens
	call   *call    // the tool call that pieces belong to
	first  bool     // the call's first fragment
	finish string   // stop length tool_calls content_filter
	used   Tokens   // generated so far, this step included
}

func (s *step) text() string { return strings.Join(s.pieces, "") }

// generates reports whether the step carries something that a model generated.
func (s *step) generates() bool {
	return s.act == actThinking || s.act == actText || s.act == actTool
}

// Tokens are counts as they truly are, whatever is reported.
type Tokens struct {
	Input    int `json:"input"`
	Cached   int `json:"cached"`
	Thinking int `json:"thinking"`
	Answer   int `json:"answer"`
}

// ending is how the connection is left after the last step.
type ending int

const (
	endProperly ending = iota
	endAbort           // closed inside the body
	endReset           // TCP reset
	endNever           // silence until the client leaves
)

// script is a response planned in full: what is sent, and when.
type script struct {
	steps  []step
	end    time.Duration // when the ending happens
	ending ending
	finish string // reason stated; "" if none is
	tokens Tokens // in the steps
	fault  *Fault
}

// director plans scripts.
type director struct {
	composer
	fault  *Fault
	factor float64 // conditions × load
	cold   bool
	cached int // input tokens read from a cache
	// wholeCalls sends a tool call in one piece.
	wholeCalls bool
}

// plan writes the script of a response to a.
func (d director) plan(a *ask) *script {
	r := random(d.seed, "times", d.place.provider, d.place.model, strconv.Itoa(d.place.ordinal))
	scale := func(t time.Duration) time.Duration { return time.Duration(float64(t) * d.factor) }
	first := scale(d.b.FirstToken.draw(r) + d.b.Prefill*time.Duration(a.input)/1000)
	start := scale(d.b.FirstByte.draw(r))
	adds := d.b.Cold.Adds.draw(r)
	if d.cold {
		first += adds
	}
	if d.b.FirstByte.Median == 0 || start > first {
		start = first
	}
	s := &script{fault: d.fault, finish: "stop"}
	if d.struck(Hang) {
		if d.fault.For == 0 {
			s.ending = endNever
			return s
		}
		first, start = first+d.fault.For, start+d.fault.For
	}
	lines := d.lines(a, s, r)
	s.tokens.Input, s.tokens.Cached = a.input, d.cached
	used := Tokens{Input: a.input, Cached: d.cached}

	s.steps = append(s.steps, step{at: start, act: actStart, used: used})
	if every := d.b.KeepAlive.Every; every > 0 {
		for t := start + every; t < first; t += every {
			s.steps = append(s.steps, step{at: t, act: actComment})
		}
	}
	// One frame a beat; Burst frames share one. Choices speak in turn.
	beats, t := 0, first
	next := func() {
		if beats++; beats%d.b.Burst == 0 {
			t += scale(d.b.Gap.draw(r))
		}
	}
	frame := d.b.TokensPerFrame
	for i := 0; ; i++ {
		any := false
		for choice := range lines {
			l := &lines[choice]
			if len(l.steps) <= i*frame {
				continue
			}
			any = true
			for _, run := range runs(l.steps[i*frame : min(len(l.steps), (i+1)*frame)]) {
				run.choice, run.at = choice, t
				if run.act == actThinking {
					used.Thinking += len(run.pieces)
				} else {
					used.Answer += len(run.pieces)
				}
				run.used = used
				if run.act != actThinking || d.b.Thinking.Show != ShowHidden {
					s.steps = append(s.steps, run)
				}
			}
		}
		if !any {
			break
		}
		next()
	}
	s.tokens.Thinking, s.tokens.Answer = used.Thinking, used.Answer
	if !d.struck(NoFinish) {
		for choice := range lines {
			s.steps = append(s.steps, step{at: t, act: actFinish, choice: choice, finish: lines[choice].finish, used: used})
		}
		s.finish = lines[0].finish
	} else {
		s.finish = ""
	}
	s.steps = append(s.steps, step{at: t, act: actUsage, used: used}, step{at: t, act: actDone, used: used})
	s.end = t
	d.strike(s)
	return s
}

// due are the times at which something is sent, in order.
func (s *script) due() []time.Duration {
	out := make([]time.Duration, 0, len(s.steps))
	for i := range s.steps {
		if n := len(out); n == 0 || s.steps[i].at > out[n-1] {
			out = append(out, s.steps[i].at)
		}
	}
	return out
}

// line is what one choice says: one token a step, and why it ends.
type line struct {
	steps  []step
	finish string
}

// lines writes what each choice says, within the limits of the request and
// bent by the fault.
func (d director) lines(a *ask, s *script, r *rand.Rand) []line {
	think := 0
	if n := d.b.Thinking.Tokens.draw(r); !a.thinkOff {
		think = int(math.Round(float64(n) * a.effortFactor()))
	}
	if d.struck(Starved) {
		think = max(think, a.max, 64)
	}
	lines := make([]line, max(1, a.n))
	for choice := range lines {
		c := d.compose(a, choice)
		l := line{finish: "stop"}
		for _, p := range prose(random(d.seed, "thinking", d.model, a.prompt), think) {
			l.steps = append(l.steps, step{act: actThinking, pieces: []string{p}})
		}
		pieces := cutAtStop(c.pieces, a.stop)
		switch {
		case d.struck(Truncated):
			pieces, l.finish = pieces[:len(pieces)/2], "length"
		case d.struck(SilentTruncated):
			pieces = pieces[:len(pieces)/2]
		case d.struck(Filtered):
			pieces, l.finish = pieces[:len(pieces)/4], "content_filter"
		case d.struck(Empty):
			pieces, l.steps, c.call = nil, nil, nil
		case d.struck(Starved):
			pieces, c.call, l.finish = nil, nil, "length"
		}
		for _, p := range pieces {
			l.steps = append(l.steps, step{act: actText, pieces: []string{p}})
		}
		if c.call != nil {
			l.finish = "tool_calls"
			if d.wholeCalls {
				l.steps = append(l.steps, step{act: actTool, pieces: c.call.args, call: c.call, first: true})
			} else {
				for i, p := range c.call.args {
					l.steps = append(l.steps, step{act: actTool, pieces: []string{p}, call: c.call, first: i == 0})
				}
			}
		}
		if a.max > 0 && len(l.steps) > a.max {
			l.steps, l.finish = l.steps[:a.max], "length"
		}
		lines[choice] = l
	}
	return lines
}

// runs joins neighbouring tokens of one kind into one step.
func runs(one []step) []step {
	var out []step
	for _, s := range one {
		if n := len(out); n > 0 && out[n-1].act == s.act {
			out[n-1].pieces = append(slices.Clip(out[n-1].pieces), s.pieces...)
			continue
		}
		out = append(out, s)
	}
	return out
}

// cutAtStop ends pieces before the first stop sequence.
func cutAtStop(pieces []string, stop []string) []string {
	text, end := strings.Join(pieces, ""), -1
	for _, s := range stop {
		if i := strings.Index(text, s); s != "" && i >= 0 && (end < 0 || i < end) {
			end = i
		}
	}
	if end < 0 {
		return pieces
	}
	return tokenize(text[:end])
}

func (d director) struck(k Kind) bool { return d.fault != nil && d.fault.Kind == k }

// strike bends a script where its fault falls in the stream.
func (d director) strike(s *script) {
	if d.struck(NoDone) {
		s.steps = slices.DeleteFunc(s.steps, func(st step) bool { return st.act == actDone })
		return
	}
	if d.fault == nil || !d.fault.Kind.midway() {
		return
	}
	var content []int
	for i := range s.steps {
		if s.steps[i].generates() {
			content = append(content, i)
		}
	}
	// The step before which it happens: of the content, or the finish.
	k := len(s.steps) - 3
	if i := int(d.fault.at() * float64(len(content))); i < len(content) {
		k = content[i]
	}
	k = max(k, 1)
	at := s.steps[k].at
	switch d.fault.Kind {
	case Junk:
		s.steps = slices.Insert(s.steps, k, step{at: at, act: actJunk})
		return
	case Stall:
		if d.fault.For > 0 {
			d.pause(s, k)
			return
		}
		s.ending = endNever
	case StreamError:
		s.steps = append(s.steps[:k], step{at: at, act: actError})
		k++
	case Reset:
		s.ending = endReset
	case Abort:
		s.ending = endAbort
	}
	s.steps, s.end, s.finish = s.steps[:k], at, ""
	used := Tokens{Input: s.tokens.Input, Cached: s.tokens.Cached}
	for i := range s.steps {
		if s.steps[i].generates() {
			used = s.steps[i].used
		}
	}
	s.tokens = used
}

// pause delays step k and all after it, with heartbeats in between.
func (d director) pause(s *script, k int) {
	from := s.steps[k].at
	for i := k; i < len(s.steps); i++ {
		s.steps[i].at += d.fault.For
	}
	s.end += d.fault.For
	if every := d.b.KeepAlive.Every; every > 0 {
		var beats []step
		for t := every; t < d.fault.For; t += every {
			beats = append(beats, step{at: from + t, act: actComment})
		}
		s.steps = slices.Insert(s.steps, k, beats...)
	}
}

// outcome is the contract's name for how the response should be recorded.
// showsThinking says whether the stream or its usage gives thinking away.
func (s *script) outcome(showsThinking bool) string {
	if f := s.fault; f != nil && f.Kind.outcome() != "" && f.For == 0 {
		return f.Kind.outcome()
	}
	answered := false
	for i := range s.steps {
		answered = answered || s.steps[i].act == actText || s.steps[i].act == actTool
	}
	switch {
	case s.finish == "content_filter":
		return "filtered"
	case !answered && s.tokens.Thinking > 0 && showsThinking:
		return "starved"
	case !answered:
		return "empty"
	case s.finish == "length":
		return "truncated"
	}
	return "ok"
}
