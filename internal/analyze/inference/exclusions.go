package inference

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/analyze/settings"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/yamlx"
)

func exclusionsSalt(in *Input) (string, error) {
	b, err := settings.File(in.Options.Exclusions)
	return string(b), err
}

var exclusionsStep = &Step{
	Name: "_exclusions", Key: []string{"place"}, Version: 2,
	Columns: "place INTEGER, predicate VARCHAR, reason VARCHAR, date VARCHAR, matches BIGINT",
	Needs:   []string{"_measures"},
	Salt:    exclusionsSalt,
	Run: func(ctx context.Context, s *Call) error {
		return eachExclusion(ctx, s, func(place int32, e Exclusion, matches []int64) error {
			return s.Append(place, strings.TrimSpace(e.Predicate), e.Reason, e.Date, int64(len(matches)))
		})
	},
}

var excludedStep = &Step{
	Name: "_excluded", Key: []string{"request_id"}, Version: 3,
	Columns: "request_id BIGINT, place INTEGER, reason VARCHAR",
	Needs:   []string{"_measures"},
	Salt:    exclusionsSalt,
	Run: func(ctx context.Context, s *Call) error {
		done := map[int64]bool{}
		return eachExclusion(ctx, s, func(place int32, e Exclusion, matches []int64) error {
			for _, id := range matches {
				if done[id] {
					continue // the first reason stands
				}
				done[id] = true
				if err := s.Append(id, place, e.Reason); err != nil {
					return err
				}
			}
			return nil
		})
	},
}

// Exclusion takes the rows of a predicate out of measured.
type Exclusion struct {
	Predicate string    `yaml:"predicate"` // SQL condition over a request's derived columns
	Reason    string    `yaml:"reason"`
	Date      string    `yaml:"date"`
	Pos       yamlx.Pos `yaml:"-"`
}

// ReadExclusions reads an exclusions file: a list of predicate, reason, date.
func ReadExclusions(path string) ([]Exclusion, error) {
	data, err := settings.File(path)
	if err != nil || data == nil {
		return nil, err
	}
	var f struct {
		Exclusions []Exclusion `yaml:"exclusions"`
	}
	if err := yamlx.Decode(data, path, &f); err != nil {
		return nil, err
	}
	for _, e := range f.Exclusions {
		if strings.TrimSpace(e.Predicate) == "" || strings.TrimSpace(e.Reason) == "" || e.Date == "" {
			return nil, e.Pos.Errorf("an exclusion needs predicate, reason and date")
		}
	}
	return f.Exclusions, nil
}

// eachExclusion calls fn with the exclusions in the order of their file,
// numbered from 1, and the requests that the predicate of each is true of.
func eachExclusion(ctx context.Context, s *Call, fn func(place int32, e Exclusion, matches []int64) error) error {
	list, err := ReadExclusions(s.In.Options.Exclusions)
	if err != nil {
		return err
	}
	for i, e := range list {
		query := "SELECT request_id FROM _measures WHERE (" + e.Predicate + "\n) ORDER BY request_id"
		if err := repeatable(ctx, s.Conn, query); err != nil {
			return e.Pos.Key("predicate").Errorf("predicate %q: %v", e.Predicate, err)
		}
		matches, err := s.ints(ctx, query)
		err = duck.Wrap(e.Pos.String(), err)
		var engine *duck.Error
		if errors.As(err, &engine) && engine.Asked() { // its words, without the query around the predicate
			what, _, _ := strings.Cut(engine.Error(), "\n\nLINE ")
			return e.Pos.Key("predicate").Errorf("predicate %q: %s", e.Predicate, what)
		}
		if err != nil {
			return err
		}
		if err := fn(int32(i+1), e, matches); err != nil {
			return err
		}
	}
	return nil
}

// clocks read the time or a setting, though the engine's list of functions does
// not say so.
var clocks = []string{"age", "ago", "current_localtime", "current_localtimestamp", "current_setting", "current_time", "current_timestamp", "localtime", "localtimestamp"}

// repeatable refuses a predicate that reads more than a request's own columns,
// or that need not be the same the next time.
func repeatable(ctx context.Context, conn *sql.Conn, query string) error {
	names, err := duck.CheckSelect(ctx, conn, query)
	if err != nil {
		return err
	}
	for _, table := range names.Tables {
		if table != "_measures" {
			return fmt.Errorf("it reads %s: a predicate knows the columns of one request only", table)
		}
	}
	return Repeatable(ctx, conn, names)
}

// Repeatable refuses functions that may give another value each time.
func Repeatable(ctx context.Context, conn *sql.Conn, names duck.Names) error {
	changing, err := duck.Query(ctx, conn, "functions", "SELECT DISTINCT function_name FROM duckdb_functions() WHERE stability <> 'CONSISTENT'")
	if err != nil {
		return err
	}
	refused := slices.Clone(clocks)
	for _, row := range changing.Rows {
		name, _ := row[0].(string)
		refused = append(refused, name)
	}
	for _, name := range names.Functions {
		if slices.Contains(refused, name) {
			return fmt.Errorf("%s may give another value each time: the same data must give the same numbers", name)
		}
	}
	return nil
}
