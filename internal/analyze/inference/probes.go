package inference

import (
	"context"
	"database/sql"

	"aircheck/internal/analyze/stats"
)

var probeTestsStep = &Step{
	Name: "_probe_tests", Version: 1,
	Key:     []string{"provider", "model", "model_id", "api", "region", "probe"},
	Needs:   []string{"_probed"},
	Columns: "provider VARCHAR, model VARCHAR, model_id VARCHAR, api VARCHAR, region VARCHAR, probe VARCHAR, p DOUBLE",
	Run:     probeTestRows,
}

// probeTestRows tests whether a parameter makes a difference: Fisher's exact
// test of the answers that are as it would have them, with it and without.
func probeTestRows(ctx context.Context, s *Call) error {
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT provider, model, model_id, api, region, probe, k, n, control_k, control_n
		FROM _probed
		WHERE n > 0 AND control_n > 0
		ORDER BY provider, model, model_id NULLS FIRST, api NULLS FIRST, region NULLS FIRST, probe`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var provider, model, probe string
		var id, api, region sql.NullString
		var k, n, ck, cn int
		if err := rows.Scan(&provider, &model, &id, &api, &region, &probe, &k, &n, &ck, &cn); err != nil {
			return err
		}
		if err := s.Append(provider, model, orNull(id.String), orNull(api.String), orNull(region.String), probe, stats.FisherTest(k, n, ck, cn)); err != nil {
			return err
		}
	}
	return rows.Err()
}
