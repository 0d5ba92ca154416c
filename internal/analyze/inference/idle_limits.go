package inference

import (
	"context"
	"time"

	"go.yaml.in/yaml/v3"
)

// The runs of _requests are those of the records, which makes a salt of their
// plans needless: it would name the rows of every run again with each new run.
var idleLimitsStep = &Step{
	Name: "_idle_limits", Key: []string{"run_id"}, Version: 1,
	Needs:   []string{"_requests"},
	Columns: "run_id VARCHAR, idle_ns BIGINT",
	Run: func(_ context.Context, s *Call) error {
		for _, r := range s.In.Runs {
			limit := idleLimit(r.Plan)
			if limit <= 0 {
				continue
			}
			if err := s.Append(r.RunID, limit.Nanoseconds()); err != nil {
				return err
			}
		}
		return nil
	},
}

// idleLimit is the idle time-out that a plan states, 0 where it states none: the
// text may be the mapping of an import.
func idleLimit(plan string) time.Duration {
	var p struct {
		Timeouts struct {
			Idle time.Duration `yaml:"idle"`
		} `yaml:"timeouts"`
	}
	if yaml.Unmarshal([]byte(plan), &p) != nil {
		return 0
	}
	return p.Timeouts.Idle
}
