package duck

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// tableFunctions are the table functions that a query may call. All others are
// refused: they read files, change settings or show the engine's own state.
var tableFunctions = []string{"range", "generate_series", "unnest", "json_each", "json_tree", "repeat", "repeat_row", "histogram", "histogram_values", "summary"}

// wordFunctions are functions that are called without parentheses: the parser
// takes them for columns.
var wordFunctions = []string{"current_catalog", "current_date", "current_role", "current_schema", "current_time", "current_timestamp", "current_user", "localtime", "localtimestamp", "session_user", "user"}

// Names are what a statement reads, in lower case: the tables and views that it
// names, those of its own WITH clauses left out, the macros that it calls, and
// the functions.
type Names struct {
	Tables, Macros, Functions []string

	Catalog bool // it asks which tables there are, and of what columns

	statement any
}

// openCatalog are those of the engine's own tables that a query may read: they tell
// of tables and columns. Others show how views are defined, and so where files are.
var openCatalog = []string{"information_schema.columns", "information_schema.tables", "information_schema.schemata", "duckdb_columns"}

// closedFunctions are functions of one value that tell of the engine's surroundings.
var closedFunctions = []string{"current_setting", "getenv", "pg_get_viewdef", "write_log"}

// catalog are the names of the engine's own tables that need no schema.
var catalog = regexp.MustCompile(`^(duckdb|sqlite|pg|pragma)_|^"|^__show|^$`)

// CheckSelect refuses everything but one SELECT statement that calls no table
// functions but harmless ones and the given macros, and lists what it reads.
// DuckDB's own parser takes the statement apart; nothing of it is run.
func CheckSelect(ctx context.Context, e Execer, query string, macros ...string) (Names, error) {
	statement, err := parse(ctx, e, query)
	if err != nil {
		return Names{}, err
	}
	w := walker{macros: macros, names: Names{statement: statement}}
	err = w.walk(statement, nil)
	return w.names, err
}

// NamesIn lists what one SELECT statement of our own reads; every table function
// counts as a macro.
func NamesIn(ctx context.Context, e Execer, query string) (Names, error) {
	statement, err := parse(ctx, e, query)
	if err != nil {
		return Names{}, err
	}
	w := walker{trusted: true, names: Names{statement: statement}}
	err = w.walk(statement, nil)
	return w.names, err
}

// parse takes one SELECT statement apart.
func parse(ctx context.Context, e Execer, query string) (statement any, err error) {
	t, err := Query(ctx, e, "query", "SELECT json_serialize_sql($1::VARCHAR)::VARCHAR", query)
	if err != nil {
		return nil, err
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
	return tree.Statements[0], nil
}

// walker goes through a parsed statement.
type walker struct {
	macros  []string
	trusted bool // any table function will do
	names   Names
}

// walk goes through a part of the statement where with names the tables that
// WITH clauses around it define.
func (w *walker) walk(v any, with []string) error {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if err := w.walk(e, with); err != nil {
				return err
			}
		}
	case map[string]any:
		with, err := w.clauses(v, with)
		if err == nil {
			err = w.node(v, with)
		}
		if err != nil {
			return err
		}
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if key == "cte_map" {
				continue
			}
			if err := w.walk(v[key], with); err != nil {
				return err
			}
		}
	}
	return nil
}

// clauses goes through the WITH clauses of a node and adds what they define. A
// clause sees those before it, and itself where it is recursive.
func (w *walker) clauses(v map[string]any, with []string) ([]string, error) {
	with = slices.Clone(with)
	if v["type"] == "RECURSIVE_CTE_NODE" {
		with = append(with, word(v, "cte_name"))
	}
	clauses, _ := v["cte_map"].(map[string]any)
	entries, _ := clauses["map"].([]any)
	for _, e := range entries {
		if err := w.walk(e, with); err != nil {
			return nil, err
		}
		with = append(with, word(e, "key"))
	}
	return with, nil
}

func (w *walker) node(v map[string]any, with []string) error {
	switch v["type"] {
	case "BASE_TABLE", "SHOW_REF":
		name, schema := word(v, "table_name"), word(v, "schema_name")
		switch {
		case schema != "" && schema != "main", catalog.MatchString(name):
			w.names.Catalog = true
			full := strings.TrimPrefix(schema+"."+name, ".")
			if closed := v["type"] == "BASE_TABLE" && !slices.Contains(openCatalog, strings.TrimPrefix(full, "main.")); closed && !w.trusted {
				return fmt.Errorf("%s is the engine's own: a query reads the public views, and of their columns information_schema.columns tells", full)
			}
		case schema != "" || !slices.Contains(with, name):
			w.names.Tables = append(w.names.Tables, name)
		}
	case "COLUMN_REF":
		if names, _ := v["column_names"].([]any); len(names) == 1 {
			if s, _ := names[0].(string); slices.Contains(wordFunctions, strings.ToLower(s)) {
				w.names.Functions = append(w.names.Functions, strings.ToLower(s))
			}
		}
	case "FUNCTION", "WINDOW_AGGREGATE":
		if name := word(v, "function_name"); slices.Contains(closedFunctions, name) && !w.trusted {
			return fmt.Errorf("function %q is not allowed: it tells of the engine, not of the dataset", name)
		}
		w.names.Functions = append(w.names.Functions, word(v, "function_name"))
	case "TABLE_FUNCTION":
		name := word(v["function"], "function_name")
		switch {
		case w.trusted, slices.Contains(w.macros, name):
			w.names.Macros = append(w.names.Macros, name)
		case !slices.Contains(tableFunctions, name):
			return fmt.Errorf("table function %q is not allowed: a query reads the public views only", name)
		}
	}
	return nil
}

// word is a text of a node, in lower case.
func word(node any, key string) string {
	object, _ := node.(map[string]any)
	s, _ := object[key].(string)
	return strings.ToLower(s)
}
