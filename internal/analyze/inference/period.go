package inference

import "context"

var periodUnitStep = &Step{
	Name: "_period_unit", Key: []string{"unit"}, Version: 1,
	Columns: "unit VARCHAR",
	Salt:    func(in *Input) (string, error) { return in.Options.PeriodUnit() },
	Run: func(_ context.Context, s *Call) error {
		unit, err := s.In.Options.PeriodUnit()
		if err != nil {
			return err
		}
		return s.Append(unit)
	},
}
