package inference

import (
	"context"
	"strconv"

	"aircheck/internal/analyze/stats"
)

var windowDrawsStep = &Step{
	Name: "_window_draws", Key: []string{"replicate", "window_key"}, Version: 1,
	Needs:   []string{"results"},
	Columns: "replicate INTEGER, window_key VARCHAR, draws INTEGER, tail DOUBLE",
	Run:     drawRows,
}

// drawRows gives what SQL needs to bootstrap: replicate 0 holds every window
// once, and so gives the estimate; the others hold windows as often as chance
// drew them. A statistic that a view computes by replicate thus has its
// interval from the very definition of the statistic. tail is the share of
// replicates beyond each end.
func drawRows(ctx context.Context, s *Call) error {
	rows, err := s.Conn.QueryContext(ctx, "SELECT DISTINCT window_key FROM results WHERE measured AND window_key IS NOT NULL ORDER BY 1")
	if err != nil {
		return err
	}
	defer rows.Close()
	var windows []string
	for rows.Next() {
		var w string
		if err := rows.Scan(&w); err != nil {
			return err
		}
		windows = append(windows, w)
	}
	if err := rows.Err(); err != nil {
		return err
	}
	var tail any
	if t, ok := stats.ExpandedTail(len(windows), 0.95); ok {
		tail = t
	}
	for _, w := range windows {
		if err := s.Append(int32(0), w, int32(1), tail); err != nil {
			return err
		}
	}
	if len(windows) < stats.EnoughWindows {
		return nil
	}
	// Many windows take fewer replicates: 400 at least, two million rows at most.
	for r := range max(400, min(999, 2_000_000/len(windows))) {
		for i, n := range stats.Draw(len(windows), stats.Seed("windows", strconv.Itoa(r))) {
			if n == 0 {
				continue
			}
			if err := s.Append(int32(r+1), windows[i], n, tail); err != nil {
				return err
			}
		}
	}
	return nil
}
