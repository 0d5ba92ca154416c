package inference

import (
	"context"
	"database/sql"

	"aircheck/internal/analyze/agreement"
)

var agreementStep = &Step{
	Name: "_agreement", Version: 1,
	Key:   []string{"model", "scenario", "provider_a", "params_a", "provider_b", "params_b", "prompt_hash"},
	Needs: []string{"results", "_answers", "_checks"},
	Columns: "model VARCHAR, scenario VARCHAR, provider_a VARCHAR, params_a VARCHAR, provider_b VARCHAR, params_b VARCHAR, " +
		"prompt_hash VARCHAR, basis VARCHAR, n_windows BIGINT, n_a BIGINT, n_b BIGINT, " +
		"distance DOUBLE, variation_a DOUBLE, variation_b DOUBLE, p DOUBLE, least_p DOUBLE, q DOUBLE, evidence VARCHAR, " +
		"example_a_request_id BIGINT, example_b_request_id BIGINT",
	Run: agreementRows,
}

// shared are the models and scenarios in which two providers at least answered.
const shared = `
	SELECT model, scenario FROM results WHERE measured AND complete AND prompt_hash IS NOT NULL
	GROUP BY ALL HAVING count(DISTINCT provider) >= 2 ORDER BY ALL`

// sharedAnswers are the answers of a model in a scenario to prompts that two
// providers at least were given, at most so many of each to each prompt, evenly
// spread, in an order that is the same in every build.
const sharedAnswers = `
	WITH here AS (
		SELECT request_id, prompt_hash, provider, coalesce(params, '') AS params, coalesce(window_key, '') AS window_key
		FROM results WHERE measured AND complete AND prompt_hash IS NOT NULL AND model = $1 AND scenario = $2
	),
	shared AS (SELECT prompt_hash FROM here GROUP BY prompt_hash HAVING count(DISTINCT provider) >= 2),
	numbered AS (
		SELECT h.*, row_number() OVER (party ORDER BY window_key, request_id) AS i, count(*) OVER party AS n
		FROM here h JOIN shared s ON s.prompt_hash = h.prompt_hash
		WINDOW party AS (PARTITION BY h.prompt_hash, provider, params)
	)
	SELECT h.request_id, h.prompt_hash, h.provider, h.params, h.window_key, coalesce(a.text, ''), coalesce(a.tool_calls, ''), c.request_id IS NOT NULL
	FROM numbered h
	JOIN _answers a ON a.request_id = h.request_id
	LEFT JOIN (SELECT DISTINCT request_id FROM _checks WHERE kind = 'number') c ON c.request_id = h.request_id
	WHERE n <= $3 OR i * $3 // n > (i - 1) * $3 // n
	ORDER BY h.prompt_hash, h.provider, h.params, h.window_key, h.request_id`

// contest is a model in a scenario.
type contest struct{ model, scenario string }

// agreementRows gives a row for each pair of providers and prompt, and one for
// each pair over all prompts, whose prompt_hash is NULL.
func agreementRows(ctx context.Context, s *Call) error {
	contests, err := contestsOf(ctx, s.Conn)
	if err != nil {
		return err
	}
	var all []*agreement.Pair
	of := map[*agreement.Pair]contest{}
	for _, c := range contests {
		answers, err := readAnswers(ctx, s.Conn, c)
		if err != nil {
			return err
		}
		for _, p := range answers.Pairs() {
			all, of[p] = append(all, p), c
		}
	}
	agreement.Adjust(all)
	for _, p := range all {
		for _, row := range append(p.Prompts, &p.Comparison) {
			var example [2]any
			if row.Example[0] != 0 {
				example = [2]any{row.Example[0], row.Example[1]}
			}
			err := s.Append(of[p].model, of[p].scenario, p.A.Provider, orNull(p.A.Params), p.B.Provider, orNull(p.B.Params),
				orNull(row.Prompt), row.Basis, int64(row.Windows), int64(row.N[0]), int64(row.N[1]),
				value(row.Between), value(row.Within[0]), value(row.Within[1]), value(row.P), value(row.Least), value(row.Q),
				string(row.Evidence), example[0], example[1])
			if err != nil {
				return err
			}
		}
	}
	return nil
}

func contestsOf(ctx context.Context, conn *sql.Conn) ([]contest, error) {
	rows, err := conn.QueryContext(ctx, shared)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var out []contest
	for rows.Next() {
		var c contest
		if err := rows.Scan(&c.model, &c.scenario); err != nil {
			return nil, err
		}
		out = append(out, c)
	}
	return out, rows.Err()
}

func readAnswers(ctx context.Context, conn *sql.Conn, c contest) (*agreement.Answers, error) {
	rows, err := conn.QueryContext(ctx, sharedAnswers, c.model, c.scenario, int64(agreement.Most))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	out := &agreement.Answers{}
	for rows.Next() {
		var who agreement.Party
		var a agreement.Answer
		if err := rows.Scan(&a.Request, &a.Prompt, &who.Provider, &who.Params, &a.Window, &a.Text, &a.Calls, &a.Number); err != nil {
			return nil, err
		}
		out.Add(who, a)
	}
	return out, rows.Err()
}
