package page

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// File is one file of a site; its path has forward slashes.
type File struct {
	Path string
	Data []byte
}

// Level is how much of the data stands beside the pages.
type Level string

// Levels of published data, from the least to the most.
const (
	DataNone    Level = "none"    // pages alone
	DataDerived Level = "derived" // every table that a number comes from, and times of single requests; no texts
	DataFull    Level = "full"    // prompts, answers and words of errors, too
)

// Levels lists them for a command's help.
var Levels = []Level{DataNone, DataDerived, DataFull}

// View documents a public view for the data dictionary.
type View struct {
	Name, Tells string
	Columns     []ViewColumn
}

// ViewColumn is a column of a view with its meaning.
type ViewColumn struct{ Name, Type, Comment string }

// dataSet is one table of the published data.
type dataSet struct {
	name, tells string
	query       string
	rows        int64
	single      bool // single requests: a CSV alone
	large       bool // too large for a CSV beside the Parquet file
	columns     []ViewColumn
}

// requestLists are the single requests that are published for each model.
var requestLists = []struct{ name, tells, condition, order string }{
	{"requests_fastest", words.Later("The 100 requests of each model with the shortest time to first token."), "complete AND ttft_net_ms IS NOT NULL", "ttft_net_ms, request_id"},
	{"requests_slowest", words.Later("The 100 requests of each model with the longest time to first token."), "complete AND ttft_net_ms IS NOT NULL", "ttft_net_ms DESC, request_id"},
	{"requests_failed", words.Later("The latest 100 requests of each model that were not answered well."), "outcome NOT IN ('ok', 'truncated')", "started_at DESC, request_id"},
}

const requestColumns = `provider, model, scenario, concurrency, vantage, phase, window_name, trial, outcome, http_status, ttft_net_ms, ttft_ms, ttfat_ms, e2e_ms,
       input_tokens, output_tokens, reasoning_tokens, tokens_per_s, max_stall_ms, finish_reason, cost_usd`

// dataSets lists what a level publishes: each public view that the pages read, and
// lists of single requests.
func dataSets(ctx context.Context, src Source, opt Options) ([]dataSet, error) {
	if opt.Data == DataNone {
		return nil, nil
	}
	stored := besides(opt.Data)
	var out []dataSet
	for _, v := range opt.Catalogue {
		if stored[v.Name] == "" {
			continue
		}
		set := dataSet{name: v.Name, tells: v.Tells, query: stored[v.Name], large: v.Name == "results"}
		if v.Name == "flips" { // they may be millions: those that the pages read
			set.query = query("flips")
		}
		have, err := described(ctx, src, "SELECT * FROM ("+set.query+")")
		if err != nil {
			return nil, fmt.Errorf("view %s: %w", v.Name, err)
		}
		for _, c := range have {
			comment := ""
			for _, d := range v.Columns {
				if d.Name == c.name {
					comment = d.Comment
				}
			}
			set.columns = append(set.columns, ViewColumn{c.name, c.typ, comment})
		}
		out = append(out, set)
	}
	for _, r := range requestLists {
		out = append(out, dataSet{name: r.name, tells: r.tells, single: true, query: fmt.Sprintf(
			"SELECT place, request_id, run_id, started_at, %s\nFROM (SELECT row_number() OVER (PARTITION BY model ORDER BY %s) AS place, * FROM results WHERE measured AND %s)\nWHERE place <= 100\nORDER BY model, place",
			requestColumns, r.order, r.condition)})
	}
	return out, nil
}

// mostCSV is the size in bytes above which a table is published as Parquet alone.
const mostCSV = 2 << 20

