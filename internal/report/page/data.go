package page

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"time"
)

// File is one file of a site; its path has forward slashes.
type File struct {
	Path string
	Data []byte
}

// published are the views whose rows go beside the pages, as CSV.
var published = []string{"runs", "latency", "availability", "errors", "fidelity", "costs", "thinking", "ranks", "champions", "audit"}

// tables writes each published view as data/<view>.csv, rows in order of all
// columns, an empty field for no value. Flips may be millions; those that the
// pages read are published.
func tables(ctx context.Context, src Source) ([]File, error) {
	queries := map[string]string{"flips": query("flips")}
	for _, view := range published {
		queries[view] = "FROM " + view + " ORDER BY ALL"
	}
	// A plan holds endpoints and names of keys, a source names of files: they are
	// the recorder's, not the reader's.
	queries["runs"] = "SELECT COLUMNS(c -> c NOT IN ('plan', 'sources')) FROM runs ORDER BY ALL"
	var files []File
	for _, view := range slices.Sorted(maps.Keys(queries)) {
		data, err := asCSV(ctx, src, queries[view])
		if err != nil {
			return nil, fmt.Errorf("view %s: %w", view, err)
		}
		files = append(files, File{"data/" + view + ".csv", data})
	}
	return files, nil
}

func asCSV(ctx context.Context, src Source, query string) ([]byte, error) {
	rows, err := src.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	if err := w.Write(columns); err != nil {
		return nil, err
	}
	values, pointers, fields := make([]any, len(columns)), make([]any, len(columns)), make([]string, len(columns))
	for i := range values {
		pointers[i] = &values[i]
	}
	for rows.Next() {
		if err := rows.Scan(pointers...); err != nil {
			return nil, err
		}
		for i, v := range values {
			fields[i] = field(v)
		}
		if err := w.Write(fields); err != nil {
			return nil, err
		}
	}
	w.Flush()
	return out.Bytes(), rows.Err()
}

func field(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case float32:
		return strconv.FormatFloat(float64(v), 'g', -1, 32)
	case time.Time:
		return v.UTC().Format("2006-01-02T15:04:05.999999Z")
	case []byte:
		return string(v)
	}
	return fmt.Sprint(v)
}
