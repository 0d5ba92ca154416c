package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"time"

	"aircheck/internal/kit/version"
	"aircheck/internal/record/capture"
	"aircheck/internal/record/content"
	"aircheck/internal/record/journal"
	"aircheck/internal/record/plan"
	"aircheck/schema"
)

const (
	originRecorded  = "recorded"
	originSimulated = "simulated"

	// simulatedHeader is set by simulated providers, so that no one takes what
	// they say for a measurement.
	simulatedHeader = `"X-Aircheck-Simulated"`
)

var userAgent = "aircheck/" + version.String()

// exchange sends one request; its row and its frames go to the journal.
func (r *Recorder) exchange(hard context.Context, b *plan.Block, q *plan.Request, h *capture.Request, row *schema.Request, keeper *content.Keeper) {
	s := &sink{journal: r.journal, row: row, reader: newReader(row), keeper: keeper}
	s.keep = func(f *journal.Frame) { r.journal.Frame(row.RequestID, f) }
	r.clients[q.Target].Do(hard, h, q.Fresh, row, s)
	usage, text := s.reader.close()
	if !r.content.Whole() {
		text = "" // it may quote the prompt, and is kept with what was left out
	}
	usage, doubt := believe(q, usage)
	if b := r.budget.book(q, row, usage); b != "" && doubt == "" {
		doubt = b
	}
	r.doubt(q, row, doubt)
	r.end(q, row)
	if *row.EndReason != "cancelled" && r.health.heard(q, b.Window, row, text) {
		r.mu.Lock()
		r.halted = true
		r.mu.Unlock()
		r.halt()
	}
	keeper.End()
	r.journal.End(row)
	if r.journal.Err() == nil {
		r.count(row)
	}
}

// sink keeps what a request brings.
type sink struct {
	journal *journal.Journal
	row     *schema.Request
	reader  *reader
	keeper  *content.Keeper
	keep    func(*journal.Frame)
}

func (s *sink) Head(*http.Response) {
	s.journal.Row(s.row)
	s.reader.head()
	s.keeper.Head()
}

func (s *sink) Frame(f *journal.Frame) {
	s.reader.frame(f)
	s.keeper.Frame(f, s.keep) // may change its bytes
}

// start counts a request in, and says what is kept of it. Ids rise in the order
// of sending.
func (r *Recorder) start(q *plan.Request, row *schema.Request) *content.Keeper {
	keeper := r.content.Begin(row)
	r.mu.Lock()
	defer r.mu.Unlock()
	row.RequestID = r.ids.Next(time.Now())
	row.OrderIndex = r.order
	r.order++
	row.InFlight = new(r.inFlight)
	r.inFlight++
	l := r.lanes[lane{q.Target.Provider, q.Target.Model}]
	switch {
	case l.open > 0:
		row.IdleBeforeMs = new(int64(0))
	case l.ended > 0:
		row.IdleBeforeMs = new((r.clock.Now() - l.ended) / int64(time.Millisecond))
	}
	l.open++
	row.StartedAtNs = new(r.clock.Wall(r.clock.Now())) // until it starts
	r.journal.Begin(row)
	return keeper
}

// end lets others know that it is over.
func (r *Recorder) end(q *plan.Request, row *schema.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.inFlight--
	l := r.lanes[lane{q.Target.Provider, q.Target.Model}]
	l.open--
	l.ended = r.clock.Now()
	// A simulated host stays one when it answers nothing at all.
	host := *row.Host
	if row.ResponseHeaders != nil && strings.Contains(*row.ResponseHeaders, simulatedHeader) {
		r.simulated[host] = true
	}
	if r.simulated[host] {
		row.Origin = originSimulated
	}
}

// doubt notes the first answer of a target that claims what cannot be.
func (r *Recorder) doubt(q *plan.Request, row *schema.Request, what string) {
	r.mu.Lock()
	said := what == "" || r.doubted[q.Target]
	r.doubted[q.Target] = r.doubted[q.Target] || what != ""
	r.mu.Unlock()
	if !said {
		r.note(fmt.Sprintf("%s: request %d reports %s, which cannot be: it counts as what it may cost at most", name(q.Target), row.RequestID, what))
	}
}

// count adds a request that was kept to the run's sums. Those that were not, or
// that were cut off because nothing could be kept, are no one's failures.
func (r *Recorder) count(row *schema.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.status.Done++
	if row.HTTPStatus != nil {
		r.responses++
	} else if row.ErrorText != nil {
		r.errors[*row.ErrorText]++
	}
	if *row.EndReason != "eof" || *row.HTTPStatus >= 400 {
		r.status.Errors++
	}
}

// Row is what is known of a request before it is sent.
func Row(p *plan.Plan, b *plan.Block, q *plan.Request, body []byte) *schema.Request {
	t := q.Target
	row := &schema.Request{
		Campaign: &p.Name, Attempt: 1,
		Provider: t.Provider, Model: t.Model, ModelID: &t.ModelID, API: new(string(t.API)),
		Region: known(t.Region), Vantage: known(p.Vantage), Scenario: &q.Scenario, Workload: known(q.Workload),
		Phase: q.Phase, Window: new(p.WindowName(b.Window)), Trial: new(int32(q.Trial)),
		Probe: known(q.Probe), ProbeArm: known(q.Arm),
		Precision: t.Meta.Precision, Architecture: t.Meta.Architecture, Reasoning: t.Meta.Reasoning,
		ServiceTier: t.Meta.ServiceTier, Residency: t.Meta.Residency,
		RequestBody: new(string(body)), Params: known(q.ParamsJSON()),
		PromptHash: new(plan.Hash(q.Messages())), PromptIndex: new(int32(q.Prompt.Index)),
		Checks: known(string(q.Prompt.Checks)), Ends: new(string(q.Ends)),
		Streamed: new(q.Streamed()), Origin: originRecorded, Detail: "chunks",
	}
	if q.Concurrency > 0 {
		row.Concurrency = new(int32(q.Concurrency))
	}
	if q.Place >= 0 {
		row.BurstIndex = new(int32(q.Place))
	}
	if q.Size > 0 {
		row.PromptSize = new(int32(q.Size))
	}
	if len(t.Meta.Labels) > 0 {
		labels, _ := json.Marshal(t.Meta.Labels) // strings always encode
		row.Labels = new(string(labels))
	}
	return row
}

// known is nil for a text that the plan does not state.
func known(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
