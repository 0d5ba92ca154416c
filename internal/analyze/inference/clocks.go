package inference

import (
	"context"
	"database/sql"

	"aircheck/internal/kit/duck"
)

// Timing is which clocks timed the answers of a window: the kernel's time of
// receiving, or the return of the read, which is late by the recorder's lag.
type Timing struct {
	Kernel, Read bool
	LagMs        float64 // of reads behind the kernel (p99 of the answers' largest); 0 where only reads were timed
}

// Clocks are the timings of all windows of a data set.
type Clocks map[clockKey]Timing

type clockKey struct {
	cell   int64
	window string
}

// ClocksOf reads them.
func ClocksOf(ctx context.Context, e duck.Execer) (Clocks, error) {
	rows, err := e.QueryContext(ctx, "SELECT cell_id, window_key, kernel > 0, read > 0, lag_ms FROM _clocks")
	if err != nil {
		return nil, duck.Wrap("_clocks", err)
	}
	defer rows.Close()
	out := Clocks{}
	for rows.Next() {
		var k clockKey
		var t Timing
		var lag sql.NullFloat64
		if err := rows.Scan(&k.cell, &k.window, &t.Kernel, &t.Read, &lag); err != nil {
			return nil, err
		}
		t.LagMs = lag.Float64
		out[k] = t
	}
	return out, rows.Err()
}

// Of is the timing of several windows of one cell.
func (c Clocks) Of(windows []CellWindow) (t Timing) {
	for i := range windows {
		w := c[clockKey{windows[i].CellID, windows[i].ID}]
		t = Timing{t.Kernel || w.Kernel, t.Read || w.Read, max(t.LagMs, w.LagMs)}
	}
	return t
}

// Apart is by how many milliseconds two times may differ because they were not
// timed by the same clock; 0 where they were.
func (t Timing) Apart(other Timing) float64 {
	if t.Kernel && other.Read || t.Read && other.Kernel {
		return max(t.LagMs, other.LagMs)
	}
	return 0
}

// Widened is the metric with a margin that differences must exceed which two clocks
// could make.
func (m *Metric) Widened(lagMs float64) *Metric {
	if lagMs == 0 || m.Unit != "ms" || lagMs <= m.Margin.Abs {
		return m
	}
	w := *m
	w.Margin.Abs = lagMs
	return &w
}
