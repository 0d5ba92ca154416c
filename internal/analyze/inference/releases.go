package inference

import (
	"context"

	"aircheck/internal/rules/names"
)

var releasesStep = &Step{
	Name: "_releases", Version: 1, Key: []string{"model"},
	Columns: "model VARCHAR, released VARCHAR",
	Run: func(_ context.Context, s *Call) error {
		all := names.Releases()
		for _, model := range sortedKeys(all) {
			if err := s.Append(model, all[model]); err != nil {
				return err
			}
		}
		return nil
	},
}
