package project

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/yamlx"
)

// Shape is requests of one kind in a mix.
type Shape struct {
	Name        string   `yaml:"name"`
	Model       string   `yaml:"model"`         // any where empty
	Scenario    string   `yaml:"scenario"`      // any where empty
	Concurrency int      `yaml:"concurrency"`   // streams open at a time, 1 unless set
	Input       *float64 `yaml:"input_tokens"`  // of the prompt; any where nil
	Output      *float64 `yaml:"output_tokens"` // of the answer shown, thinking left out; any where nil
	Month       float64  `yaml:"a_month"`       // requests a month

	At yamlx.Pos `yaml:"-"`
}

// Mix is what one's own traffic is made of.
type Mix struct {
	Shapes []Shape            `yaml:"traffic"`
	Limits map[string]float64 `yaml:"limits"` // columns of results and how many ms they may take

	At yamlx.Pos `yaml:"-"`
}

// Limits are the columns that may have one.
var Limits = []string{"ttft_net_ms", "ttft_ms", "ttfat_ms", "e2e_ms", "max_stall_ms"}

// daysAMonth is a twelfth of a year.
const daysAMonth = 30.4375

// ReadMix reads a mix: a YAML file of shapes, a log (CSV or Parquet with
// input_tokens, output_tokens and, if it has them, model and started_at), or a
// dataset. Of the latter two requests are told apart by model and by lengths to a
// power of two. month is the number of requests a month; 0: by the time that they span.
func ReadMix(ctx context.Context, path string, month float64) (*Mix, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case info.IsDir():
		r, err := build.Open(ctx, build.Options{Dir: path})
		if err != nil {
			return nil, err
		}
		defer r.Close()
		return shapes(ctx, r, path, "SELECT model, coalesce(input_tokens, input_o200k) AS input_tokens, coalesce(answer_o200k, visible_tokens, output_tokens) AS output_tokens, started_at FROM results WHERE measured", month)
	case ext == ".yaml" || ext == ".yml":
		data, err := yamlx.ReadFile(path)
		if err != nil {
			return nil, err
		}
		return ParseMix(data, path, month)
	case ext == ".csv" || ext == ".tsv" || ext == ".parquet":
		if !info.Mode().IsRegular() {
			return nil, fmt.Errorf("%s: no regular file", path)
		}
		db, err := duck.Open(ctx, duck.Options{})
		if err != nil {
			return nil, err
		}
		defer db.Close()
		from := "read_csv(" + duck.Path(path) + ")"
		if ext == ".parquet" {
			from = duck.Parquet([]string{path})
		}
		columns, err := duck.Describe(ctx, db, path, "FROM "+from)
		if err != nil {
			return nil, err
		}
		has := map[string]bool{}
		for _, c := range columns {
			has[c.Name] = true
		}
		list := []string{"NULL::VARCHAR AS model", "NULL::DOUBLE AS input_tokens", "NULL::DOUBLE AS output_tokens", "NULL::TIMESTAMP AS started_at"}
		for i, c := range []string{"model", "input_tokens", "output_tokens", "started_at"} {
			if has[c] {
				list[i] = c
			}
		}
		if !has["input_tokens"] && !has["output_tokens"] {
			return nil, fmt.Errorf("%s: want columns input_tokens and output_tokens, and model and started_at if it has them", path)
		}
		return shapes(ctx, db, path, "SELECT "+strings.Join(list, ", ")+" FROM "+from, month)
	}
	return nil, fmt.Errorf("%s: want a .yaml file of shapes, a .csv or .parquet log, or a dataset", path)
}

// ParseMix reads a YAML file of shapes.
func ParseMix(data []byte, name string, month float64) (*Mix, error) {
	var m Mix
	if err := yamlx.Decode(data, name, &m); err != nil {
		return nil, err
	}
	var faults yamlx.Errors
	if len(m.Shapes) == 0 {
		return nil, m.At.Errorf("no traffic: want a list of shapes under traffic")
	}
	sum := 0.0
	for i := range m.Shapes {
		s := &m.Shapes[i]
		positive := func(v *float64) bool { return v == nil || *v > 0 && !math.IsInf(*v, 0) }
		switch {
		case !(s.Month > 0) || math.IsInf(s.Month, 0):
			faults = append(faults, s.At.Key("a_month").Errorf("a shape needs a_month, how many requests of it there are a month"))
		case !positive(s.Input):
			faults = append(faults, s.At.Key("input_tokens").Errorf("input_tokens: want a number above 0"))
		case !positive(s.Output):
			faults = append(faults, s.At.Key("output_tokens").Errorf("output_tokens: want a number above 0"))
		case s.Concurrency < 0:
			faults = append(faults, s.At.Key("concurrency").Errorf("concurrency: want a number from 1"))
		}
		s.Concurrency = max(s.Concurrency, 1)
		sum += s.Month
	}
	for name, v := range m.Limits {
		if err := CheckLimit(name, v); err != nil {
			faults = append(faults, m.At.Key("limits", name).Errorf("%v", err))
		}
	}
	if len(faults) > 0 {
		return nil, faults
	}
	for i := range m.Shapes {
		if month > 0 {
			m.Shapes[i].Month *= month / sum
		}
	}
	return &m, nil
}

// shapes makes a mix of the rows of a query.
func shapes(ctx context.Context, e duck.Execer, source, rows string, month float64) (*Mix, error) {
	t, err := duck.Query(ctx, e, source, `
		WITH log AS (`+rows+`)
		SELECT model, avg(input_tokens)::DOUBLE, avg(output_tokens)::DOUBLE, count(*)::DOUBLE AS n,
			(SELECT epoch(max(started_at)) - epoch(min(started_at)) FROM log)::DOUBLE, (SELECT count(*) FROM log)::DOUBLE
		FROM log
		GROUP BY model, round(log2(greatest(input_tokens, 1))), round(log2(greatest(output_tokens, 1)))
		ORDER BY n DESC, 1, 2, 3`)
	if err != nil {
		return nil, err
	}
	var m Mix
	for _, row := range t.Rows {
		scale := 0.0
		if month > 0 {
			scale = month / row[5].(float64)
		} else if span, ok := row[4].(float64); ok && span > 0 {
			scale = daysAMonth * 86400 / span
		} else {
			return nil, fmt.Errorf("%s: no started_at tells how many requests a month this is: --a-month N says it", source)
		}
		s := Shape{Concurrency: 1, Month: row[3].(float64) * scale}
		s.Model, _ = row[0].(string)
		for i, into := range []**float64{&s.Input, &s.Output} {
			if v, ok := row[1+i].(float64); ok && v > 0 {
				*into = &v
			}
		}
		m.Shapes = append(m.Shapes, s)
	}
	if len(m.Shapes) == 0 {
		return nil, fmt.Errorf("%s: no requests", source)
	}
	return &m, nil
}
