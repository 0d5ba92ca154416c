package prices

import (
	"strings"
	"testing"
	"time"
)

// Two prices of one model are told apart by their source, hours included.
func TestSourceNamesDateHoursAndTier(t *testing.T) {
	table, err := Load(strings.NewReader(`
- id: p
  models:
    - id: m
      prices:
        - prices: {input_mtok: 1, output_mtok: 1}
        - constraint: {start_date: 2026-01-01, start_time: "16:30:00Z", end_time: "00:30:05Z"}
          prices: {input_mtok: 2, output_mtok: 2}
        - constraint: {service_tier: priority}
          prices: {input_mtok: 3, output_mtok: 3}
`), "x")
	if err != nil {
		t.Fatal(err)
	}
	day := time.Date(2026, 2, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		at   time.Duration
		tier string
		want string
	}{
		{12 * time.Hour, "", "p/m"},
		{17 * time.Hour, "", "p/m from 2026-01-01 16:30–00:30:05 UTC"},
		{12 * time.Hour, "priority", "p/m priority"},
	} {
		q, ok := table.Price(Query{Provider: "p", Model: "m", ServiceTier: c.tier, At: day.Add(c.at), Usage: Usage{Input: new(int64(1)), Output: new(int64(1))}})
		if !ok || q.Source != c.want {
			t.Errorf("%v, tier %q: got %q, %v; want %q", c.at, c.tier, q.Source, ok, c.want)
		}
	}
}
