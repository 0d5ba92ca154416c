package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// renamed are providers that genai-prices knows by another id.
var renamed = map[string]string{"fireworks-ai": "fireworks", "xai": "x-ai", "togetherai": "together", "amazon-bedrock": "aws"}

var costKeys = map[string]string{
	"input": "input_mtok", "output": "output_mtok", "reasoning": "output_reasoning_mtok",
	"cache_read": "cache_read_mtok", "cache_write": "cache_write_mtok",
}

// addModelsDev adds what genai-prices lacks, and says where both differ.
func addModelsDev(providers []*provider, dir string, log io.Writer) error {
	var files []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".toml") {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		return err
	}
	slices.Sort(files)
	for _, path := range files {
		rel, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(strings.ReplaceAll(filepath.ToSlash(rel), "~", "/"), ".toml")
		id, name, ok := strings.Cut(strings.TrimPrefix(name, "providers/"), "/models/")
		if !ok {
			continue
		}
		if r := renamed[id]; r != "" {
			id = r
		}
		i := slices.IndexFunc(providers, func(p *provider) bool { return p.ID == id })
		if i < 0 {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		facts, err := readTOML(string(text))
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		providers[i].add(name, facts, log)
	}
	return nil
}

func (p *provider) add(name string, f facts, log io.Writer) {
	lower := strings.ToLower(name)
	i := slices.IndexFunc(p.Models, func(m *model) bool { return m.matches(lower) })
	if i < 0 {
		if f.text && f.cost["input_mtok"] != nil && f.cost["output_mtok"] != nil {
			m := &model{ID: name, Prices: entries{{Prices: f.cost}}}
			m.addModes(f)
			p.Models = append(p.Models, m)
			fmt.Fprintf(log, "added %s/%s\n", p.ID, name)
		}
		return
	}
	m := p.Models[i]
	own := false
	for _, k := range slices.Sorted(maps.Keys(f.cost)) {
		ours := m.Prices[len(m.Prices)-1].Prices[k]
		if ours == nil || ours[0] == '{' || number(ours).Cmp(number(f.cost[k])) == 0 {
			continue
		}
		fmt.Fprintf(log, "differs: %s/%s (%s) %s: %s, models.dev has %s\n", p.ID, name, m.ID, k, ours, f.cost[k])
		own = own || m.ID != name && (k == "input_mtok" || k == "output_mtok")
	}
	if own {
		fmt.Fprintf(log, "taken from models.dev: %s/%s\n", p.ID, name)
		m = &model{ID: name, Prices: entries{{Prices: f.cost}}}
		p.Models = slices.Insert(p.Models, i, m) // before the clause that covers it
	}
	if m.ID == name {
		m.addModes(f)
	}
}

// addModes adds prices of faster modes as service tiers. models.dev states one
// price for inputs of any length there.
func (m *model) addModes(f facts) {
	for _, tier := range slices.Sorted(maps.Keys(f.modes)) {
		m.Prices = append(m.Prices, entry{map[string]string{"service_tier": tier}, f.modes[tier]})
	}
}

func number(b []byte) *big.Rat {
	r, _ := new(big.Rat).SetString(string(b))
	return r
}

// matches evaluates the clauses as prices does when it reads the table.
func (m *model) matches(name string) bool {
	if m.Match == nil {
		return name == strings.ToLower(m.ID)
	}
	return m.Match.matches(name)
}

func (c clause) matches(name string) bool {
	for kind, raw := range c {
		var text string
		var list []clause
		if json.Unmarshal(raw, &text) != nil {
			if err := json.Unmarshal(raw, &list); err != nil {
				panic(err) // not the v2 form
			}
		}
		text = strings.ToLower(text)
		is := func(c clause) bool { return c.matches(name) }
		switch kind {
		case "equals":
			return name == text
		case "starts_with":
			return strings.HasPrefix(name, text)
		case "ends_with":
			return strings.HasSuffix(name, text)
		case "contains":
			return strings.Contains(name, text)
		case "regex":
			return regexp.MustCompile("(?i)" + text).MatchString(name)
		case "or":
			return slices.ContainsFunc(list, is)
		case "and":
			return !slices.ContainsFunc(list, func(c clause) bool { return !is(c) })
		}
	}
	return false
}

// facts are what one TOML file says that matters here.
type facts struct {
	cost  priceMap
	modes map[string]priceMap // by service tier
	text  bool                // the model writes text
}

var (
	sectionLine = regexp.MustCompile(`^\[+([\w.]+)\]+$`)
	numberLine  = regexp.MustCompile(`^(\w+)\s*=\s*([\d._]+)$`)
	costLine    = regexp.MustCompile(`^cost\s*=\s*\{(.*)\}$`)
	tierValue   = regexp.MustCompile(`service_tier\s*=\s*"(\w+)"`)
)

// readTOML reads the few shapes in which models.dev writes prices, and refuses
// a cost that it does not understand.
func readTOML(s string) (f facts, err error) {
	f = facts{cost: priceMap{}, modes: map[string]priceMap{}, text: true}
	section := ""
	mode := map[string]priceMap{}
	for i, line := range strings.Split(s, "\n") {
		line, _, _ = strings.Cut(line, "#")
		line = strings.TrimSpace(line)
		if m := sectionLine.FindStringSubmatch(line); m != nil {
			section = m[1]
			continue
		}
		name, isMode := strings.CutPrefix(section, "experimental.modes.")
		switch {
		case line == "":
		case section == "modalities" && strings.HasPrefix(line, "output"):
			f.text = strings.Contains(line, `"text"`)
		case section == "cost":
			if err := f.cost.set(line); err != nil {
				return f, fmt.Errorf("line %d: %w", i+1, err)
			}
		case isMode && strings.HasPrefix(line, "cost"):
			m := costLine.FindStringSubmatch(line)
			if m == nil {
				return f, fmt.Errorf("line %d: not a cost: %s", i+1, line)
			}
			mode[name] = priceMap{}
			for _, pair := range strings.Split(m[1], ",") {
				if err := mode[name].set(strings.TrimSpace(pair)); err != nil {
					return f, fmt.Errorf("line %d: %w", i+1, err)
				}
			}
		case isMode && strings.HasPrefix(line, "provider") && mode[name] != nil:
			if m := tierValue.FindStringSubmatch(line); m != nil {
				f.modes[m[1]] = mode[name]
			} else {
				f.modes[name] = mode[name]
			}
		}
	}
	return f, nil
}

func (p priceMap) set(line string) error {
	m := numberLine.FindStringSubmatch(line)
	if m == nil {
		return fmt.Errorf("not a price: %s", line)
	}
	key, ok := costKeys[m[1]]
	if !ok {
		return nil // audio
	}
	v := strings.ReplaceAll(m[2], "_", "")
	r := number([]byte(v))
	if r == nil {
		return fmt.Errorf("not a price: %s", line)
	}
	if r.Sign() > 0 {
		p[key] = json.RawMessage(strings.TrimSuffix(strings.TrimRight(r.FloatString(9), "0"), "."))
	}
	return nil
}
