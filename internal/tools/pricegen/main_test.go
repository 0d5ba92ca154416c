package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"aircheck/internal/rules/prices"
	"aircheck/internal/tools/corpus"
)

// The embedded table is what gen makes of its sources.
func TestTableIsGenerated(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "prices")
	var out bytes.Buffer
	err := run(filepath.Join(dir, "genai-prices", "prices~new_data~v2~data_slim.json"), filepath.Join(dir, "models.dev"),
		prices.Embedded().AsOf.Format("2006-01-02"), &out, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("../../rules/prices/table.json")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(out.Bytes(), want) {
		t.Error("internal/rules/prices/table.json is not what go run ./internal/tools/pricegen writes: run it again, or correct gen")
	}
}

func TestReadTOML(t *testing.T) {
	f, err := readTOML(`
name = "Some model"
[cost] # USD
input = 1_000.50
output = 0.0
cache_read = 0.10
input_audio = 3
[[cost.tiers]]
input = 9
[modalities]
output = ["audio"]
[experimental.modes.fast]
cost = { input = 2.00, output = 4 }
provider = { body = { service_tier = "priority" } }
[experimental.modes.turbo]
cost = { input = 3 }
provider = { body = { speed = "fast" } }
`)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.cost) != 2 || string(f.cost["input_mtok"]) != "1000.5" || string(f.cost["cache_read_mtok"]) != "0.1" || f.text {
		t.Errorf("facts: %s text %v", f.cost, f.text)
	}
	if len(f.modes) != 2 || string(f.modes["priority"]["output_mtok"]) != "4" || string(f.modes["turbo"]["input_mtok"]) != "3" {
		t.Errorf("modes: %s", f.modes)
	}
	if _, err := readTOML("[cost]\ninput = \"free\""); err == nil {
		t.Error("a cost that is no number was read")
	}
}
