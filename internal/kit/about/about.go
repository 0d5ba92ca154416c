// Package about says what a program reads and writes, and carries within it.
package about

import (
	"fmt"
	"runtime/debug"
	"time"

	"aircheck/internal/rules/prices"
	"aircheck/internal/wire/dialect"
	"aircheck/schema"
)

// Parts are the lines that --version adds: schema of the dataset, decoders, date of
// the embedded prices, and DuckDB's Go module where it is linked.
func Parts() []string {
	out := []string{
		fmt.Sprintf("schema %d", schema.Version),
		fmt.Sprintf("decoders %v", dialect.Version),
		"prices " + prices.Embedded().AsOf.Format(time.DateOnly),
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, d := range info.Deps {
			if d.Path == "github.com/duckdb/duckdb-go/v2" {
				out = append(out, "duckdb-go "+d.Version)
			}
		}
	}
	return out
}
