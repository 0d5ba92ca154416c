package prices

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/tools/corpus"
)

var march = time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC)

// What others keep prices as: what is known is taken, the rest is named.
func TestConvert(t *testing.T) {
	for name, in := range map[string]string{
		"models.dev": `{"openai": {"id": "openai", "name": "OpenAI", "models": {
			"gpt-9": {"id": "gpt-9", "cost": {"input": 1.25, "output": 10, "cache_read": 0.125, "context_over_200k": {"input": 2.5}}},
			"gpt-free": {"id": "gpt-free", "cost": {"input": 0, "output": 0}}}}}`,
		"genai-prices": `[{"id": "openai", "name": "OpenAI", "models": [
			{"id": "gpt-9", "match": {"starts_with": "gpt-9"}, "prices": [{"prices": {"input_mtok": 1.25, "output_mtok": 10, "cache_read_mtok": 0.125, "dreams_mtok": 7}}]}]}]`,
	} {
		c, err := Convert([]byte(in), march)
		if err != nil {
			t.Fatal(name, err)
		}
		if c.From != name || c.Models != 1 || len(c.Left) != 1 {
			t.Errorf("%s: %s, %d models, left out %v", name, c.From, c.Models, c.Left)
		}
		table, err := Load(bytes.NewReader(c.Table), "t")
		if err != nil {
			t.Fatal(err)
		}
		if !table.AsOf.Equal(march) || table.byName["openai"] == nil || len(table.byName["openai"].Aliases) == 0 {
			t.Errorf("%s: as of %s, aliases %v", name, table.AsOf, table.byName["openai"])
		}
	}
	for in, want := range map[string]string{
		"hello": "neither genai-prices' data", "[]": "no model with a price", `{"a": 1}`: "not models.dev's api.json", `{"openai": {"models": {}}}`: "no model with a price",
	} {
		if _, err := Convert([]byte(in), march); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", in, err, want)
		}
	}
}

// genai-prices' published file is taken whole.
func TestConvertPublished(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(corpus.Dir(t), "prices", "genai-prices", "prices~new_data~v2~data_slim.json"))
	if err != nil {
		t.Fatal(err)
	}
	c, err := Convert(data, march)
	if err != nil {
		t.Fatal(err)
	}
	if c.Models < 500 || c.Left != nil {
		t.Errorf("%d models of %d providers, left out %v", c.Models, c.Providers, c.Left)
	}
}
