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

// Names are what a statement reads, in lower case: the tables and views that it
// names, its own WITH clauses left out, and the macros that it calls.
type Names struct{ Tables, Macros []string }

// CheckSelect refuses everything but one SELECT statement that calls no table
// functions but harmless ones and the given macros, and lists what it reads.
// DuckDB's own parser takes the statement apart; nothing of it is run.
func CheckSelect(ctx context.Context, e Execer, query string, macros ...string) (Names, error) {
	rows, err := e.QueryContext(ctx, "SELECT json_serialize_sql($1::VARCHAR)::VARCHAR", query)
	if err != nil {
		return Names{}, Wrap("query", err)
	}
	t, err := Collect(rows)
	rows.Close()
	if err != nil {
		return Names{}, Wrap("query", err)
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
		return Names{}, fmt.Errorf("parse query: %w", err)
	}
	switch {
	case tree.Error && tree.Type == "not implemented":
		return Names{}, errors.New("only SELECT is allowed: no COPY, ATTACH, SET, PRAGMA or other statements")
	case tree.Error:
		return Names{}, errors.New(strings.ToLower(tree.Message[:1]) + tree.Message[1:])
	case len(tree.Statements) != 1:
		return Names{}, fmt.Errorf("want one SELECT statement, not %d", len(tree.Statements))
	}
	w := walker{macros: macros, with: map[string]bool{}}
	if err := w.walk(tree.Statements[0]); err != nil {
		return Names{}, err
	}
	w.names.Tables = slices.DeleteFunc(w.names.Tables, func(name string) bool { return w.with[name] })
	return w.names, nil
}

// walker goes through a parsed statement.
type walker struct {
	macros []string
	with   map[string]bool // names that WITH clauses define
	names  Names
}

func (w *walker) walk(v any) error {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := w.walk(e); err != nil {
				return err
			}
		}
	case map[string]any:
		if err := w.node(v); err != nil {
			return err
		}
		for _, e := range v {
			if err := w.walk(e); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *walker) node(v map[string]any) error {
	text := func(m any, key string) string {
		object, _ := m.(map[string]any)
		s, _ := object[key].(string)
		return strings.ToLower(s)
	}
	if with, ok := v["cte_map"].(map[string]any); ok {
		entries, _ := with["map"].([]any)
		for _, e := range entries {
			w.with[text(e, "key")] = true
		}
	}
	switch v["type"] {
	case "BASE_TABLE", "SHOW_REF":
		w.names.Tables = append(w.names.Tables, text(v, "table_name"))
	case "TABLE_FUNCTION":
		name := text(v["function"], "function_name")
		switch {
		case slices.Contains(w.macros, name):
			w.names.Macros = append(w.names.Macros, name)
		case !slices.Contains(tableFunctions, name):
			return fmt.Errorf("table function %q is not allowed: a query reads the public views only", name)
		}
	}
	return nil
}
