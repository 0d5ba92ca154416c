package groundtruth

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
)

// oddPrices change within the recording, and have all the places they may.
const oddPrices = `
as_of: 2026-03-01
providers:
  - id: p
    models:
      - id: m
        prices:
          - prices: {input_mtok: 0.123456789, cache_read_mtok: 0.0333333333, output_mtok: 0.987654321}
          - constraint: {start_date: 2026-03-04}
            prices: {input_mtok: {base: 0.1, tiers: [{start: 2000, price: 0.2}]}, output_mtok: 0.777777777, output_reasoning_mtok: 1.111111111}
`

// nano is what tokens cost at so many nano-dollars a million, rounded half to
// even, in arithmetic of any length.
func nano(tokens, price int64) int64 {
	n := new(big.Int).Mul(big.NewInt(tokens), big.NewInt(price))
	q, r := new(big.Int).QuoRem(n, big.NewInt(1_000_000), new(big.Int))
	if twice := r.Int64() * 2; twice > 1_000_000 || twice == 1_000_000 && q.Bit(0) == 1 {
		q.Add(q, big.NewInt(1))
	}
	return q.Int64()
}

// owed is what oddPrices come to, worked out by hand: each part is rounded.
func (a *Answer) owed() int64 {
	input, cached, output, thinking := int64(123456789), int64(33333333), int64(987654321), int64(987654321)
	if !a.At.Before(time.Date(2026, 3, 4, 0, 0, 0, 0, time.UTC)) {
		if input = 100000000; a.Input > 2000 {
			input = 200000000
		}
		cached, output, thinking = input, 777777777, 1111111111
	}
	think := int64(0)
	if a.Reasoning != nil {
		think = *a.Reasoning
	}
	return nano(a.Input-a.Cached, input) + nano(a.Cached, cached) + nano(a.Output-think, output) + nano(think, thinking)
}

// Money is exact to the nano-dollar, and the same in whatever order rows were
// recorded, over however many runs and threads.
func TestMoneyIsExact(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(5, 6))
	var list []Answer
	want, useful := int64(0), 0
	for i := range 900 {
		a := Answer{Provider: "p", Model: "m", Scenario: "s", Prompt: fmt.Sprint("h", i%7), Text: "Fine, thank you.", Window: i % 6, Trial: i,
			At: Day.Add(time.Duration(i%6)*24*time.Hour + time.Duration(i)*time.Second), Input: 1 + r.Int64N(4000), Output: 1 + r.Int64N(3000),
			Checks: `[{"contains":"Fine"}]`}
		a.Cached = r.Int64N(a.Input + 1)
		if i%3 == 0 {
			a.Reasoning = new(r.Int64N(a.Output + 1))
		}
		if i%5 == 0 {
			a.Text = "No."
		} else {
			useful++
		}
		want += a.owed()
		list = append(list, a)
	}
	prices := filepath.Join(t.TempDir(), "prices.yaml")
	if err := os.WriteFile(prices, []byte(oddPrices), 0o644); err != nil {
		t.Fatal(err)
	}
	var first string
	for round, runs := range []int{1, 3} {
		dir := t.TempDir()
		writeRuns(t, dir, list, runs)
		r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		got := rows(t, build.Options{Dir: dir, Prices: prices, Workers: []int{1, 4}[round]}, `
			SELECT (SELECT sum(cost_nanousd)::BIGINT FROM results), round(c.spend_high_usd * 1e9)::BIGINT,
				(SELECT sum(round(1e9 * (input_cost_usd + coalesce(cached_cost_usd, 0) + output_cost_usd + coalesce(reasoning_cost_usd, 0)))::BIGINT)::BIGINT FROM results),
				c.useful, c.prices, c.spend_low_usd, c.cost_per_useful_usd, c.wasted_high_usd
			FROM costs c`)
		if exact := fmt.Sprintf("%d %d %d %d 2 ", want, want, want, useful); len(got) < len(exact) || got[:len(exact)] != exact {
			t.Errorf("%d runs: got %s, want %s…", runs, got, exact)
		}
		if first == "" {
			first = got
		}
		if got != first {
			t.Errorf("%d runs, other order: got\n%s, before\n%s", runs, got, first)
		}
	}
}

// writeRuns writes answers in their order of time within runs, which take turns.
func writeRuns(t *testing.T, dir string, list []Answer, runs int) {
	t.Helper()
	for n := range runs {
		d, err := Create(dir, fmt.Sprint("r", n))
		if err != nil {
			t.Fatal(err)
		}
		for i, a := range list {
			if i%runs != n {
				continue
			}
			if _, err := d.Add(a); err != nil {
				t.Fatal(err)
			}
		}
		if err := d.Seal(); err != nil {
			t.Fatal(err)
		}
	}
}

// rows answers a query as text, a line a row.
func rows(t *testing.T, o build.Options, query string) string {
	t.Helper()
	r, err := build.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	table, err := duck.Query(t.Context(), r, "query", query)
	if err != nil {
		t.Fatal(err)
	}
	return lines(table)
}

func lines(t *duck.Table) string {
	out := ""
	for i, row := range t.Rows {
		if i > 0 {
			out += "\n"
		}
		for j, v := range row {
			if j > 0 {
				out += " "
			}
			out += duck.Text(v, t.Types[j])
		}
	}
	return out
}
