package groundtruth

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/duck"
	"aircheck/internal/tools/sqltest"
)

// Leverage counts how often the interval of cost_leverage misses the truth, in
// worlds of three providers and three models over ten windows. A window's
// conditions move an offer's spend by a tenth, and four in five answers are
// useful. Providers ask 1, 1.3 and 1.69 times a model's price, models cost 1, 5
// and 25: medians of 1.3 and 5.
func Leverage(ctx context.Context, seeds int) (Finding, error) {
	f := Finding{What: "cost_leverage: the interval misses the leverage", Of: seeds}
	schema, err := build.LoadSchema(ctx)
	if err != nil {
		return f, err
	}
	const truth = 5 / 1.3
	for seed := range seeds {
		lo, hi, err := leverageOf(ctx, schema, seed)
		if err != nil {
			return f, err
		}
		if lo > truth || hi < truth {
			f.Found++
		}
	}
	return f, nil
}

func leverageOf(ctx context.Context, schema *build.Schema, seed int) (lo, hi float64, err error) {
	db, err := duck.Open(ctx, duck.Options{Threads: 1})
	if err != nil {
		return 0, 0, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer conn.Close()
	given := map[string]bool{}
	for table, insert := range leverageWorld(seed) {
		create, err := schema.Create(table)
		if err != nil {
			return 0, 0, err
		}
		if err := duck.Exec(ctx, conn, table, create+"; "+insert); err != nil {
			return 0, 0, err
		}
		if err := sqltest.Number(ctx, conn, schema, table); err != nil {
			return 0, 0, err
		}
		given[table] = true
	}
	const query = "SELECT leverage_lo, leverage_hi FROM cost_leverage"
	if err := schema.Load(ctx, conn, query, given); err != nil {
		return 0, 0, err
	}
	t, err := duck.Query(ctx, conn, "cost_leverage", query)
	if err != nil {
		return 0, 0, err
	}
	lo, isLo := t.Rows[0][0].(float64)
	hi, isHi := t.Rows[0][1].(float64)
	if !isLo || !isHi {
		return 0, 0, fmt.Errorf("seed %d: no interval", seed)
	}
	return lo, hi, nil
}

// leverageWorld gives the rows of a world as statements by table.
func leverageWorld(seed int) map[string]string {
	r := rand.New(stats.PCG(stats.Seed("leverage", fmt.Sprint(seed))))
	const attempts = 20
	var costs, windows []string
	for w := range 10 {
		windows = append(windows, fmt.Sprintf("(%d, true, 'w%d')", w, w))
		for p := range 3 {
			for m := range 3 {
				price := 1e6 * math.Pow(1.3, float64(p)) * math.Pow(5, float64(m)) * math.Exp(0.1*r.NormFloat64())
				useful := 0
				for range attempts {
					if r.IntN(5) > 0 {
						useful++
					}
				}
				costs = append(costs, fmt.Sprintf("('p%d', 'm%d', 's', 'w%d', %d, 0, %d, 0, %d, %d)", p, m, w, attempts, useful, attempts, int64(attempts*price)))
			}
		}
	}
	return map[string]string{
		"results":     "INSERT INTO results (request_id, measured, window_key) VALUES " + strings.Join(windows, ", "),
		"_cell_costs": "INSERT INTO _cell_costs (provider, model, scenario, window_key, charged, unpriced, useful, judged, attempts, high) VALUES " + strings.Join(costs, ", "),
	}
}
