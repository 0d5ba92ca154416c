package screen

import (
	"context"
	"database/sql"
	"slices"
	"strings"

	"aircheck/internal/kit/duck"
	"aircheck/internal/report/words"
)

// Views are those that a screen is made of.
var Views = []string{"runs", "metrics", "ranks", "flips", "champions", "availability", "errors", "audit"}

// flipsRead is how many flips are read; a screen holds fewer.
const flipsRead = 12

func (s *screen) read(ctx context.Context, e duck.Execer) error {
	for _, step := range []func(context.Context, duck.Execer) error{s.readCounts, s.readSilent, s.readMetric, s.readContests, s.readFlips, s.readChampions} {
		if err := step(ctx, e); err != nil || s.requests == 0 {
			return err
		}
	}
	return nil
}

// readCounts takes what must be known before any number.
func (s *screen) readCounts(ctx context.Context, e duck.Execer) error {
	return scan(ctx, e, `
		SELECT requests, answered, runs, simulated, interrupted, faults
		FROM (SELECT coalesce(sum(requests), 0)::BIGINT AS requests, coalesce(sum(answered), 0)::BIGINT AS answered FROM availability),
			(SELECT count(*) AS runs, count(*) FILTER (origin = 'simulated') AS simulated, count(*) FILTER (interrupted) AS interrupted FROM runs),
			(SELECT count(*) AS faults `+words.FaultsQuery+`)`, func(rows *sql.Rows) error {
		return rows.Scan(&s.requests, &s.answered, &s.runs.All, &s.runs.Simulated, &s.runs.Interrupted, &s.faults)
	})
}

// readSilent takes the targets that answered nothing, and what they said most
// often instead.
func (s *screen) readSilent(ctx context.Context, e duck.Execer) error {
	return scan(ctx, e, `
		SELECT provider, model, sum(n)::BIGINT, arg_max(outcome, n), coalesce(arg_max(example, n), '')
		FROM errors
		GROUP BY provider, model
		HAVING NOT bool_or(answered)
		ORDER BY provider, model`, func(rows *sql.Rows) error {
		var t silent
		err := rows.Scan(&t.provider, &t.model, &t.requests, &t.outcome, &t.example)
		s.silent = append(s.silent, t)
		return err
	})
}

// readMetric takes the metric that the plan names first, else the first of the
// registry that has values.
func (s *screen) readMetric(ctx context.Context, e duck.Execer) error {
	return scan(ctx, e, `
		SELECT `+words.MetricColumns+`
		FROM metrics
		WHERE metric IN (SELECT metric FROM ranks)
		ORDER BY metric IN (SELECT primary_metric FROM runs) DESC, place
		LIMIT 1`, func(rows *sql.Rows) error {
		return rows.Scan(s.metric.Into()...)
	})
}

func (s *screen) readContests(ctx context.Context, e duck.Execer) error {
	return scan(ctx, e, `
		SELECT model, scenario, concurrency, vantage, provider, estimate, rank_lo, rank_hi, n_windows, n
		FROM ranks
		WHERE metric = $1
		ORDER BY model, scenario, concurrency NULLS FIRST, vantage NULLS FIRST, estimate, provider`, func(rows *sql.Rows) error {
		var c contest
		var x words.Standing
		var windows, n int64
		if err := rows.Scan(&c.model, &c.scenario, &c.concurrency, &c.vantage, &x.Provider, &x.Value, &x.RankLo, &x.RankHi, &windows, &n); err != nil {
			return err
		}
		s.windows = max(s.windows, windows)
		if n := len(s.contests); n == 0 || s.contests[n-1].setting != c.setting || s.contests[n-1].model != c.model {
			s.contests = append(s.contests, c)
		}
		last := &s.contests[len(s.contests)-1]
		last.standings, last.windows, last.n = append(last.standings, x), append(last.windows, windows), append(last.n, n)
		s.rivals = s.rivals || len(last.standings) > 1
		return nil
	}, s.metric.Name)
}

