// Command gen builds the embedded price table from public facts.
//
//	go run ./internal/tools/pricegen --genai data_slim.json --modelsdev providers --as-of 2026-08-13 > internal/rules/prices/table.json
//
// Its inputs are not part of this project:
//
//   - prices/new_data/v2/data_slim.json of github.com/pydantic/genai-prices
//     (MIT), at commit 47df840a5ab10bbcffb8e5ac01b9899032245d1b. The day is not
//     in the file; it holds the change of 2026-08-13 (Gemini 3.7 Flash) and not
//     that of 2026-09-02, so --as-of is the former.
//   - providers/PROVIDER/models/MODEL.toml of github.com/anomalyco/models.dev
//     (MIT), at commit f3fc692299671838c7c65fd8126bf84d81a2e817, in a directory
//     either as there or flattened, each / written as ~.
//
// From genai-prices it takes what decides the price of a text stream: ids,
// matching clauses, prices per token and per request with their dates, hours
// and tiers. It leaves out models without an output price (embeddings,
// transcription), prices per image, second, page or search, and how usage is
// extracted, which the dialects do here. The clauses by which genai-prices
// guesses a provider from a name's part are left out, too, as "openai-like"
// would be billed as OpenAI: aliases.go lists the names instead.
//
// From models.dev it takes models that genai-prices does not know, and prices
// of faster modes as service tiers. Where both know a model and differ, the
// difference is printed and genai-prices kept, unless it knows that name only
// through the clause of another model and the input or output price differs:
// then the file of that very name is nearer to the fact. Context tiers are in
// genai-prices. Zero prices are not taken: in models.dev they stand for "not
// billed" as well as for free.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

func main() {
	genai := flag.String("genai", "", "data_slim.json of genai-prices v2")
	modelsDev := flag.String("modelsdev", "", "directory of models.dev's TOML files")
	asOf := flag.String("as-of", "", "day on which the prices were true")
	flag.Parse()
	if err := run(*genai, *modelsDev, *asOf, os.Stdout, os.Stderr); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

func run(genai, modelsDev, asOf string, stdout, stderr io.Writer) error {
	data, err := os.ReadFile(genai)
	if err != nil {
		return err
	}
	providers, err := fromGenai(data)
	if err != nil {
		return fmt.Errorf("%s: %w", genai, err)
	}
	if err := addModelsDev(providers, modelsDev, stderr); err != nil {
		return err
	}
	for _, p := range providers {
		p.Aliases = aliases[p.ID]
	}
	for id := range aliases {
		if !slices.ContainsFunc(providers, func(p *provider) bool { return p.ID == id }) {
			return fmt.Errorf("aliases name %q, which is no provider", id)
		}
	}
	return write(stdout, asOf, providers)
}

type (
	provider struct {
		ID         string   `json:"id"`
		Name       string   `json:"name"`
		Aliases    []string `json:"aliases,omitempty"`
		APIPattern string   `json:"api_pattern,omitempty"`
		Fallback   []string `json:"fallback_model_providers,omitempty"`
		Models     []*model `json:"-"`
	}
	model struct {
		ID     string  `json:"id"`
		Match  clause  `json:"match,omitempty"`
		Prices entries `json:"prices"`
	}
	// entries are written as one map where there is only one, without a
	// constraint.
	entries []entry
	entry   struct {
		Constraint map[string]string `json:"constraint,omitempty"`
		Prices     priceMap          `json:"prices"`
	}
	priceMap map[string]json.RawMessage
	clause   map[string]json.RawMessage
)

func (e entries) MarshalJSON() ([]byte, error) {
	if len(e) == 1 && e[0].Constraint == nil {
		return json.Marshal(e[0].Prices)
	}
	return json.Marshal([]entry(e))
}

func (e *entries) UnmarshalJSON(b []byte) error {
	if b[0] == '[' {
		return json.Unmarshal(b, (*[]entry)(e))
	}
	*e = make(entries, 1)
	return json.Unmarshal(b, &(*e)[0].Prices)
}

// kept are the price keys of a text stream.
var kept = []string{
	"input_mtok", "cache_read_mtok", "cache_write_mtok", "cache_write_1h_mtok",
	"output_mtok", "output_reasoning_mtok", "requests_kcount",
}

func fromGenai(data []byte) ([]*provider, error) {
	var in []struct {
		provider
		Models []*model `json:"models"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return nil, err
	}
	var out []*provider
	for _, p := range in {
		keep := p.provider
		for _, m := range p.Models {
			for _, e := range m.Prices {
				for k := range e.Prices {
					if !slices.Contains(kept, k) {
						delete(e.Prices, k)
					}
				}
			}
			m.Prices = slices.DeleteFunc(m.Prices, func(e entry) bool { return e.Prices["output_mtok"] == nil })
			if len(m.Prices) == 0 {
				continue
			}
			if only, ok := m.Match["equals"]; ok && string(only) == fmt.Sprintf("%q", m.ID) {
				m.Match = nil
			}
			keep.Models = append(keep.Models, m)
		}
		if len(keep.Models) > 0 {
			out = append(out, &keep)
		}
	}
	return out, nil
}

// write prints one model a line, so that a change of price is a line of a diff.
func write(w io.Writer, asOf string, providers []*provider) error {
	b := bufio.NewWriter(w)
	line := func(v any) string {
		var s strings.Builder
		e := json.NewEncoder(&s)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			panic(err) // maps and strings alone
		}
		return strings.TrimSuffix(s.String(), "\n")
	}
	fmt.Fprintf(b, "{\"as_of\":%q,\"grace_days\":92,\"sources\":%s,\"providers\":[\n", asOf, line([]string{
		"facts of github.com/pydantic/genai-prices (MIT)", "facts of github.com/anomalyco/models.dev (MIT)",
	}))
	for i, p := range providers {
		fmt.Fprintf(b, "%s,\"models\":[\n", strings.TrimSuffix(line(p), "}"))
		for j, m := range p.Models {
			fmt.Fprint(b, line(m))
			if j < len(p.Models)-1 {
				fmt.Fprint(b, ",")
			}
			fmt.Fprintln(b)
		}
		fmt.Fprint(b, "]}")
		if i < len(providers)-1 {
			fmt.Fprint(b, ",")
		}
		fmt.Fprintln(b)
	}
	fmt.Fprintln(b, "]}")
	return b.Flush()
}
