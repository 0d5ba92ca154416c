package analysis

import "context"

func init() {
	addStep(&Step{
		Name: "_costs", Key: []string{"request_id"}, Version: 1,
		Needs: []string{"_measures"},
		Columns: "request_id BIGINT, cost_nanousd BIGINT, input_nanousd BIGINT, cached_nanousd BIGINT, cache_write_nanousd BIGINT, " +
			"output_nanousd BIGINT, reasoning_nanousd BIGINT, request_nanousd BIGINT, price_source VARCHAR",
		Run: func(context.Context, *StepRun) error { return nil },
	})
	addStep(&Step{
		Name: "_checked", Key: []string{"request_id"}, Version: 1,
		Needs:   []string{"_measures"},
		Columns: "request_id BIGINT, passed INTEGER, failed INTEGER, failures VARCHAR",
		Run:     func(context.Context, *StepRun) error { return nil },
	})
}
