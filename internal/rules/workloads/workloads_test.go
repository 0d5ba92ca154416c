package workloads

import (
	"strings"
	"testing"
)

func TestDefault(t *testing.T) {
	list, err := Parse(Default, DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, w := range list {
		names = append(names, w.Name)
	}
	if got := strings.Join(names, " "); got != "chat batch rag agent reasoning bursty" {
		t.Errorf("workloads %s", got)
	}
	chat := list[0]
	if l := chat.Decides[1]; l.Metric != "ttft_net_ms" || l.Statistic != "p95" || *l.AtMost != 3000 || l.AtLeast != nil || l.At.Line == 0 {
		t.Errorf("read %+v", l)
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct{ file, want string }{
		{"workloads: []", "no workloads"},
		{"workloads: [{name: a}]", `f.yaml:1:13: workload "a": nothing decides`},
		{"workloads: [{decides: [{metric: m}]}]", "a workload needs a name"},
		{"workloads: [{name: a, decides: [{metric: m}]}, {name: a, decides: [{metric: m}]}]", `workload "a" is listed twice`},
		{"workloads: [{name: a, scenarios: [s], decides: [{metric: m}]}, {name: b, scenarios: [s], decides: [{metric: m}]}]", `scenario "s" belongs to a already`},
		{"workloads: [{name: a, decides: [{at_most: 1}]}]", "a limit needs a metric"},
		{"workloads: [{name: a, decides: [{metric: m, statistic: p42}]}]", `statistic "p42": want one of p5, p10, p50, p90, p95, p99`},
		{"workloads: [{name: a, decides: [{metric: m, at_most: 1, at_least: 1}]}]", "exclude each other"},
		{"workloads: [{name: a, decides: [{metric: m, at_most: .inf}]}]", "finite"},
		{"workloads: [{name: a, decides: [{metric: m}, {metric: m}]}]", "m decides twice"},
		{"workloads: [{name: a, decides: [{metric: m}], each: [{metric: m, statistic: p50, at_most: 1}]}]", "takes no statistic"},
		{"workloads: [{name: a, decides: [{metric: m}], each: [{metric: m}]}]", "each needs a limit"},
		{"workloads: [{name: a, decides: [{metric: m, atmost: 1}]}]", "at_most"},
	} {
		_, err := Parse([]byte(c.file), "f.yaml")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.file, err, c.want)
		}
	}
}
