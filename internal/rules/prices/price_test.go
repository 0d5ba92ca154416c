package prices_test

import (
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"aircheck/internal/rules/prices"
)

func load(t *testing.T, text string) *prices.Table {
	t.Helper()
	table, err := prices.Load(strings.NewReader(text), "prices.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return table
}

func n(v int64) *int64 { return &v }

func day(s string) time.Time {
	t, err := time.Parse(time.DateTime, s+" 00:00:00"[max(0, len(s)-10):])
	if err != nil {
		panic(err)
	}
	return t
}

// The table of the examples below: one million tokens cost whole dollars, so
// costs can be read off.
const shop = `
- id: shop
  models:
    - id: plain
      prices: {input_mtok: 2, output_mtok: 10}
    - id: caching
      prices: {input_mtok: 2, cache_read_mtok: 0.2, cache_write_mtok: 2.5, cache_write_1h_mtok: 4, output_mtok: 10}
    - id: thinking
      prices: {input_mtok: 2, output_mtok: 8, output_reasoning_mtok: 3}
    - id: fee
      prices: {input_mtok: 1, output_mtok: 1, requests_kcount: 12}
    - id: embedding
      prices: {input_mtok: 1}
    - id: long
      prices:
        input_mtok: {base: 3, tiers: [{start: 200000, price: 6}]}
        cache_read_mtok: 0.3
        output_mtok: {base: 15, tiers: [{start: 200000, price: 22.5}, {start: 400000, price: 30}]}
`

// parts of a quote, missing ones as -1.
func parts(q prices.Quote) [6]int64 {
	var out [6]int64
	for i, p := range []*int64{q.Input, q.CacheRead, q.CacheWrite, q.Output, q.Reasoning, q.Request} {
		out[i] = -1
		if p != nil {
			out[i] = *p
		}
	}
	return out
}

func TestParts(t *testing.T) {
	const usd = 1_000_000_000
	table := load(t, shop)
	for _, c := range []struct {
		name, model string
		usage       prices.Usage
		want        [6]int64 // input, cache read, cache write, output, reasoning, request
		notes       int
	}{
		{"plain", "plain", prices.Usage{Input: n(1e6), Output: n(1e6)}, [6]int64{2 * usd, -1, -1, 10 * usd, -1, -1}, 0},
		{"free of tokens", "plain", prices.Usage{Input: n(0), Output: n(0)}, [6]int64{0, -1, -1, 0, -1, -1}, 0},
		// litellm #6215, aider #5516: cached tokens are part of the input.
		{"subset", "caching", prices.Usage{Input: n(1e6), Cached: n(900_000), Output: n(0)}, [6]int64{usd / 5, 180_000_000, -1, 0, -1, -1}, 0},
		{"all cached", "caching", prices.Usage{Input: n(1e6), Cached: n(1e6), Output: n(0)}, [6]int64{0, usd / 5, -1, 0, -1, -1}, 0},
		// edutelligence #892: the same call from a dialect that counts beside.
		{"disjoint", "caching", prices.Usage{Input: n(100_000), Cached: n(900_000), CacheWrite: n(1e6), Output: n(0), CachedBeside: true}, [6]int64{usd / 5, 180_000_000, 2_500_000_000, 0, -1, -1}, 0},
		{"writes inside", "caching", prices.Usage{Input: n(1e6), CacheWrite: n(200_000), CacheWrite1h: n(300_000), Output: n(0)}, [6]int64{usd, -1, 500_000_000 + 1_200_000_000, 0, -1, -1}, 0},
		{"contradiction", "caching", prices.Usage{Input: n(100_000), Cached: n(900_000), Output: n(0)}, [6]int64{usd / 5, 180_000_000, -1, 0, -1, -1}, 1},
		// opencode PR 17154: no cache price is not a price of nothing.
		{"no discount", "plain", prices.Usage{Input: n(1e6), Cached: n(900_000), CacheWrite: n(50_000), Output: n(0)}, [6]int64{100_000_000, 1_800_000_000, 100_000_000, 0, -1, -1}, 2},
		{"nothing cached", "plain", prices.Usage{Input: n(1e6), Cached: n(0), Output: n(0)}, [6]int64{2 * usd, 0, -1, 0, -1, -1}, 0},
		{"reasoning as output", "plain", prices.Usage{Input: n(0), Output: n(1e6), Reasoning: n(400_000)}, [6]int64{0, -1, -1, 6 * usd, 4 * usd, -1}, 0},
		{"reasoning beside", "plain", prices.Usage{Input: n(0), Output: n(600_000), Reasoning: n(400_000), ReasoningBeside: true}, [6]int64{0, -1, -1, 6 * usd, 4 * usd, -1}, 0},
		{"reasoning apart", "thinking", prices.Usage{Input: n(0), Output: n(1e6), Reasoning: n(400_000)}, [6]int64{0, -1, -1, 4_800_000_000, 1_200_000_000, -1}, 0},
		{"reasoning contradicts", "thinking", prices.Usage{Input: n(0), Output: n(100_000), Reasoning: n(400_000)}, [6]int64{0, -1, -1, 800_000_000, 1_200_000_000, -1}, 1},
		{"fee", "fee", prices.Usage{Input: n(1000), Output: n(1000)}, [6]int64{1_000_000, -1, -1, 1_000_000, -1, 12_000_000}, 0},
		// The context tier goes by all of the input, and takes all of it.
		{"at the step", "long", prices.Usage{Input: n(200_000), Output: n(1000)}, [6]int64{600_000_000, -1, -1, 15_000_000, -1, -1}, 0},
		{"over the step", "long", prices.Usage{Input: n(200_001), Output: n(1000)}, [6]int64{1_200_006_000, -1, -1, 22_500_000, -1, -1}, 0},
		{"over by cache", "long", prices.Usage{Input: n(100_001), Cached: n(100_000), Output: n(0), CachedBeside: true}, [6]int64{600_006_000, 30_000_000, -1, 0, -1, -1}, 0},
		{"second step", "long", prices.Usage{Input: n(0), Cached: n(500_000), Output: n(1000), CachedBeside: true}, [6]int64{0, 150_000_000, -1, 30_000_000, -1, -1}, 0},
	} {
		q, ok := table.Price(prices.Query{Provider: "shop", Model: c.model, Usage: c.usage})
		if !ok {
			t.Errorf("%s: %s", c.name, q.Missing)
			continue
		}
		if got := parts(q); got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
		var total int64
		for _, p := range parts(q) {
			total += max(p, 0)
		}
		if q.Total != total {
			t.Errorf("%s: total %d, parts %d", c.name, q.Total, total)
		}
		if len(q.Notes) != c.notes {
			t.Errorf("%s: notes %q, want %d", c.name, q.Notes, c.notes)
		}
	}
}

// browseruse-agent-bench PR 69: what is not known is no number.
func TestUnknownIsNotZero(t *testing.T) {
	table := load(t, shop)
	ok := prices.Usage{Input: n(1), Output: n(1)}
	for _, c := range []struct {
		q    prices.Query
		want string
	}{
		{prices.Query{Provider: "elsewhere", Model: "plain", Usage: ok}, `provider "elsewhere" is not in the price table`},
		{prices.Query{Model: "plain", Usage: ok}, `provider "" is not in the price table`},
		{prices.Query{Provider: "shop", ModelID: "org/new", Model: "new", Usage: ok}, `model "org/new" or "new" of shop is not in the price table`},
		{prices.Query{Provider: "shop", Model: "plain", ServiceTier: "batch", Usage: ok}, `no price of shop/plain for service tier "batch"`},
		{prices.Query{Provider: "shop", Model: "embedding", Usage: ok}, `shop/embedding: no price for output`},
		{prices.Query{Provider: "shop", Model: "plain", Usage: prices.Usage{Output: n(1)}}, `input tokens are unknown`},
		{prices.Query{Provider: "shop", Model: "plain", Usage: prices.Usage{Input: n(1)}}, `output tokens are unknown`},
		{prices.Query{Provider: "shop", Model: "plain", Usage: prices.Usage{Input: n(-1), Output: n(1)}}, `input tokens are negative`},
		{prices.Query{Provider: "shop", Model: "plain", Usage: prices.Usage{Input: n(1 << 62), Output: n(1)}}, ``},
	} {
		q, ok := table.Price(c.q)
		if c.want == "" { // 2⁶² tokens at two dollars a million fit: 9.2e15 dollars do not
			if ok {
				t.Errorf("cost out of range: %+v", q)
			}
			continue
		}
		if ok || q.Missing != c.want || q.Total != 0 || q.Input != nil {
			t.Errorf("%+v\n got %v %q\nwant %q", c.q, ok, q.Missing, c.want)
		}
	}
}

// Rounded once a part, half to even, whatever the order of the rows.
func TestMoneyIsExact(t *testing.T) {
	table := load(t, `[{id: p, models: [{id: m, prices: {input_mtok: 0.0005, output_mtok: 0.003625}}]}]`)
	// 0.5 nano-dollars a token.
	for tokens, want := range map[int64]int64{1: 0, 2: 1, 3: 2, 5: 2, 7: 4} {
		q, _ := table.Price(prices.Query{Provider: "p", Model: "m", Usage: prices.Usage{Input: n(tokens), Output: n(0)}})
		if q.Total != want {
			t.Errorf("%d tokens: %d, want %d", tokens, q.Total, want)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	var costs []int64
	exact := new(big.Rat)
	for range 2000 {
		tokens := r.Int64N(3_000_000)
		q, _ := table.Price(prices.Query{Provider: "p", Model: "m", Usage: prices.Usage{Input: n(0), Output: &tokens}})
		one := big.NewRat(tokens*3_625, 1000) // nano-dollars
		if diff := new(big.Rat).Sub(one, big.NewRat(q.Total, 1)); diff.Abs(diff).Cmp(big.NewRat(1, 2)) > 0 {
			t.Fatalf("%d tokens: %d, exactly %s", tokens, q.Total, one.FloatString(3))
		}
		exact.Add(exact, one)
		costs = append(costs, q.Total)
	}
	var sum, back int64
	for i := range costs {
		sum += costs[i]
		back += costs[len(costs)-1-i]
	}
	if sum != back {
		t.Error("the sum depends on the order of rows")
	}
	if diff := new(big.Rat).Sub(exact, big.NewRat(sum, 1)); diff.Abs(diff).Cmp(big.NewRat(1000, 1)) > 0 {
		t.Errorf("sum %d, exactly %s", sum, exact.FloatString(3))
	}
}

// litellm PR 39592: the price is that of the hour in which the request began.
func TestHours(t *testing.T) {
	table := load(t, `
- id: p
  models:
    - id: peak
      prices:
        - prices: {input_mtok: 1, output_mtok: 1}
        - constraint: {start_time: "00:30:00Z", end_time: "16:30:00Z"}
          prices: {input_mtok: 2, output_mtok: 2}
    - id: night
      prices:
        - prices: {input_mtok: 2, output_mtok: 2}
        - constraint: {start_time: "16:30", end_time: "00:30"}
          prices: {input_mtok: 1, output_mtok: 1}
`)
	for at, want := range map[string]int64{"00:29": 1, "00:30": 2, "12:00": 2, "16:29": 2, "16:30": 1, "23:59": 1} {
		when, err := time.Parse(time.RFC3339, "2026-08-01T"+at+":00Z")
		if err != nil {
			t.Fatal(err)
		}
		for _, model := range []string{"peak", "night"} {
			// The same instant in another zone is the same price.
			for _, zone := range []*time.Location{time.UTC, time.FixedZone("", 8*3600)} {
				q, ok := table.Price(prices.Query{Provider: "p", Model: model, At: when.In(zone), Usage: prices.Usage{Input: n(1e6), Output: n(0)}})
				if !ok || q.Total != want*1e9 || q.Undated {
					t.Errorf("%s at %s: %+v, want %d", model, at, q, want)
				}
			}
		}
	}
}

const dated = `
as_of: 2026-08-13
grace_days: 30
providers:
  - id: p
    models:
      - id: steady
        prices: {input_mtok: 1, output_mtok: 1}
      - id: cut
        prices:
          - prices: {input_mtok: 10, output_mtok: 10}
          - constraint: {start_date: 2025-06-10}
            prices: {input_mtok: 2, output_mtok: 2}
          - constraint: {start_date: 2027-01-01}
            prices: {input_mtok: 4, output_mtok: 4}
      - id: new
        prices:
          - constraint: {start_date: 2026-07-01}
            prices: {input_mtok: 3, output_mtok: 3}
          - constraint: {start_date: 2026-07-01, service_tier: priority}
            prices: {input_mtok: 6, output_mtok: 6}
`

func TestDates(t *testing.T) {
	table := load(t, dated)
	for _, c := range []struct {
		model, tier, at string
		want            int64
		undated         bool
	}{
		{"steady", "", "2026-08-13", 1, false},
		{"steady", "", "2026-07-14", 1, false},
		{"steady", "", "2026-07-13", 1, true},
		{"steady", "", "2026-09-12", 1, false},
		{"steady", "", "2026-09-13", 1, true},
		{"cut", "", "2024-01-01", 10, true},  // its beginning is not stated
		{"cut", "", "2025-06-09", 10, false}, // it held until the cut
		{"cut", "", "2025-06-10", 2, false},
		{"cut", "", "2026-12-31", 2, false}, // until the announced rise
		{"cut", "", "2027-01-31", 4, false},
		{"cut", "", "2027-02-05", 4, true},
		{"new", "", "2026-06-30", 3, true}, // before it existed: the first, as the form has it
		{"new", "standard", "2026-07-01", 3, false},
		{"new", "Priority", "2026-07-02", 6, false},
	} {
		q, ok := table.Price(prices.Query{Provider: "p", Model: c.model, ServiceTier: c.tier, At: day(c.at), Usage: prices.Usage{Input: n(1e6), Output: n(0)}})
		if !ok || q.Total != c.want*1e9 || q.Undated != c.undated {
			t.Errorf("%s on %s: %d, undated %v (%s); want %d, %v", c.model, c.at, q.Total, q.Undated, q.Missing, c.want, c.undated)
		}
	}
	q, _ := table.Price(prices.Query{Provider: "p", Model: "new", ServiceTier: "priority", At: day("2026-07-02"), Usage: prices.Usage{Input: n(1), Output: n(1)}})
	if q.Source != "p/new from 2026-07-01 priority" {
		t.Errorf("source: %q", q.Source)
	}
	// A plain list says nothing of its day: its dates are all that bounds it.
	plain := load(t, strings.SplitN(dated, "providers:", 2)[1])
	for at, undated := range map[string]bool{"2020-01-01": false, "2030-01-01": false} {
		if q, _ := plain.Price(prices.Query{Provider: "p", Model: "steady", At: day(at), Usage: prices.Usage{Input: n(1), Output: n(1)}}); q.Undated != undated {
			t.Errorf("plain list on %s: undated %v", at, q.Undated)
		}
	}
	if q, _ := plain.Price(prices.Query{Provider: "p", Model: "new", At: day("2026-06-30"), Usage: prices.Usage{Input: n(1), Output: n(1)}}); !q.Undated {
		t.Error("a price before its start_date is dated")
	}
}

func TestQuotesAreAlike(t *testing.T) {
	table := load(t, shop)
	q := prices.Query{Provider: "shop", Model: "plain", Usage: prices.Usage{Input: n(7), Cached: n(3), Output: n(5)}}
	first, _ := table.Price(q)
	second, _ := table.Price(q)
	if !reflect.DeepEqual(first, second) {
		t.Errorf("%+v, then %+v", first, second)
	}
}
