package runner

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"

	"aircheck/internal/record/plan"
	"aircheck/schema"
)

// deadAfter is how many requests in a row a target must refuse, with no answer
// between them, before it counts as dead: two more than the usual warm-up.
const deadAfter = 5

// health watches what the targets answer, so that a wrong key or a misspelt
// model does not run through the whole plan.
type health struct {
	policy plan.DeadTarget
	say    func(string)

	mu      sync.Mutex
	targets []*vitals // in the plan's order
	of      map[*plan.Target]*vitals
}

// vitals are what became of one target's requests.
type vitals struct {
	t        *plan.Target
	done     int
	answered int
	failures []failure
	whole    refusals             // of the target, whatever is asked
	cells    map[string]*refusals // of what one scenario asks
	skipped  map[skip]int
	said     bool // that nothing came of the first requests
}

// failure counts one reason.
type failure struct {
	reason string
	n      int
}

// skip is why requests were not sent.
type skip struct{ scenario, reason string }

// refusals in a row.
type refusals struct {
	n      int
	reason string
	dead   bool
	tested int // window of the last request that was let through since
}

func newHealth(p *plan.Plan, say func(string)) *health {
	h := &health{policy: p.OnDeadTarget, say: say, of: map[*plan.Target]*vitals{}}
	if h.say == nil {
		h.say = func(string) {}
	}
	for _, t := range p.Targets {
		x := &vitals{t: t, cells: map[string]*refusals{}, skipped: map[skip]int{}}
		h.targets, h.of[t] = append(h.targets, x), x
	}
	return h
}

// skips says whether a request is left out because its target, or its target in
// this scenario, is dead. One a window is let through, to see whether it
// answers again.
func (h *health) skips(q *plan.Request, window int) bool {
	if h.policy != plan.Pause {
		return false
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	x := h.of[q.Target]
	for _, r := range []*refusals{&x.whole, x.cells[q.Scenario]} {
		switch {
		case r == nil || !r.dead:
		case r.tested < window:
			r.tested = window
			return false
		default:
			x.skipped[skip{q.Scenario, r.reason}]++
			return true
		}
	}
	return false
}

// heard takes the outcome of a request, and the error that the answer states. stop says that the run is to end.
func (h *health) heard(q *plan.Request, window int, row *schema.Request, text string) (stop bool) {
	reason, kind := outcome(row, text)
	line := ""
	h.mu.Lock()
	defer func() {
		h.mu.Unlock()
		if line != "" {
			h.say(line)
		}
	}()
	x := h.of[q.Target]
	x.done++
	cell := x.cells[q.Scenario]
	if cell == nil {
		cell = &refusals{}
		x.cells[q.Scenario] = cell
	}
	if kind == answered {
		x.answered++
		if x.whole.dead || cell.dead {
			line = name(q.Target) + ": answers again"
		}
		x.whole, *cell = refusals{}, refusals{}
		return false
	}
	i := slices.IndexFunc(x.failures, func(f failure) bool { return f.reason == reason })
	if i < 0 {
		i = len(x.failures)
		x.failures = append(x.failures, failure{reason: reason})
	}
	x.failures[i].n++
	what, r := name(q.Target), &x.whole
	switch {
	case kind == refusedCell && q.Phase == plan.PhaseProbe:
		return false // that is what a probe asks
	case kind == refusedCell:
		what, r = what+", "+q.Scenario, cell
	case kind == failed:
		if x.done >= deadAfter && x.answered == 0 && !x.said {
			x.said = true
			line = fmt.Sprintf("%s: the first %d all failed: %s", name(q.Target), x.done, x.worst().reason)
		}
		return false
	}
	r.n, r.reason = r.n+1, reason
	if r.dead || r.n < deadAfter {
		return false
	}
	r.dead, r.tested, x.said = true, window, true
	line = fmt.Sprintf("%s: all %d refused: %s; %s", what, r.n, reason, map[plan.DeadTarget]string{
		plan.Pause: "paused, but for one request a window", plan.Stop: "the run ends", plan.Continue: "asked all the same"}[h.policy])
	return h.policy == plan.Stop
}

// worst is the most frequent failure of a target.
func (x *vitals) worst() failure {
	return slices.MaxFunc(x.failures, func(a, b failure) int { return cmp.Compare(a.n, b.n) })
}

// trouble is the most frequent failure of the run: whose, and why.
func (h *health) trouble() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	best, text := 0, ""
	for _, x := range h.targets {
		if len(x.failures) == 0 {
			continue
		}
		if f := x.worst(); f.n > best {
			best, text = f.n, name(x.t)+": "+f.reason
		}
	}
	return text
}

