package duck

import (
	"slices"
	"strings"
)

// Restricted gives the values of a column that a statement asks for wherever it
// reads one of the given tables, or calls one of the macros, whose only argument
// is the column's value. It gives nil where the statement may read others: it
// looks for "column = 5" and "column IN (5, 6)" among the conditions of each
// SELECT, and for nothing cleverer.
func (n Names) Restricted(column string, tables, macros []string) []int64 {
	r := restriction{column: column, tables: tables, macros: macros}
	if n.statement == nil || !r.walk(n.statement) {
		return nil
	}
	slices.Sort(r.values)
	return slices.Compact(r.values)
}

type restriction struct {
	column         string
	tables, macros []string
	values         []int64
}

// walk reports whether all reading in a part of the statement is restricted.
func (r *restriction) walk(v any) bool {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			if !r.walk(e) {
				return false
			}
		}
	case map[string]any:
		if v["type"] == "SELECT_NODE" && !r.selects(v) {
			return false
		}
		for _, e := range v {
			if !r.walk(e) {
				return false
			}
		}
	}
	return true
}

// selects reports whether one SELECT is restricted.
func (r *restriction) selects(node map[string]any) bool {
	var open []string // names of tables that a condition must restrict
	if !r.from(node["from_table"], &open) {
		return false
	}
	for _, name := range open {
		values := r.conditions(node["where_clause"], name)
		if values == nil {
			return false
		}
		r.values = append(r.values, values...)
	}
	return true
}

// from goes through what is joined, up to subqueries.
func (r *restriction) from(ref any, open *[]string) bool {
	node, _ := ref.(map[string]any)
	switch node["type"] {
	case "BASE_TABLE":
		if name := word(node, "table_name"); slices.Contains(r.tables, name) {
			if alias := word(node, "alias"); alias != "" {
				name = alias
			}
			*open = append(*open, name)
		}
	case "TABLE_FUNCTION":
		if call, _ := node["function"].(map[string]any); slices.Contains(r.macros, word(call, "function_name")) {
			children, _ := call["children"].([]any)
			if len(children) != 1 {
				return false
			}
			value, ok := integer(children[0])
			r.values = append(r.values, value)
			return ok
		}
	case "JOIN":
		return r.from(node["left"], open) && r.from(node["right"], open)
	case "SHOW_REF":
		return false
	}
	return true
}

// conditions are the values that a condition leaves to a table's column, nil for
// any.
func (r *restriction) conditions(v any, table string) []int64 {
	node, _ := v.(map[string]any)
	children, _ := node["children"].([]any)
	switch node["type"] {
	case "CONJUNCTION_AND":
		for _, c := range children {
			if values := r.conditions(c, table); values != nil {
				return values
			}
		}
	case "COMPARE_EQUAL":
		for _, sides := range [][2]any{{node["left"], node["right"]}, {node["right"], node["left"]}} {
			if value, ok := integer(sides[1]); ok && r.is(sides[0], table) {
				return []int64{value}
			}
		}
	case "COMPARE_IN":
		if len(children) < 2 || !r.is(children[0], table) {
			return nil
		}
		var out []int64
		for _, c := range children[1:] {
			value, ok := integer(c)
			if !ok {
				return nil
			}
			out = append(out, value)
		}
		return out
	}
	return nil
}

// is reports whether an expression is the column of a table.
func (r *restriction) is(v any, table string) bool {
	node, _ := v.(map[string]any)
	names, _ := node["column_names"].([]any)
	var path []string
	for _, n := range names {
		s, _ := n.(string)
		path = append(path, strings.ToLower(s))
	}
	return slices.Equal(path, []string{r.column}) || slices.Equal(path, []string{table, r.column})
}

// integer is the value of a constant.
func integer(v any) (int64, bool) {
	node, _ := v.(map[string]any)
	value, _ := node["value"].(map[string]any)
	n, ok := value["value"].(float64)
	return int64(n), ok && node["type"] == "VALUE_CONSTANT" && n == float64(int64(n)) && n < 1<<53 && n > -1<<53
}
