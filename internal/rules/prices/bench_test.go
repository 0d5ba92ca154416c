package prices_test

import (
	"bytes"
	"os"
	"testing"
	"time"

	"aircheck/internal/rules/prices"
)

func BenchmarkLoad(b *testing.B) {
	data, err := os.ReadFile("table.json")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := prices.Load(bytes.NewReader(data), "table.json"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPrice(b *testing.B) {
	q := prices.Query{
		Provider: "anthropic", ModelID: "claude-sonnet-4-5", At: time.Date(2026, 8, 1, 0, 0, 0, 0, time.UTC),
		Usage: prices.Usage{Input: new(int64(1200)), Cached: new(int64(1000)), Output: new(int64(300)), Reasoning: new(int64(100))},
	}
	for b.Loop() {
		if _, ok := prices.Embedded().Price(q); !ok {
			b.Fatal("no price")
		}
	}
}
