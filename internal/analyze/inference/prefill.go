package inference

import (
	"context"
	"database/sql"
	"slices"

	"aircheck/internal/analyze/stats"
)

var prefillStep = &Step{
	Name: "_prefill", Version: 1,
	Key:   cellKeyColumns,
	Needs: []string{"_sweep"},
	Columns: cellColumns + ", n BIGINT, n_windows BIGINT, lengths INTEGER, shortest BIGINT, longest BIGINT, cached BIGINT, counted VARCHAR, " +
		"slope DOUBLE, slope_lo DOUBLE, slope_hi DOUBLE, overhead DOUBLE, overhead_lo DOUBLE, overhead_hi DOUBLE, evidence VARCHAR",
	Run: prefillRows,
}

// reading is one request of a sweep.
type reading struct {
	cellKey
	Window    string
	Planned   int64
	Reported  sql.NullInt64
	Cached    bool
	FirstToMs float64
}

func prefillRows(ctx context.Context, s *Call) error {
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT `+cellNames+`, window_key, planned, reported, cached, ttft_net_ms
		FROM _sweep
		ORDER BY `+cellOrder+`, window_key, planned, ttft_net_ms`)
	if err != nil {
		return err
	}
	defer rows.Close()
	var all []reading
	for rows.Next() {
		var r reading
		if err := rows.Scan(append(r.Into(), &r.Window, &r.Planned, &r.Reported, &r.Cached, &r.FirstToMs)...); err != nil {
			return err
		}
		all = append(all, r)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	for _, sweep := range Chunked(all, func(r *reading) cellKey { return r.cellKey }) {
		if err := s.Append(prefillOf(sweep)...); err != nil {
			return err
		}
	}
	return nil
}

// prefillOf takes time to first token apart into what grows with the input, a
// slope, and what does not: queue, network, the first step of decoding. A ratio
// of the two would take the queue for reading.
//
// Requests of one window share its queue, so each window has a slope of its own
// (Theil–Sen), and the windows are the units: Hodges–Lehmann over their slopes
// from six on. Fewer windows are taken together, each less its own median.
func prefillOf(sweep []reading) []any {
	counted := "usage"
	var planned []int64
	cached := 0
	for _, r := range sweep {
		if !r.Reported.Valid {
			counted = "planned" // one rule for all, or lengths of two tokenizers mix
		}
		if r.Cached {
			cached++
		}
		planned = append(planned, r.Planned)
	}
	slices.Sort(planned)
	planned = slices.Compact(planned)

	windows := Chunked(sweep, func(r *reading) string { return r.Window })
	var slopes []float64
	var pooled, all []stats.Point
	perWindow := make([][]stats.Point, len(windows))
	for i, w := range windows {
		points := pointsOf(w, counted)
		perWindow[i] = points
		all = append(all, points...)
		if e := stats.TheilSen(points, 0.95); e.Value != nil {
			slopes = append(slopes, *e.Value)
			pooled = append(pooled, lessMedian(points)...)
		}
	}
	var slope stats.Estimate
	evidence := stats.EvidenceNone
	switch {
	case len(slopes) >= 6:
		slope, evidence = stats.HodgesLehmann(slopes, 0.95), stats.EvidenceWindows
	case len(slopes) > 0:
		slope, evidence = stats.TheilSen(thinned(pooled), 0.95), stats.EvidenceWithin
	}
	var overhead stats.Estimate
	if slope.Value != nil {
		var rests []float64
		if evidence == stats.EvidenceWindows {
			for _, points := range perWindow {
				rests = append(rests, medianOf(restsOf(points, *slope.Value)))
			}
		} else {
			rests = restsOf(all, *slope.Value)
		}
		slices.Sort(rests)
		overhead = stats.QuantileInterval(rests, 0.5, 0.95)
	}
	shortest, longest := all[0].X, all[0].X
	for _, p := range all {
		shortest, longest = min(shortest, p.X), max(longest, p.X)
	}
	return append(sweep[0].values(), int64(len(sweep)), int64(len(windows)), int32(len(planned)), int64(shortest), int64(longest), int64(cached), counted,
		number(slope.Value), number(slope.Lo), number(slope.Hi), number(overhead.Value), number(overhead.Lo), number(overhead.Hi), string(evidence))
}

// pointsOf are time to first token, ms, over input tokens.
func pointsOf(w []reading, counted string) []stats.Point {
	var points []stats.Point
	for _, r := range w {
		x := r.Planned
		if counted == "usage" {
			x = r.Reported.Int64
		}
		points = append(points, stats.Point{X: float64(x), Y: r.FirstToMs})
	}
	return thinned(points)
}

// mostPoints bounds the pairs of points that a slope is the median of.
const mostPoints = 1500

// thinned keeps so many points, evenly spread over their order.
func thinned(points []stats.Point) []stats.Point {
	n := len(points)
	if n <= mostPoints {
		return points
	}
	out := make([]stats.Point, 0, mostPoints)
	for i := range mostPoints {
		out = append(out, points[i*n/mostPoints])
	}
	return out
}

// lessMedian takes from each value the median of all.
func lessMedian(points []stats.Point) []stats.Point {
	level := medianOf(restsOf(points, 0))
	out := slices.Clone(points)
	for i := range out {
		out[i].Y -= level
	}
	return out
}

// restsOf is what a slope leaves of each value.
func restsOf(points []stats.Point, slope float64) []float64 {
	var out []float64
	for _, p := range points {
		out = append(out, p.Y-float64(slope*p.X))
	}
	return out
}

func medianOf(x []float64) float64 {
	x = slices.Clone(x)
	slices.Sort(x)
	v, _ := stats.Quantile(x, 0.5)
	return v
}
