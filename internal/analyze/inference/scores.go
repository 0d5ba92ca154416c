package inference

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"slices"
	"strconv"

	"aircheck/internal/analyze/settings"
	"aircheck/internal/rules/checks"
)

var scoresStep = &Step{
	Name: "_scores", Columns: "request_id BIGINT, score DOUBLE, threshold DOUBLE", Key: []string{"request_id"}, Version: 2,
	Needs: []string{"_requests", "_measures"},
	Salt: func(in *Input) (string, error) {
		scores, err := settings.File(in.Options.Scores)
		if err != nil || scores == nil {
			return "", err
		}
		if _, err := ReadScores(scores, in.Options.Scores); err != nil { // before anything is decoded
			return "", settings.Wrap(err)
		}
		rules, err := settings.File(in.Options.Checks)
		return fmt.Sprintf("%d:%s%s", len(scores), scores, rules), err
	},
	Run: scoreRows,
}

// defaultThreshold is what a score must reach where neither the scores file nor
// a rule says otherwise.
const defaultThreshold = 0.5

// scoreRows reads a CSV file with the columns request_id or caller_request_id,
// score, and, if wanted, threshold. A score for a request that the dataset does
// not have says nothing here, since one file may serve several datasets.
func scoreRows(ctx context.Context, s *Call) error {
	path := s.In.Options.Scores
	data, err := settings.File(path)
	if err != nil || data == nil {
		return err
	}
	f, err := ReadScores(data, path)
	if err != nil {
		return settings.Wrap(err)
	}
	rules, err := s.In.Rules()
	if err != nil {
		return err
	}
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT m.request_id, r.caller_request_id, m.scenario, m.prompt_index, m.prompt_hash
		FROM _measures m JOIN _requests r ON r.request_id = m.request_id
		ORDER BY m.request_id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var caller *string
		var q checks.Request
		if err := rows.Scan(&id, &caller, &q.Scenario, &q.PromptIndex, &q.PromptHash); err != nil {
			return err
		}
		score, ok := f.of(id, caller)
		if !ok {
			continue
		}
		limit := defaultThreshold
		switch rule := rules.For(q); {
		case score.threshold != nil:
			limit = *score.threshold
		case rule != nil && rule.Score != nil:
			limit = *rule.Score
		}
		if err := s.Append(id, score.value, limit); err != nil {
			return err
		}
	}
	return rows.Err()
}

// scoreFile is a file of scores, by one of two keys.
type scoreFile struct {
	ByID     map[int64]score
	ByCaller map[string]score
}

type score struct {
	value     float64
	threshold *float64
}

func (f *scoreFile) of(id int64, caller *string) (s score, ok bool) {
	if f.ByID != nil {
		s, ok = f.ByID[id]
	} else if caller != nil {
		s, ok = f.ByCaller[*caller]
	}
	return s, ok
}

// ReadScores reads the file strictly: every fault is named with its line.
func ReadScores(data []byte, path string) (*scoreFile, error) {
	data = bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")) // Excel's mark of UTF-8
	rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("%s: empty: want a header with request_id and score", path)
	}
	col := func(name string) int { return slices.Index(rows[0], name) }
	id, caller, value, threshold := col("request_id"), col("caller_request_id"), col("score"), col("threshold")
	if value < 0 || (id < 0) == (caller < 0) {
		return nil, fmt.Errorf("%s: header %v: want request_id or caller_request_id, and score", path, rows[0])
	}
	f := &scoreFile{}
	if id >= 0 {
		f.ByID = map[int64]score{}
	} else {
		f.ByCaller = map[string]score{}
	}
	for i, row := range rows[1:] {
		fail := func(format string, args ...any) error {
			return fmt.Errorf("%s:%d: %s", path, i+2, fmt.Sprintf(format, args...))
		}
		if row[value] == "" {
			continue // not scored
		}
		var s score
		if s.value, err = finite(row[value]); err != nil {
			return nil, fail("score %q is no number", row[value])
		}
		if threshold >= 0 && row[threshold] != "" {
			limit, err := finite(row[threshold])
			if err != nil {
				return nil, fail("threshold %q is no number", row[threshold])
			}
			s.threshold = &limit
		}
		twice := false
		if id >= 0 {
			request, err := strconv.ParseInt(row[id], 10, 64)
			if err != nil {
				return nil, fail("request_id %q is no number", row[id])
			}
			_, twice = f.ByID[request]
			f.ByID[request] = s
		} else {
			_, twice = f.ByCaller[row[caller]]
			f.ByCaller[row[caller]] = s
		}
		if twice {
			return nil, fail("a second score for request %s", row[max(id, caller)])
		}
	}
	return f, nil
}

// finite reads a number that is one.
func finite(s string) (float64, error) {
	v, err := strconv.ParseFloat(s, 64)
	if err == nil && (math.IsNaN(v) || math.IsInf(v, 0)) {
		err = strconv.ErrRange
	}
	return v, err
}
