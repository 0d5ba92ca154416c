package page

import (
	"context"
	"database/sql"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// Masked is a source whose public views hold pseudonyms in place of names, and
// only rows of providers and models that are kept. Each view is shadowed, when a
// query first names it, by a temporary one of the same name, so that what the
// pages print and what they read stay the same statements.
type Masked struct {
	src      executor
	views    map[string]bool // that there are
	shadowed map[string]bool
	names    map[string]string // name → pseudonym
	kept     bool              // whether only measured providers and models stay
}

// NewMasked masks the public views of a source. kept leaves out the rows of
// providers and models that have nothing measured.
func NewMasked(src executor, views []string, names map[string]string, kept bool) *Masked {
	m := &Masked{src: src, views: map[string]bool{}, shadowed: map[string]bool{}, names: names, kept: kept}
	for _, v := range views {
		m.views[v] = true
	}
	return m
}

// Pseudonym is how a name is shown.
func (m *Masked) Pseudonym(name string) string {
	if p, ok := m.names[name]; ok {
		return p
	}
	return name
}

var sqlName = regexp.MustCompile(`\w+`)

// QueryContext answers a query over the masked views.
func (m *Masked) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	for _, name := range sqlName.FindAllString(query, -1) {
		if m.views[name] && !m.shadowed[name] {
			if err := m.shadow(ctx, name); err != nil {
				return nil, err
			}
		}
	}
	return m.src.QueryContext(ctx, query, args...)
}

// ExecContext runs a statement over the masked views.
func (m *Masked) ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error) {
	rows, err := m.QueryContext(ctx, "SELECT 1 WHERE false -- "+strings.ReplaceAll(query, "\n", " "))
	if err != nil {
		return nil, err
	}
	if err := rows.Close(); err != nil {
		return nil, err
	}
	return m.src.ExecContext(ctx, query, args...)
}

// shadow defines the temporary view over a public one.
func (m *Masked) shadow(ctx context.Context, view string) error {
	var database string
	columns, err := described(ctx, m.src, `SELECT * FROM `+view)
	if err != nil {
		return err
	}
	rows, err := m.src.QueryContext(ctx, "SELECT current_database()")
	if err != nil {
		return err
	}
	for rows.Next() {
		if err := rows.Scan(&database); err != nil {
			return err
		}
	}
	if err := rows.Close(); err != nil {
		return err
	}
	if m.kept && !m.shadowed[keptTable] {
		// The names as they are: the shadow of results must not stand in the way.
		if _, err := m.src.ExecContext(ctx, fmt.Sprintf("CREATE OR REPLACE TEMP TABLE %s AS SELECT DISTINCT provider, model FROM results WHERE measured", keptTable)); err != nil {
			return err
		}
		m.shadowed[keptTable] = true
	}
	var selected, conditions []string
	for _, c := range columns {
		if m.kept && view == "exclusions" && c.name == "predicate" {
			selected = append(selected, fmt.Sprintf("CASE WHEN reason = %s THEN '–' ELSE predicate END AS predicate", literal(Outside)))
			continue
		}
		selected = append(selected, m.column(c))
		if !m.kept || view == "runs" {
			continue
		}
		switch {
		case providerColumn.MatchString(c.name) && c.typ == "VARCHAR":
			conditions = append(conditions, fmt.Sprintf(`("%[1]s" IS NULL OR "%[1]s" IN (SELECT provider FROM temp.%[2]s))`, c.name, keptTable))
		case modelColumn.MatchString(c.name) && c.typ == "VARCHAR":
			conditions = append(conditions, fmt.Sprintf(`("%[1]s" IS NULL OR "%[1]s" IN (SELECT model FROM temp.%[2]s))`, c.name, keptTable))
		}
	}
	statement := fmt.Sprintf("CREATE OR REPLACE TEMP VIEW %s AS SELECT %s FROM %q.main.%s", view, strings.Join(selected, ", "), database, view)
	if len(conditions) > 0 {
		statement += " WHERE " + strings.Join(conditions, " AND ")
	}
	m.shadowed[view] = true
	_, err = m.src.ExecContext(ctx, statement)
	return err
}

// Outside is the reason of the exclusion that keeps a report to a part of the
// data; its predicate may name whom the report leaves out, and is not shown.
const Outside = "outside of what this report is about"

const keptTable = "_kept_names"

var (
	providerColumn = regexp.MustCompile(`^(provider(_[a-z0-9]+)?|leader_[12])$`)
	modelColumn    = regexp.MustCompile(`^model(_[12ab])?$`)
)

// column writes a column with its names replaced: where a whole cell is a name,
// and, outside of models, where a name stands in it as a word of its own.
func (m *Masked) column(c described1) string {
	quoted := `"` + strings.ReplaceAll(c.name, `"`, `""`) + `"`
	if len(m.names) == 0 || c.typ != "VARCHAR" {
		return quoted
	}
	expression := "CASE " + quoted
	inside := quoted
	for _, name := range slices.Sorted(maps.Keys(m.names)) {
		expression += fmt.Sprintf(" WHEN %s THEN %s", literal(name), literal(m.names[name]))
		if !modelColumn.MatchString(c.name) {
			inside = fmt.Sprintf(`regexp_replace(%s, %s, %s, 'g')`, inside, literal(`(^|[^\w.-])`+regexp.QuoteMeta(name)+`($|[^\w.-])`), literal(`\1`+strings.ReplaceAll(m.names[name], `\`, `\\`)+`\2`))
		}
	}
	return fmt.Sprintf("%s ELSE %s END AS %s", expression, inside, quoted)
}

type described1 struct{ name, typ string }

// described lists the columns of a query.
func described(ctx context.Context, src Source, query string) ([]described1, error) {
	rows, err := src.QueryContext(ctx, "SELECT column_name, column_type FROM (DESCRIBE "+query+")")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []described1
	for rows.Next() {
		var c described1
		if err := rows.Scan(&c.name, &c.typ); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}
