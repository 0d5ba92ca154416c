package inference

import (
	"context"
	"encoding/json"
	"strings"
)

var runsStep = &Step{
	Name: "_runs", Key: []string{"run_id"}, Version: 2,
	Columns: "run_id VARCHAR, name VARCHAR, campaign VARCHAR, origin VARCHAR, tool VARCHAR, host VARCHAR, started_at_ns BIGINT, ended_at_ns BIGINT, " +
		"interrupted BOOLEAN, requests BIGINT, chunks BIGINT, plan VARCHAR, plan_sha256 VARCHAR, primary_metric VARCHAR, " +
		"schema_version INTEGER, clock VARCHAR, sources VARCHAR, notes VARCHAR, skipped VARCHAR",
	Salt: func(in *Input) (string, error) {
		records, err := json.Marshal(in.records())
		return string(records), err
	},
	Run: runRows,
}

func (in *Input) records() []any {
	var out []any
	for _, r := range in.Runs {
		out = append(out, r)
	}
	return out
}

func runRows(_ context.Context, s *Call) error {
	for _, r := range s.In.Runs {
		err := s.Append(r.RunID, r.Name, orNull(r.Campaign), r.Origin, r.Tool, r.Host, r.StartedAtNs, r.EndedAtNs,
			r.Interrupted, r.Requests, r.Chunks, orNull(r.Plan), orNull(r.PlanSHA256), orNull(r.PrimaryMetric),
			int32(r.SchemaVersion), jsonOrNull(r.Clock, len(r.Clock)), jsonOrNull(r.Sources, len(r.Sources)), orNull(strings.Join(r.Notes, "\n")),
			jsonOrNull(r.Skipped, len(r.Skipped)))
		if err != nil {
			return err
		}
	}
	return nil
}

// orNull is NULL for what a run record leaves out.
func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func jsonOrNull(v any, n int) any {
	if n == 0 {
		return nil
	}
	text, err := json.Marshal(v)
	if err != nil {
		return nil
	}
	return string(text)
}
