package sqltest

import (
	"context"
	"fmt"
	"slices"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
)

// Number gives the rows of a table that was made by hand the cell_id and
// contest_id that follow from their names, where the table has such columns and
// the given ones are not among them.
func Number(ctx context.Context, e duck.Execer, schema *build.Schema, table string, given ...string) error {
	has := func(column string) bool {
		return slices.ContainsFunc(schema.Columns(table), func(c duck.Column) bool { return c.Name == column })
	}
	for column, names := range map[string]string{
		"cell_id": "provider, model, scenario, concurrency, vantage, params", "contest_id": "model, scenario, concurrency, vantage",
	} {
		if !has(column) || slices.Contains(given, column) {
			continue
		}
		update := fmt.Sprintf("%s; UPDATE %s SET %s = _%s(%s)", schema.File("_cell_id").SQL, table, column, column, names)
		if err := duck.Exec(ctx, e, table, update); err != nil {
			return err
		}
	}
	return nil
}