// readFlips takes the strongest flips between models: supported ones first, then
// by the smaller of the two ratios. What reads 1.0× is counted, and not told of.
func (s *screen) readFlips(ctx context.Context, e duck.Execer) error {
	err := scan(ctx, e, `
		SELECT count(*) FILTER (verdict = 'supported'), count(*) FILTER (verdict <> 'supported')
		FROM flips
		WHERE axis = 'model' AND metric = $1`, func(rows *sql.Rows) error {
		return rows.Scan(&s.supported, &s.tendency)
	}, s.metric.Name)
	if err != nil || s.supported+s.tendency == 0 {
		return err
	}
	// A side's strength is that of its weaker end; one pair of providers is told
	// of once.
	return scan(ctx, e, `
		WITH strongest AS (
			SELECT unnest(max_by(f, row(verdict = 'supported', coalesce(least(ratio_1, ratio_2), 0), model_1, model_2, scenario_1, coalesce(concurrency_1, 0), coalesce(vantage, ''))))
			FROM flips f
			WHERE axis = 'model' AND metric = $1 AND (least(ratio_1, ratio_2) >= 1.05) IS NOT FALSE
			GROUP BY provider_a, provider_b
		)
		SELECT leader_1, leader_2, at_1, at_2, ratio_1, ratio_1_lo, ratio_1_hi, ratio_2, ratio_2_lo, ratio_2_hi,
			CASE WHEN leader_1 = provider_a THEN level_a_1 ELSE level_b_1 END, CASE WHEN leader_1 = provider_a THEN level_b_1 ELSE level_a_1 END,
			CASE WHEN leader_1 = provider_a THEN level_a_2 ELSE level_b_2 END, CASE WHEN leader_1 = provider_a THEN level_b_2 ELSE level_a_2 END,
			n_windows_1, n_windows_2, decided_1, decided_2, evidence, scenario_1, concurrency_1, vantage
		FROM strongest
		ORDER BY verdict = 'supported' DESC, decided_1::INT + decided_2::INT DESC, least(ratio_1, ratio_2) DESC NULLS LAST, provider_a, provider_b
		LIMIT $2`, func(rows *sql.Rows) error {
		f := words.Flip{Axis: "model", Metric: s.metric}
		var at setting
		err := rows.Scan(&f.Leader1, &f.Leader2, &f.At1, &f.At2, &f.Times1.Value, &f.Times1.Lo, &f.Times1.Hi, &f.Times2.Value, &f.Times2.Lo, &f.Times2.Hi,
			&f.Levels1[0], &f.Levels1[1], &f.Levels2[0], &f.Levels2[1], &f.Windows1, &f.Windows2, &f.Decided1, &f.Decided2, &f.Evidence,
			&at.scenario, &at.concurrency, &at.vantage)
		s.flips, s.flipsAt = append(s.flips, f), append(s.flipsAt, at)
		return err
	}, s.metric.Name, flipsRead)
}

// otherFamilies are the questions beside the main one that the screen answers.
const otherFamilies = "('start', 'whole', 'speed', 'reliability', 'cost')"

// readChampions takes the rows of the scenario that the contests are shown of.
func (s *screen) readChampions(ctx context.Context, e duck.Execer) error {
	main := s.main()
	in := ""
	if slices.ContainsFunc(s.contests, func(c contest) bool { return c.scenario != main.scenario }) {
		in = main.scenario
	}
	return scan(ctx, e, `
		SELECT coalesce(c.claim, ''), coalesce(c.provider, ''), c.models, coalesce(c.champion_models, 0), c.candidates,
			coalesce(c.unbeaten_providers, ''), c.tau, c.tau_pairs, m.* EXCLUDE (family, place)
		FROM champions c
		JOIN (SELECT family, place, `+words.MetricColumns+` FROM metrics) m ON m.metric = c.metric
		WHERE c.scenario = $2 AND c.models > 1 AND (c.metric = $1 OR m.family IN `+otherFamilies+`
			AND m.family <> (SELECT family FROM metrics WHERE metric = $1)
			AND m.place = (SELECT min(o.place) FROM metrics o JOIN champions d ON d.metric = o.metric WHERE o.family = m.family AND d.scenario = c.scenario))
		ORDER BY m.place`, func(rows *sql.Rows) error {
		c := words.Champion{In: in}
		var unbeaten string
		into := []any{&c.Claim, &c.Provider, &c.Models, &c.ChampionModels, &c.Candidates, &unbeaten, &c.Tau, &c.TauPairs}
		if err := rows.Scan(append(into, c.Metric.Into()...)...); err != nil {
			return err
		}
		if unbeaten != "" {
			c.Unbeaten = strings.Split(unbeaten, ", ")
		}
		if c.Metric.Name == s.metric.Name {
			s.champion = &c
		} else {
			s.others = append(s.others, c)
		}
		return nil
	}, s.metric.Name, main.scenario)
}

func scan(ctx context.Context, e duck.Execer, query string, row func(*sql.Rows) error, args ...any) error {
	rows, err := e.QueryContext(ctx, query, args...)
	if err != nil {
		return duck.Wrap("closing screen", err)
	}
	defer rows.Close()
	for rows.Next() {
		if err := row(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}
