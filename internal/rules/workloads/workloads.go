// Package workloads reads the file that says which metrics decide whether a
// target fits a workload, and which limits they must keep. What the metrics are
// is not known here: analysis checks the names against its registry.
package workloads

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"

	"aircheck/internal/kit/yamlx"
)

// Default is the file that is used where no other is named.
//
//go:embed workloads.yaml
var Default []byte

// DefaultName is what faults call it.
const DefaultName = "workloads.yaml (embedded)"

// Workload is one kind of use.
type Workload struct {
	Name  string `yaml:"name"`
	Title string `yaml:"title"`
	// Scenarios belong to the workload, whatever workload the plan declares.
	Scenarios []string `yaml:"scenarios"`
	// Decides are the metrics that decide, each with its limit. No two are
	// ever weighed against each other.
	Decides []Limit `yaml:"decides"`
	// Each is what every single request must keep to be good.
	Each []Limit `yaml:"each"`

	At yamlx.Pos `yaml:"-"`
}

// Limit is one metric and the limit that it must keep, in the metric's unit.
// At most one of AtMost and AtLeast is set; a limit with neither is shown and
// not judged.
type Limit struct {
	Metric    string   `yaml:"metric"`
	Statistic string   `yaml:"statistic"` // one of Statistics, or ""
	AtMost    *float64 `yaml:"at_most"`
	AtLeast   *float64 `yaml:"at_least"`
	Why       string   `yaml:"why"`

	At yamlx.Pos `yaml:"-"`
}

// Statistics are the names that a limit's statistic may have. The low ones are
// the slow end of a speed.
var Statistics = []string{"p5", "p10", "p50", "p90", "p95", "p99"}

// Parse reads a file, whose name faults bear. Every fault is named with its
// line and column.
func Parse(data []byte, name string) ([]Workload, error) {
	var f struct {
		At        yamlx.Pos  `yaml:"-"`
		Workloads []Workload `yaml:"workloads"`
	}
	if err := yamlx.Decode(data, name, &f); err != nil {
		return nil, err
	}
	if len(f.Workloads) == 0 {
		return nil, f.At.Errorf("no workloads: want a list under workloads")
	}
	var faults yamlx.Errors
	fail := func(at yamlx.Pos, format string, args ...any) { faults = append(faults, at.Errorf(format, args...)) }
	names, of := map[string]bool{}, map[string]string{}
	for i := range f.Workloads {
		w := &f.Workloads[i]
		switch {
		case strings.TrimSpace(w.Name) == "":
			fail(w.At, "a workload needs a name")
		case names[w.Name]:
			fail(w.At, "workload %q is listed twice", w.Name)
		case len(w.Decides) == 0:
			fail(w.At, "workload %q: nothing decides: want a list of metrics under decides", w.Name)
		}
		names[w.Name] = true
		for _, s := range w.Scenarios {
			if other, ok := of[s]; ok {
				fail(w.At, "scenario %q belongs to %s already", s, other)
			}
			of[s] = w.Name
		}
		seen := map[string]bool{}
		for _, l := range w.Decides {
			if msg := l.check(true); msg != "" {
				fail(l.At, "%s", msg)
			} else if key := l.Metric + " " + l.Statistic; seen[key] {
				fail(l.At, "%s decides twice", strings.TrimSpace(key))
			} else {
				seen[key] = true
			}
		}
		for _, l := range w.Each {
			if msg := l.check(false); msg != "" {
				fail(l.At, "%s", msg)
			}
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return f.Workloads, nil
}

// check gives what is wrong with a limit by itself; "" if nothing.
func (l *Limit) check(decides bool) string {
	switch {
	case l.Metric == "":
		return "a limit needs a metric"
	case l.Statistic != "" && !slices.Contains(Statistics, l.Statistic):
		return fmt.Sprintf("statistic %q: want one of %s", l.Statistic, strings.Join(Statistics, ", "))
	case l.AtMost != nil && l.AtLeast != nil:
		return "at_most and at_least exclude each other: a metric is better on one side"
	case !finite(l.AtMost) || !finite(l.AtLeast):
		return "a limit is a finite number"
	case !decides && l.Statistic != "":
		return "each is about single requests: it takes no statistic"
	case !decides && l.AtMost == nil && l.AtLeast == nil:
		return "each needs a limit: at_most or at_least"
	}
	return ""
}

func finite(v *float64) bool {
	return v == nil || !math.IsNaN(*v) && !math.IsInf(*v, 0)
}
