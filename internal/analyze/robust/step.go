package robust

import (
	"context"
	"slices"
	"strings"

	"aircheck/internal/analyze/inference"
)

// Step stores the headlines with how they fare, for the view robust.
var Step = &inference.Step{
	Name: "_robust", Version: 1, Key: []string{"place"},
	Needs:   Views,
	Columns: "place INTEGER, kind VARCHAR, metric VARCHAR, headline VARCHAR, holds INTEGER, choices INTEGER, falls VARCHAR",
	Run: func(ctx context.Context, s *inference.Call) error {
		r, err := Run(ctx, s.Conn, s.In.Options.Threads())
		if err != nil {
			return err
		}
		for i, h := range r.Headlines {
			var falls any
			if len(h.Falls) > 0 {
				falls = strings.Join(slices.Compact(h.Falls), "; ")
			}
			if err := s.Append(int32(i+1), h.Kind, h.metric, h.Text, int32(h.Holds), int32(h.Choices), falls); err != nil {
				return err
			}
		}
		return nil
	},
}
