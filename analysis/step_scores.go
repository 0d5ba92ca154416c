package analysis

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
)

func init() {
	addStep(&Step{
		Name: "_scores", Columns: "request_id BIGINT, score DOUBLE, threshold DOUBLE", Key: []string{"request_id"}, Version: 1,
		Needs: []string{"_requests"},
		Salt:  func(in *inputs) (string, error) { b, err := optionFile(in.opts.Scores); return string(b), err },
		Run:   scoreRows,
	})
}

// defaultThreshold is what a score must reach where the file states no threshold.
const defaultThreshold = 0.5

// scoreRows reads a CSV file with the columns request_id or caller_request_id,
// score, and, if wanted, threshold.
func scoreRows(ctx context.Context, s *StepRun) error {
	path := s.in.opts.Scores
	data, err := optionFile(path)
	if err != nil || data == nil {
		return err
	}
	r := csv.NewReader(bytes.NewReader(data))
	rows, err := r.ReadAll()
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return fmt.Errorf("%s: empty: want a header with request_id and score", path)
	}
	col := func(name string) int { return slices.Index(rows[0], name) }
	id, caller, score, threshold := col("request_id"), col("caller_request_id"), col("score"), col("threshold")
	if score < 0 || id < 0 && caller < 0 {
		return fmt.Errorf("%s: header %v: want request_id or caller_request_id, and score", path, rows[0])
	}
	var callers map[string]int64
	if id < 0 {
		if callers, err = callerIDs(ctx, s); err != nil {
			return err
		}
	}
	seen := map[int64]bool{}
	for i, row := range rows[1:] {
		place := fmt.Sprintf("%s:%d", path, i+2)
		var request int64
		if id >= 0 {
			if request, err = strconv.ParseInt(row[id], 10, 64); err != nil {
				return fmt.Errorf("%s: request_id %q is no number", place, row[id])
			}
		} else if request = callers[row[caller]]; request == 0 {
			continue // a score for a request that this dataset does not have
		}
		if row[score] == "" {
			continue
		}
		value, err := strconv.ParseFloat(row[score], 64)
		if err != nil {
			return fmt.Errorf("%s: score %q is no number", place, row[score])
		}
		limit := defaultThreshold
		if threshold >= 0 && row[threshold] != "" {
			if limit, err = strconv.ParseFloat(row[threshold], 64); err != nil {
				return fmt.Errorf("%s: threshold %q is no number", place, row[threshold])
			}
		}
		if seen[request] {
			return fmt.Errorf("%s: a second score for request %d", place, request)
		}
		seen[request] = true
		if err := s.Append(request, value, limit); err != nil {
			return err
		}
	}
	return nil
}

func callerIDs(ctx context.Context, s *StepRun) (map[string]int64, error) {
	rows, err := s.Conn.QueryContext(ctx, "SELECT caller_request_id, max(request_id) FROM _requests WHERE caller_request_id IS NOT NULL GROUP BY 1")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := map[string]int64{}
	for rows.Next() {
		var name string
		var id int64
		if err := rows.Scan(&name, &id); err != nil {
			return nil, err
		}
		out[name] = id
	}
	return out, rows.Err()
}
