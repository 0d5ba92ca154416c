// Package project answers what one's own traffic would meet at other providers: a
// mix of requests resampled over a recorded dataset, and a sheet of what changes
// when the base URL does. The computing is SQL; this brings its inputs.
package project

import (
	"context"
	_ "embed"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/nearest"
	"aircheck/internal/kit/yamlx"
)

//go:embed project.sql
var projectSQL string

//go:embed switch.sql
var switchSQL string

// CheckLimit refuses a limit of what is no time.
func CheckLimit(name string, ms float64) error {
	switch {
	case !slices.Contains(Limits, name):
		err := fmt.Errorf("no limit of %q: want one of %s", name, strings.Join(Limits, ", "))
		if near := nearest.Likely(name, Limits); near != "" {
			err = fmt.Errorf("%w; did you mean %s?", err, near)
		}
		return err
	case !(ms > 0):
		return fmt.Errorf("limit of %s: want milliseconds above 0", name)
	}
	return nil
}

// Project makes the temporary table projection, a row a target, on the reader's
// connection, which must be at its beginning.
func Project(ctx context.Context, r *build.Reader, m *Mix) error {
	create := "CREATE OR REPLACE TEMP TABLE traffic (shape INTEGER, model VARCHAR, scenario VARCHAR, concurrency INTEGER, input_tokens DOUBLE, output_tokens DOUBLE, a_month DOUBLE)"
	if err := duck.Exec(ctx, r, "traffic", create); err != nil {
		return err
	}
	rows, err := duck.NewAppender(r.Conn, "traffic")
	if err != nil {
		return err
	}
	for i, s := range m.Shapes {
		if err := rows.Append(int32(i), word(s.Model), word(s.Scenario), int32(s.Concurrency), number(s.Input), number(s.Output), s.Month); err != nil {
			return err
		}
	}
	if err := rows.Close(); err != nil {
		return err
	}
	inTime, p95 := []string{"true"}, []string{}
	for _, name := range slices.Sorted(maps.Keys(m.Limits)) {
		at := strconv.FormatFloat(m.Limits[name], 'f', -1, 64)
		inTime = append(inTime, name+" <= "+at)
		if name == "ttft_net_ms" || name == "e2e_ms" {
			p95 = append(p95, strings.TrimSuffix(name, "_ms")+"_p95_ms <= "+at)
		}
	}
	if len(p95) == 0 {
		p95 = []string{"false"}
	}
	text := strings.NewReplacer("/*in time*/", strings.Join(inTime, " AND "), "/*p95*/", strings.Join(p95, " AND ")).Replace(projectSQL)
	return duck.Exec(ctx, r, "project.sql", text)
}

// Switch makes the temporary table switched: what changes from one provider to
// another.
func Switch(ctx context.Context, r *build.Reader, from, to string) error {
	known, err := duck.Query(ctx, r, "providers", "SELECT DISTINCT provider FROM results ORDER BY 1")
	if err != nil {
		return err
	}
	var names []string
	for _, row := range known.Rows {
		names = append(names, row[0].(string))
	}
	for _, name := range []string{from, to} {
		if !slices.Contains(names, name) {
			err := fmt.Errorf("no provider %q: there are %s", name, strings.Join(names, ", "))
			if near := nearest.Likely(name, names); near != "" {
				err = fmt.Errorf("no provider %q; did you mean %s?", name, near)
			}
			return &yamlx.Error{Msg: err.Error()}
		}
	}
	sides := fmt.Sprintf("CREATE OR REPLACE TEMP TABLE sides AS SELECT %s AS from_provider, %s AS to_provider", duck.Literal(from), duck.Literal(to))
	if err := duck.Exec(ctx, r, "sides", sides); err != nil {
		return err
	}
	return duck.Exec(ctx, r, "switch.sql", switchSQL)
}

// Fact is what a provider declares, and no recording can show.
type Fact struct {
	Provider string `yaml:"provider"`
	Model    string `yaml:"model"` // all where empty
	What     string `yaml:"what"`  // residency, keep-warm, terms, price list, …
	Says     string `yaml:"says"`
	Source   string `yaml:"source"`
	Date     string `yaml:"date"`

	At yamlx.Pos `yaml:"-"`
}

// ReadFacts reads declared facts.
func ReadFacts(path string) ([]Fact, error) {
	data, err := yamlx.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var f struct {
		Facts []Fact `yaml:"facts"`
	}
	if err := yamlx.Decode(data, path, &f); err != nil {
		return nil, err
	}
	var faults yamlx.Errors
	for _, x := range f.Facts {
		if x.Provider == "" || x.What == "" || x.Says == "" || x.Source == "" || x.Date == "" {
			faults = append(faults, x.At.Errorf("a fact needs provider, what, says, source and date"))
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	return f.Facts, nil
}

func word(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func number(v *float64) any {
	if v == nil {
		return nil
	}
	return *v
}
