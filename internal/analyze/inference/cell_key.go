package inference

import "database/sql"

// cellKey names a cell: what _windows and the metric views have one row of.
type cellKey struct {
	CellID                    int64
	Provider, Model, Scenario string
	Concurrency               sql.NullInt32
	Vantage, Params           sql.NullString
}

// cellColumns are its columns in SQL, with their types, and their order.
const (
	cellColumns = "cell_id BIGINT, provider VARCHAR, model VARCHAR, scenario VARCHAR, concurrency INTEGER, vantage VARCHAR, params VARCHAR"
	cellNames   = "cell_id, provider, model, scenario, concurrency, vantage, params"
	cellOrder   = "provider, model, scenario, concurrency NULLS FIRST, vantage NULLS FIRST, params NULLS FIRST"
)

var cellKeyColumns = []string{"provider", "model", "scenario", "concurrency", "vantage", "params"}

func (k *cellKey) Into() []any {
	return []any{&k.CellID, &k.Provider, &k.Model, &k.Scenario, &k.Concurrency, &k.Vantage, &k.Params}
}

// values are the key's columns for an appender.
func (k *cellKey) values() []any {
	v := []any{k.CellID, k.Provider, k.Model, k.Scenario, nil, nil, nil}
	if k.Concurrency.Valid {
		v[4] = k.Concurrency.Int32
	}
	if k.Vantage.Valid {
		v[5] = k.Vantage.String
	}
	if k.Params.Valid {
		v[6] = k.Params.String
	}
	return v
}
