package prices

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"time"
)

// Converted is a table made of a file that others keep.
type Converted struct {
	From      string // "genai-prices" or "models.dev"
	Table     []byte // JSON that [Load] reads
	Providers int
	Models    int
	Left      []string // prices that this version does not know, and how often: left out
}

// modelsDevNames are providers that genai-prices, and so a table, calls otherwise.
var modelsDevNames = map[string]string{"fireworks-ai": "fireworks", "xai": "x-ai", "togetherai": "together", "amazon-bedrock": "aws"}

// modelsDevCosts are the prices of models.dev, dollars a million tokens.
var modelsDevCosts = map[string]string{
	"input": "input_mtok", "output": "output_mtok", "reasoning": "output_reasoning_mtok", "cache_read": "cache_read_mtok",
	"cache_write": "cache_write_mtok", "input_audio": "input_audio_mtok", "output_audio": "output_audio_mtok",
}

// Convert makes a table of genai-prices' data (v2, slim or whole) or of models.dev's
// api.json, true on the day asOf. Providers get the names that the embedded table
// has for them. A price of 0 in models.dev stands for "not billed" as well as for
// free, and is not taken.
func Convert(data []byte, asOf time.Time) (*Converted, error) {
	c := &Converted{}
	left := map[string]int{}
	var providers []map[string]any
	var list []map[string]any
	var named map[string]struct {
		Name   string `json:"name"`
		Models map[string]struct {
			Cost map[string]json.RawMessage `json:"cost"`
		} `json:"models"`
	}
	switch trimmed := bytes.TrimSpace(data); {
	case bytes.HasPrefix(trimmed, []byte("[")):
		d := json.NewDecoder(bytes.NewReader(trimmed))
		d.UseNumber()
		if err := d.Decode(&list); err != nil {
			return nil, fmt.Errorf("not genai-prices' data: %w", err)
		}
		c.From, providers = "genai-prices", fromGenai(list, left)
	case bytes.HasPrefix(trimmed, []byte("{")):
		if err := json.Unmarshal(trimmed, &named); err != nil {
			return nil, fmt.Errorf("not models.dev's api.json: %w", err)
		}
		c.From = "models.dev"
		for _, id := range slices.Sorted(maps.Keys(named)) {
			var models []any
			for _, name := range slices.Sorted(maps.Keys(named[id].Models)) {
				if costs := fromModelsDev(named[id].Models[name].Cost, left); costs["input_mtok"] != nil && costs["output_mtok"] != nil {
					models = append(models, map[string]any{"id": name, "prices": costs})
				}
			}
			if known := modelsDevNames[id]; known != "" {
				id = known
			}
			if len(models) > 0 {
				providers = append(providers, map[string]any{"id": id, "models": models})
			}
		}
	default:
		return nil, errors.New("neither genai-prices' data (a list of providers) nor models.dev's api.json (an object of them)")
	}
	taken := map[string]bool{}
	for _, p := range providers {
		id, _ := p["id"].(string)
		taken[normal(id)] = true
	}
	for _, p := range providers {
		models, _ := p["models"].([]any)
		c.Providers, c.Models = c.Providers+1, c.Models+len(models)
		id, _ := p["id"].(string)
		if known := Embedded().byName[normal(id)]; known != nil && known.ID == id && p["aliases"] == nil {
			p["aliases"] = slices.DeleteFunc(slices.Clone(known.Aliases), func(name string) bool { return taken[normal(name)] })
		}
	}
	if c.Models == 0 {
		return nil, fmt.Errorf("no model with a price in it: is it %s' own file?", c.From)
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	err := e.Encode(map[string]any{"as_of": asOf.Format(time.DateOnly), "grace_days": 92, "sources": []string{"converted from " + c.From}, "providers": providers})
	if err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(left)) {
		c.Left = append(c.Left, fmt.Sprintf("%s (%d times)", key, left[key]))
	}
	c.Table = out.Bytes()
	if _, err := Load(bytes.NewReader(c.Table), "the converted table"); err != nil {
		return nil, fmt.Errorf("%s has changed its form: %w", c.From, err)
	}
	return c, nil
}

// fromGenai drops prices that are not known here, and models left without any.
func fromGenai(list []map[string]any, left map[string]int) (out []map[string]any) {
	drop := func(prices any) bool {
		m, _ := prices.(map[string]any)
		for key := range m {
			if !slices.Contains(priceKeys, key) {
				left[key]++
				delete(m, key)
			}
		}
		return len(m) > 0
	}
	for _, p := range list {
		models, _ := p["models"].([]any)
		var kept []any
		for _, one := range models {
			m, _ := one.(map[string]any)
			some := false
			if entries, ok := m["prices"].([]any); ok {
				m["prices"] = slices.DeleteFunc(entries, func(e any) bool {
					entry, _ := e.(map[string]any)
					has := drop(entry["prices"])
					some = some || has
					return !has
				})
			} else {
				some = drop(m["prices"])
			}
			if some {
				kept = append(kept, m)
			}
		}
		if p["models"] = kept; len(kept) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// fromModelsDev are the prices of one model; tiers by context are objects there.
func fromModelsDev(cost map[string]json.RawMessage, left map[string]int) map[string]any {
	out := map[string]any{}
	for key, raw := range cost {
		value, ok := new(big.Rat).SetString(strings.TrimSpace(string(raw)))
		name := modelsDevCosts[key]
		switch {
		case !ok || name == "":
			left[key]++
		case value.Sign() > 0:
			out[name] = json.RawMessage(strings.TrimSuffix(strings.TrimRight(value.FloatString(9), "0"), "."))
		}
	}
	return out
}
