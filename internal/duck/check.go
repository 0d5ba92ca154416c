package duck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// tableFunctions are the table functions that a query may call. All others are
// refused: they read files, change settings or show the engine's own state.
var tableFunctions = []string{"range", "generate_series", "unnest", "json_each", "json_tree", "repeat", "repeat_row", "histogram", "histogram_values", "summary"}

// CheckSelect refuses everything but one SELECT statement that calls no table
// functions but harmless ones and the named macros; it gives those of the macros
// that the statement calls. DuckDB's own parser takes the statement apart;
// nothing of it is run.
func CheckSelect(ctx context.Context, e Execer, query string, macros ...string) (called []string, err error) {
	rows, err := e.QueryContext(ctx, "SELECT json_serialize_sql($1::VARCHAR)::VARCHAR", query)
	if err != nil {
		return nil, Wrap("query", err)
	}
	t, err := Collect(rows)
	rows.Close()
	if err != nil {
		return nil, Wrap("query", err)
	}
	text, _ := t.Rows[0][0].(string)
	var tree struct {
		Error      bool   `json:"error"`
		Type       string `json:"error_type"`
		Message    string `json:"error_message"`
		Position   string `json:"position"`
		Statements []any  `json:"statements"`
	}
	if err := json.Unmarshal([]byte(text), &tree); err != nil {
		return nil, fmt.Errorf("parse query: %w", err)
	}
	switch {
	case tree.Error && tree.Type == "not implemented":
		return nil, errors.New("only SELECT is allowed: no COPY, ATTACH, SET, PRAGMA or other statements")
	case tree.Error:
		return nil, errors.New(strings.ToLower(tree.Message[:1]) + tree.Message[1:])
	case len(tree.Statements) != 1:
		return nil, fmt.Errorf("want one SELECT statement, not %d", len(tree.Statements))
	}
	err = refuseFunctions(tree.Statements[0], macros, &called)
	return called, err
}

// refuseFunctions walks the parsed statement and looks at every table function.
func refuseFunctions(v any, macros []string, called *[]string) error {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := refuseFunctions(e, macros, called); err != nil {
				return err
			}
		}
	case map[string]any:
		if v["type"] == "TABLE_FUNCTION" {
			f, _ := v["function"].(map[string]any)
			name, _ := f["function_name"].(string)
			name = strings.ToLower(name)
			switch {
			case slices.Contains(macros, name):
				*called = append(*called, name)
			case !slices.Contains(tableFunctions, name):
				return fmt.Errorf("table function %q is not allowed: a query reads the public views only", name)
			}
		}
		for _, e := range v {
			if err := refuseFunctions(e, macros, called); err != nil {
				return err
			}
		}
	}
	return nil
}
