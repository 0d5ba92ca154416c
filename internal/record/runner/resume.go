package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/plan"
	"aircheck/schema"
)

// resumed is a run that is to go on.
type resumed struct {
	run   *schema.Run
	order int32       // the next request's place
	done  map[ask]int // what it has already
}

// ask is one request of a plan, as its row has it. Requests that are alike in all
// of this are counted.
type ask struct {
	provider, model, modelID, params, scenario, phase, window, probe, arm string
	concurrency, trial, place, size                                       int32
}

// resume reads what an interrupted run has. Requests that were cut off are asked
// again: their rows say so, and count against nobody.
func resume(p *plan.Plan, dir, runID string) (*resumed, error) {
	run, err := schema.ReadRun(dir, runID)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, cli.Hint(cli.Usagef("%s has no sealed run %s", dir, runID), "its runs are named in %s/runs", dir)
	case err != nil:
		return nil, err
	case run.State == schema.StateOpen:
		return nil, cli.Usagef("run %s is being recorded", runID)
	case run.PlanSHA256 != p.Hash() && run.Content != "":
		return nil, cli.Hint(cli.Usagef("run %s was made with another plan", runID), "name the plan's own file: the run's record has none of its texts")
	case run.PlanSHA256 != p.Hash():
		return nil, cli.Hint(cli.Usagef("run %s was made with another plan", runID), "leave the plan out: the run's record has it")
	case !run.Interrupted:
		return nil, cli.Usagef("run %s is complete: nothing is missing", runID)
	}
	r := &resumed{run: run, done: map[ask]int{}}
	d := &schema.Dataset{Dir: dir}
	return r, d.EachRequest(run, func(q *schema.Request) error {
		r.order = max(r.order, q.OrderIndex+1)
		if text(q.EndReason) != "cancelled" {
			r.done[askOf(q)]++
		}
		return nil
	}, "request_id", "order_index", "end_reason", "provider", "model", "model_id", "params", "scenario", "phase", "window", "probe", "probe_arm",
		"concurrency", "trial", "burst_index", "prompt_tokens_planned")
}

// sameHashes refuses to go on with a run whose hashes those of new answers could
// not be compared with. source is the plan's text as it would be kept now.
func sameHashes(run *schema.Run, p *plan.Plan, source string) error {
	switch {
	case run.Content != string(plan.ContentHash):
		return nil
	case p.HashKeyEnv == "":
		return cli.Hint(cli.Usagef("run %s has hashes under a key that was drawn for it and is forgotten: new ones could not be compared with them", run.RunID),
			"begin a new run; with hash_key_env in the plan, that one can be resumed")
	case run.Plan != source:
		return cli.Usagef("the key in %s is not the one that run %s was hashed with", p.HashKeyEnv, run.RunID)
	}
	return nil
}

func askOf(q *schema.Request) ask {
	n := func(p *int32) int32 {
		if p == nil {
			return -1
		}
		return *p
	}
	return ask{q.Provider, q.Model, text(q.ModelID), text(q.Params), text(q.Scenario), q.Phase, text(q.Window), text(q.Probe), text(q.ProbeArm),
		n(q.Concurrency), n(q.Trial), n(q.BurstIndex), n(q.PromptSize)}
}

// askFor is askOf the row that the request will have.
func askFor(p *plan.Plan, b *plan.Block, q *plan.Request) ask {
	n := func(v int, there bool) int32 {
		if !there {
			return -1
		}
		return int32(v)
	}
	t := q.Target
	return ask{t.Provider, t.Model, t.ModelID, q.ParamsJSON(), q.Scenario, q.Phase, p.WindowName(b.Window), q.Probe, q.Arm,
		n(q.Concurrency, q.Concurrency > 0), int32(q.Trial), n(q.Place, q.Place >= 0), n(q.Size, q.Size > 0)}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// missing leaves what the run does not have. A burst or a cold start that was cut
// short is left as it is: its rest alone would be another thing.
func (r *resumed) missing(p *plan.Plan, blocks []plan.Block) []plan.Block {
	var out []plan.Block
	for i := range blocks {
		b := blocks[i]
		all := len(b.Requests)
		b.Requests = slices.DeleteFunc(slices.Clone(b.Requests), func(q plan.Request) bool {
			a := askFor(p, &b, &q)
			if r.done[a] == 0 {
				return false
			}
			r.done[a]--
			return true
		})
		if n := len(b.Requests); n == 0 || n < all && b.Requests[0].Place >= 0 {
			continue
		}
		out = append(out, b)
	}
	return out
}

// note says that the run was not made in one go.
func (r *resumed) note() string {
	return fmt.Sprintf("resumed at %s, after it had ended early", time.Now().UTC().Format(time.DateTime+" UTC"))
}