// Silent is a target that was asked and never answered.
type Silent struct {
	Target  string
	Failed  int
	Skipped int
	Reason  string // the most frequent one
}

func (h *health) silent() (out []Silent) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.targets {
		if x.done == 0 || x.answered > 0 || len(x.failures) == 0 {
			continue
		}
		out = append(out, Silent{name(x.t), x.done, x.left(), x.worst().reason})
	}
	return out
}

// left is how many of a target's requests were left out.
func (x *vitals) left() (n int) {
	for _, k := range x.skipped {
		n += k
	}
	return n
}

// skippedAll is how many requests were left out so far.
func (h *health) skippedAll() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.targets {
		n += x.left()
	}
	return n
}

// record is what the run's record says of requests that were left out.
func (h *health) record() (out []schema.Skipped) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, x := range h.targets {
		for s, n := range x.skipped {
			out = append(out, schema.Skipped{Provider: x.t.Provider, Model: x.t.Model, Scenario: s.scenario, Reason: s.reason, Requests: int64(n)})
		}
	}
	slices.SortFunc(out, func(a, b schema.Skipped) int {
		return cmp.Or(cmp.Compare(a.Provider, b.Provider), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Scenario, b.Scenario), cmp.Compare(a.Reason, b.Reason))
	})
	return out
}

func name(t *plan.Target) string { return t.Provider + " · " + t.Model }

// kind of an outcome.
type kind uint8

const (
	answered    kind = iota
	failed           // may pass by itself: a measurement
	refused          // the key, the account, the model or the host is wrong
	refusedCell      // what this scenario asks is refused
)

// outcome puts what became of a request into a few words.
func outcome(row *schema.Request, text string) (reason string, k kind) {
	if row.HTTPStatus == nil {
		reason = *row.EndReason
		if row.ErrorText != nil {
			reason = *row.ErrorText
		}
		if *row.EndReason == "dns" && strings.Contains(reason, "no such host") {
			return reason, refused
		}
		return reason, failed
	}
	status := int(*row.HTTPStatus)
	if status < 300 {
		if *row.EndReason == "eof" {
			return "", answered
		}
		return *row.EndReason, failed
	}
	reason = fmt.Sprint(status)
	if text = shortened(text); text != "" {
		reason += fmt.Sprintf(" %q", text)
	} else if text := http.StatusText(status); text != "" {
		reason += " " + strings.ToLower(text)
	}
	switch status {
	case http.StatusRequestTimeout, http.StatusConflict, http.StatusTooEarly, http.StatusTooManyRequests:
		return reason, failed
	case http.StatusUnauthorized, http.StatusPaymentRequired, http.StatusForbidden, http.StatusNotFound, http.StatusMethodNotAllowed, http.StatusGone:
		return reason, refused
	}
	switch {
	case status >= 500:
		return reason, failed
	case status >= 400:
		return reason, refusedCell
	}
	return reason, refused // a redirect, which is never followed
}

// saidLength is what fits a line beside a name.
const saidLength = 80

// shortened makes an error's text fit.
func shortened(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if r := []rune(text); len(r) > saidLength {
		text = strings.TrimSpace(string(r[:saidLength])) + "…"
	}
	return text
}
