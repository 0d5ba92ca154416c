package build

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/kit/nearest"
)

func init() {
	addStep(&Step{
		Name: "_period_unit", Key: []string{"unit"}, Version: 1,
		Columns: "unit VARCHAR",
		Salt:    func(in *inputs) (string, error) { return in.opts.period() },
		Run: func(_ context.Context, s *StepRun) error {
			unit, err := s.in.opts.period()
			if err != nil {
				return err
			}
			return s.Append(unit)
		},
	})
}

func (o *Options) period() (string, error) {
	switch {
	case o.Period == "":
		return Periods[0], nil
	case slices.Contains(Periods, o.Period):
		return o.Period, nil
	}
	err := fmt.Errorf("period %q: want one of %s", o.Period, strings.Join(Periods, ", "))
	if near := nearest.Likely(o.Period, Periods); near != "" {
		err = fmt.Errorf("%w; did you mean %s?", err, near)
	}
	return "", &OptionError{err}
}
