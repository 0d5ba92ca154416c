package inference

import (
	"context"
	"strings"

	"aircheck/internal/analyze/settings"
	"aircheck/internal/kit/nearest"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/rules/workloads"
)

func workloadsSalt(in *Input) (string, error) {
	data, _, err := in.workloadsFile()
	if err != nil {
		return "", err
	}
	_, err = in.workloads() // before anything is decoded
	return string(data), err
}

var limitsStep = &Step{
	Name: "_limits", Key: []string{"workload", "kind", "place"}, Version: 1,
	Needs: []string{"fit_metrics"},
	Columns: "workload VARCHAR, title VARCHAR, kind VARCHAR, place INTEGER, metric VARCHAR, statistic VARCHAR, " +
		"at_most DOUBLE, at_least DOUBLE, why VARCHAR",
	Salt: workloadsSalt,
	Run:  limitRows,
}

var scenarioWorkloadsStep = &Step{
	Name: "_scenario_workloads", Key: []string{"scenario"}, Version: 1,
	Columns: "scenario VARCHAR, workload VARCHAR",
	Salt:    workloadsSalt,
	Run: func(_ context.Context, s *Call) error {
		list, err := s.In.workloads()
		if err != nil {
			return err
		}
		for _, w := range list {
			for _, scenario := range w.Scenarios {
				if err := s.Append(scenario, w.Name); err != nil {
					return err
				}
			}
		}
		return nil
	},
}

func (in *Input) workloadsFile() (data []byte, name string, err error) {
	if in.Options.Workloads == "" {
		return workloads.Default, workloads.DefaultName, nil
	}
	data, err = settings.File(in.Options.Workloads)
	return data, in.Options.Workloads, err
}

func (in *Input) workloads() ([]workloads.Workload, error) {
	data, name, err := in.workloadsFile()
	if err != nil {
		return nil, err
	}
	list, err := workloads.Parse(data, name)
	return list, settings.Wrap(err)
}

// fitMetric is a metric that a limit may name.
type fitMetric struct {
	name, better, kind string
	source             *string
}

// limitRows reads the workloads file and holds each limit against the registry.
func limitRows(ctx context.Context, s *Call) error {
	list, err := s.In.workloads()
	if err != nil {
		return err
	}
	known, names, err := fitMetrics(ctx, s)
	if err != nil {
		return err
	}
	var faults yamlx.Errors
	for _, w := range list {
		for _, part := range []struct {
			kind   string
			limits []workloads.Limit
		}{{"decides", w.Decides}, {"each", w.Each}} {
			for i, l := range part.limits {
				m := known[l.Metric]
				if fault := wrong(&l, m, part.kind, names); fault != nil {
					faults = append(faults, fault)
					continue
				}
				statistic := l.Statistic
				if m.kind == "values" && statistic == "" && part.kind == "decides" {
					statistic = "p50"
				}
				if err := s.Append(w.Name, orNull(w.Title), part.kind, int32(i+1), l.Metric, orNull(statistic), number(l.AtMost), number(l.AtLeast), orNull(l.Why)); err != nil {
					return err
				}
			}
		}
	}
	if len(faults) > 0 {
		return faults
	}
	return nil
}

func fitMetrics(ctx context.Context, s *Call) (map[string]*fitMetric, []string, error) {
	rows, err := s.Conn.QueryContext(ctx, "SELECT metric, better, kind, source FROM fit_metrics ORDER BY metric")
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	known := map[string]*fitMetric{}
	var names []string
	for rows.Next() {
		m := &fitMetric{}
		if err := rows.Scan(&m.name, &m.better, &m.kind, &m.source); err != nil {
			return nil, nil, err
		}
		known[m.name] = m
		names = append(names, m.name)
	}
	return known, names, rows.Err()
}

// wrong is what the registry has against a limit; nil if nothing.
func wrong(l *workloads.Limit, m *fitMetric, kind string, names []string) *yamlx.Error {
	switch {
	case m == nil:
		if near := nearest.Likely(l.Metric, names); near != "" {
			return l.At.Errorf("no metric %q; did you mean %s?", l.Metric, near)
		}
		return l.At.Errorf("no metric %q: want one of %s", l.Metric, strings.Join(names, ", "))
	case l.Statistic != "" && m.kind != "values":
		return l.At.Errorf("%s is no value of single requests: it takes no statistic", l.Metric)
	case l.AtMost != nil && m.better == "higher":
		return l.At.Errorf("higher is better for %s: want at_least", l.Metric)
	case l.AtLeast != nil && m.better == "lower":
		return l.At.Errorf("lower is better for %s: want at_most", l.Metric)
	case kind == "each" && m.source == nil:
		return l.At.Errorf("%s is no value of single requests: each needs one that is", l.Metric)
	}
	return nil
}
