package screen

import (
	"context"
	"database/sql"
	"strings"
	"testing"
	"unicode/utf8"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/report/words"
)

// views opens a database with empty public views and the real registry.
func views(t *testing.T) *duck.DB {
	t.Helper()
	ctx := context.Background()
	schema, err := build.LoadSchema(ctx)
	if err != nil {
		t.Fatal(err)
	}
	db, err := duck.Open(ctx, duck.Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	db.SetMaxOpenConns(1)
	exec(t, db, schema.File("metrics").SQL)
	for _, view := range []string{"runs", "ranks", "flips", "champions", "availability", "errors", "audit"} {
		create, err := schema.Create(view)
		if err != nil {
			t.Fatal(err)
		}
		exec(t, db, create)
	}
	return db
}

func exec(t *testing.T, db *duck.DB, statements string) {
	t.Helper()
	if err := duck.Exec(t.Context(), db, "test", statements); err != nil {
		t.Fatal(err)
	}
}

func show(t *testing.T, db *duck.DB) []string {
	t.Helper()
	lines, err := Screen(t.Context(), db, "traces", Height-1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return lines
}

func TestScreen(t *testing.T) {
	db := views(t)
	if lines := show(t, db); len(lines) != 0 {
		t.Errorf("nothing was measured, and it says %q", lines)
	}
	exec(t, db, `
		INSERT INTO availability (requests, answered) VALUES (40, 40);
		INSERT INTO runs (run_id, primary_metric, origin) VALUES ('r', 'e2e_ms', 'recorded');
		INSERT INTO ranks (metric, scenario, model, provider, estimate, rank_lo, rank_hi, n_windows, n) VALUES
			('ttft_ms', 'chat', 'm1', 'A', 1, 1, 2, 12, 96), ('ttft_ms', 'chat', 'm1', 'B', 2, 1, 2, 12, 96),
			('e2e_ms', 'chat', 'm1', 'A', 100, 1, 1, 12, 96), ('e2e_ms', 'chat', 'm1', 'B', 300, 2, 2, 12, 96),
			('e2e_ms', 'chat', 'm2', 'A', 500, 2, 2, 12, 96), ('e2e_ms', 'chat', 'm2', 'B', 100, 1, 1, 12, 96),
			('e2e_ms', 'chat', 'm3', 'A', 500, 1, 1, 12, 96);
		INSERT INTO flips (axis, metric, provider_a, provider_b, leader_1, leader_2, at_1, at_2, scenario_1, ratio_1, ratio_1_lo, ratio_1_hi, ratio_2, ratio_2_lo, ratio_2_hi,
			n_windows_1, n_windows_2, decided_1, decided_2, evidence, verdict) VALUES
			('model', 'e2e_ms', 'A', 'B', 'A', 'B', 'm1', 'm2', 'chat', 3, 2.6, 3.4, 5, 4.4, 6, 12, 12, true, true, 'windows', 'supported'),
			('concurrency', 'e2e_ms', 'A', 'B', 'A', 'B', '1', '8', 'chat', 9, 9, 9, 9, 9, 9, 12, 12, true, true, 'windows', 'supported'),
			('model', 'ttft_ms', 'A', 'B', 'A', 'B', 'm1', 'm2', 'chat', 9, 9, 9, 9, 9, 9, 12, 12, true, true, 'windows', 'supported');
		INSERT INTO champions (metric, scenario, claim, provider, models, champion_models, contests, candidates, tau_pairs) VALUES
			('e2e_ms', 'chat', 'none', NULL, 2, NULL, 2, 2, 0), ('ttft_ms', 'chat', 'one', 'A', 2, 2, 2, 2, 0)`)
	want := `
Time to the whole answer (e2e_ms)
  m1  A finishes first, 100 ms to B’s 300 ms
  m2  B finishes first, 100 ms to A’s 500 ms
  … and 1 model on one provider only: see the view ranks

  No provider finishes first on both models: each of 2 that could is beaten on one at least.

Flips between models: 1 clear, 0 leaning
  A finishes 3.0× faster than B on m1 (2.6–3.4), and 5.0× slower on m2 (4.4–6.0); both hold over 12
    windows

Other measures
  A starts first on both models.

next: report traces --to site
      analyze sql traces "FROM flips WHERE verdict = 'supported'"`
	if got := strings.Join(show(t, db), "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// However much there is to say, and whatever it is called, it fits a screen.
func TestScreenFits(t *testing.T) {
	db := views(t)
	exec(t, db, `
		INSERT INTO availability (requests, answered) VALUES (40, 40);
		INSERT INTO ranks (metric, scenario, concurrency, vantage, model, provider, estimate, rank_lo, rank_hi, n_windows, n)
			SELECT 'ttft_net_ms', 'chat', c, 'here', 'a-model-with-a-long-name-of-' || m, 'provider ' || chr(27) || '[31m and ' || p, 100 + p, 1, 60, 3, 8
			FROM range(40) r(m), range(60) s(p), (VALUES (1), (8)) t(c);
		INSERT INTO flips (axis, metric, provider_a, provider_b, leader_1, leader_2, at_1, at_2, scenario_1, concurrency_1, vantage, ratio_1, ratio_2, n_windows_1, n_windows_2, decided_1, decided_2, evidence, verdict)
			SELECT 'model', 'ttft_net_ms', 'provider with a name without an end' || p, 'another of that kind, too' || p, 'provider with a name without an end' || p, 'another of that kind, too' || p,
				repeat('x', 120), 'm2', 'chat', 8, 'here', 3, 2, 3, 3, false, false, 'within', 'tendency'
			FROM range(100) r(p);
		INSERT INTO champions (metric, scenario, models, contests, candidates, unbeaten_providers, tau, tau_pairs)
			SELECT metric, 'chat', 40, 80, 60, 'provider one, provider two, provider three', 0.5, 780 FROM metrics`)
	lines := show(t, db)
	if len(lines) > Height-1 {
		t.Errorf("%d lines", len(lines))
	}
	text := strings.Join(lines, "\n")
	for _, line := range lines {
		if n := utf8.RuneCountInString(line); n > Width {
			t.Errorf("%d characters: %s", n, line)
		}
	}
	if strings.Contains(text, "\x1b") {
		t.Errorf("a name moves the cursor: %q", text)
	}
	for _, want := range []string{"1 at a time", "8 at a time", "contests in other settings", "from 3 windows", "a tendency, from 3 windows only", "0 clear, 100 leaning"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
	bold, err := Screen(t.Context(), db, "traces", Height-1, func(s string) string { return "<" + s + ">" })
	if err != nil || !strings.Contains(strings.Join(bold, "\n"), "<Flips>") {
		t.Errorf("headings are not bold: %v\n%s", err, strings.Join(bold, "\n"))
	}
}

// One model leaves nothing to say of places between models, and no flips to
// list; what a reader must know first is there, with the query that lists it.
func TestScreenOfOneModel(t *testing.T) {
	db := views(t)
	exec(t, db, `
		INSERT INTO availability (requests, answered) VALUES (16, 16);
		INSERT INTO runs (run_id, origin, interrupted) VALUES ('r', 'simulated', true);
		INSERT INTO audit (rule, severity) VALUES ('few_trials', 'fault'), ('no_warmup', 'fault'), ('simulated', 'note');
		INSERT INTO ranks (metric, scenario, concurrency, model, provider, estimate, rank_lo, rank_hi, n_windows, n) VALUES
			('ttft_ms', 'chat', 1, 'm1', 'A', 11, 1, 2, 8, 32), ('ttft_ms', 'chat', 1, 'm1', 'B', 30, 1, 2, 8, 32),
			('ttft_ms', 'all', NULL, 'm1', 'A', 900, 1, 2, 1, 6), ('ttft_ms', 'all', NULL, 'm1', 'B', 990, 1, 2, 1, 6)`)
	want := `
Time to first token (ttft_ms), in chat, 1 at a time
  m1  A and B are less than 50 ms apart
  … and 1 contest in other settings: see the view ranks
  There are 8 windows: they find large differences; twelve find most of 30 %.
  Runs: simulated providers; interrupted before its plan ended.
  2 faults of method: analyze sql traces "FROM audit WHERE severity = 'fault'"

next: report traces --to site
      analyze sql traces "FROM ranks WHERE metric = 'ttft_ms'"`
	if got := strings.Join(show(t, db), "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// Where nothing was answered, nothing is said of answers, whatever was timed.
func TestScreenWithoutAnswers(t *testing.T) {
	db := views(t)
	exec(t, db, `
		INSERT INTO availability (requests, answered) VALUES (3, 0);
		INSERT INTO errors (provider, model, outcome, n, answered, example) VALUES ('A', 'm1', 'account', 2, false, 'incorrect api key'), ('A', 'm1', 'timeout', 1, false, NULL);
		INSERT INTO ranks (metric, scenario, model, provider, estimate, rank_lo, rank_hi, n_windows, n) VALUES ('answered_share', 'chat', 'm1', 'A', 0, 1, 1, 1, 3)`)
	want := `
Of 3 measured requests none was answered.
  A · m1 gave nothing: 3 requests, account (incorrect api key)

next: analyze sql traces "FROM errors"`
	if got := strings.Join(show(t, db), "\n"); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

// Every metric of the registry has words, and no sentence made of them breaks a
// name apart or loses one.
func TestEveryMetricHasItsWords(t *testing.T) {
	all := 0
	err := scan(t.Context(), views(t), "SELECT "+words.MetricColumns+" FROM metrics", func(rows *sql.Rows) error {
		var m words.Metric
		if err := rows.Scan(m.Into()...); err != nil {
			return err
		}
		all++
		two := words.Times{Value: new(2.0)}
		f := words.Flip{Axis: "model", Metric: m, Leader1: "Alpha", Leader2: "Beta", At1: "m1", At2: "m2", Times1: two, Times2: two}
		tied := []words.Standing{{Provider: "Alpha", Value: 1, RankLo: new(int64(1)), RankHi: new(int64(2))}, {Provider: "Beta", Value: 2, RankLo: new(int64(1)), RankHi: new(int64(2))}}
		for _, s := range []string{f.Text(), words.Contest(m, tied)} {
			if !strings.Contains(s, "Alpha") || !strings.Contains(s, "Beta") || strings.Contains(s, "  ") || strings.Contains(s, "%!") {
				t.Errorf("%s: %s", m.Name, s)
			}
		}
		return nil
	})
	if err != nil || all == 0 {
		t.Fatal(all, err)
	}
}