// tables writes each published table as data/<name>.csv, unless it is large and
// stands there as Parquet; a dictionary of their columns; and views.sql, which
// reads them in any DuckDB shell.
func tables(ctx context.Context, src Source, opt Options) ([]File, []dataSet, error) {
	sets, err := dataSets(ctx, src, opt)
	if err != nil || len(sets) == 0 {
		return nil, nil, err
	}
	_, parquet := src.(executor)
	if !parquet {
		sets = slices.DeleteFunc(sets, func(s dataSet) bool { return s.large })
	}
	var files []File
	entries := [][]string{{"table", "column", "type", "meaning"}}
	var views strings.Builder
	views.WriteString("-- The published tables, over the files beside this one. In their directory:\n--\n--\tduckdb -init views.sql\n\n")
	for i := range sets {
		s := &sets[i]
		var data []byte
		var err error
		if s.large {
			s.rows, err = counted(ctx, src, s.query)
		} else {
			data, s.rows, err = asCSV(ctx, src, s.query)
			s.large = parquet && !s.single && len(data) > mostCSV
		}
		if err != nil {
			return nil, nil, fmt.Errorf("table %s: %w", s.name, err)
		}
		if !s.large {
			files = append(files, File{"data/" + s.name + ".csv", data})
		}
		ext := pick(parquet && !s.single, "parquet", "csv")
		fmt.Fprintf(&views, "-- %s\nCREATE OR REPLACE VIEW %s AS SELECT * FROM read_%s('%s.%s');\n\n", s.tells, s.name, ext, s.name, ext)
		for _, c := range s.columns {
			entries = append(entries, []string{s.name, c.Name, c.Type, guard(c.Comment)})
		}
	}
	var dictionary bytes.Buffer
	if err := csv.NewWriter(&dictionary).WriteAll(entries); err != nil {
		return nil, nil, err
	}
	return append(files, File{"data/dictionary.csv", dictionary.Bytes()}, File{"data/views.sql", []byte(views.String())}), sets, nil
}

// counted is how many rows a query has.
func counted(ctx context.Context, src Source, query string) (int64, error) {
	n, err := loadText(ctx, src, "rows", "SELECT count(*) FROM ("+query+")", func(n *int64) []any { return []any{n} })
	if err != nil {
		return 0, err
	}
	return n[0], nil
}

// asCSV gives the rows of a query, an empty field for no value. A text that a
// spreadsheet would take for a formula begins with an apostrophe.
func asCSV(ctx context.Context, src Source, query string) ([]byte, int64, error) {
	rows, err := src.QueryContext(ctx, query)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, 0, err
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.Write(columns); err != nil {
		return nil, 0, err
	}
	values, pointers, fields := make([]any, len(columns)), make([]any, len(columns)), make([]string, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	n := int64(0)
	for ; rows.Next(); n++ {
		if err := rows.Scan(pointers...); err != nil {
			return nil, 0, err
		}
		for i, v := range values {
			fields[i] = field(v)
		}
		if err := w.Write(fields); err != nil {
			return nil, 0, err
		}
	}
	w.Flush()
	return out.Bytes(), n, rows.Err()
}

func field(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		return guard(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case time.Time:
		return v.UTC().Format("2006-01-02T15:04:05.999999Z")
	case []byte:
		return guard(string(v))
	}
	return fmt.Sprint(v)
}

// guard keeps a spreadsheet from running a text as a formula. Numbers are no
// texts, and stay as they are.
func guard(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return "'" + s
	}
	return s
}

// publishedSet is a table on the page of the data, with its files.
type publishedSet struct {
	Name, Tells, Rows string
	CSV, Parquet      string // paths; "" where there is none
	Columns           []ViewColumn
}

func publishedSets(l *words.Language, sets []dataSet, parquet bool) []publishedSet {
	out := make([]publishedSet, len(sets))
	for i, s := range sets {
		out[i] = publishedSet{Name: s.name, Tells: l.Term(s.tells), Rows: human.Count(s.rows), CSV: pick(s.large, "", "data/"+s.name+".csv"), Columns: s.columns}
		if parquet && !s.single {
			out[i].Parquet = "data/" + s.name + ".parquet"
		}
	}
	return out
}
