package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/inference"
	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/yamlx"
	"aircheck/internal/report/page"
	"aircheck/internal/report/words"

	"go.yaml.in/yaml/v3"
)

// publishing gathers what a report is told beside the data.
func publishing(ctx context.Context, s *settings, views *build.Reader, language *words.Language) (*page.Options, error) {
	about, err := aboutOf(s.analysis.Dir)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(page.Levels, page.Level(s.data)) {
		return nil, cli.Usagef("--data %s: want none, derived or full", s.data)
	}
	catalogue, err := documented(ctx)
	if err != nil {
		return nil, err
	}
	o := &page.Options{Language: language, Publication: s.about.Or(about), Data: page.Level(s.data), Catalogue: catalogue, Checksum: checksum(views.Runs()), Tool: tool()}
	o.Pins, err = pins(s)
	return o, err
}

// documented is the catalogue of the public views.
func documented(ctx context.Context) (all []page.View, err error) {
	schema, err := build.LoadSchema(ctx)
	if err != nil {
		return nil, err
	}
	for _, f := range schema.Public() {
		if len(f.Key) == 0 {
			continue
		}
		v := page.View{Name: f.Name, Tells: f.Tells}
		for _, c := range schema.Columns(f.Name) {
			v.Columns = append(v.Columns, page.ViewColumn{Name: c.Name, Type: c.Type, Comment: schema.Doc(f.Name).Columns[c.Name]})
		}
		all = append(all, v)
	}
	return all, nil
}

// baseline compares the data set with an earlier one, by the settings in force
// and the rows that both count.
func baseline(ctx context.Context, s *settings) (*page.Baseline, error) {
	if s.baseline == "" {
		return nil, nil
	}
	if s.pseudonyms != "" || s.where != "" {
		return nil, cli.Usagef("--baseline compares whole data sets by their names: leave out --pseudonyms and --where")
	}
	before, after := s.analysis, s.analysis
	before.Dir, before.Cache = s.baseline, ""
	changed, err := build.CompareDatasets(ctx, before, after, build.CompareOptions{})
	if err != nil {
		return nil, err
	}
	b := &page.Baseline{Name: baselineName(s.baseline)}
	for _, c := range changed.Changes {
		b.Changes = append(b.Changes, page.Change{Metric: c.Metric, Title: c.Title, Unit: c.Unit, Provider: c.Provider, Model: c.Model, Scenario: c.Scenario,
			Concurrency: c.Concurrency, Before: c.LevelBefore, After: c.LevelAfter, Ratio: c.Ratio, Lo: c.Lo, Hi: c.Hi,
			NBefore: c.NBefore, NAfter: c.NAfter, Claim: c.Claim, Verdict: c.Verdict, WhyNot: c.WhyNot})
	}
	for _, c := range changed.Gone {
		b.Gone = append(b.Gone, c.String())
	}
	for _, c := range changed.New {
		b.New = append(b.New, c.String())
	}
	return b, nil
}

// aboutOf reads report.yaml of a data set, where there is one.
func aboutOf(dir string) (page.Publication, error) {
	name := filepath.Join(dir, "report.yaml")
	data, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return page.Publication{}, nil
	}
	if err != nil {
		return page.Publication{}, err
	}
	about, err := page.ReadPublication(data, name)
	if err != nil {
		return about, cli.Fail(cli.Usage, err)
	}
	return about, nil
}

// pins are the settings in force, files by the checksum of what they hold, and
// the options of the report. A table that comes with the program is pinned by
// the program's version.
func pins(s *settings) ([]page.Pin, error) {
	var out []page.Pin
	for _, f := range []struct{ name, path string }{
		{"prices", s.analysis.Prices}, {"aliases", s.analysis.Aliases}, {"exclusions", s.analysis.Exclusions}, {"checks", s.analysis.Checks},
		{"scores", s.analysis.Scores}, {"workloads", s.analysis.Workloads}, {"pseudonyms", s.pseudonyms},
	} {
		if f.path == "" {
			continue
		}
		data, err := os.ReadFile(f.path)
		switch {
		case errors.Is(err, fs.ErrNotExist): // the name of one that comes with the program
			out = append(out, page.Pin{Name: f.name, Value: f.path})
			continue
		case err != nil:
			return nil, err
		}
		sum := sha256.Sum256(data)
		out = append(out, page.Pin{Name: f.name, Value: "sha256:" + hex.EncodeToString(sum[:])})
	}
	for _, p := range []page.Pin{{Name: "period", Value: s.analysis.Period}, {Name: "data", Value: s.data}, {Name: "baseline", Value: baselineName(s.baseline)}} {
		if p.Value != "" {
			out = append(out, p)
		}
	}
	if s.where != "" { // by its checksum: it may name whom the report leaves out
		sum := sha256.Sum256([]byte(s.where))
		out = append(out, page.Pin{Name: "where", Value: "sha256:" + hex.EncodeToString(sum[:])})
	}
	return out, nil
}

// readPseudonyms reads the pairs of a file.
func readPseudonyms(path string) (map[string]string, error) {
	if path == "" {
		return nil, nil
	}
	data, err := yamlx.ReadFile(path)
	if err != nil {
		return nil, err
	}
	names := map[string]string{}
	if err := yamlx.Decode(data, path, &names); err != nil {
		return nil, cli.Fail(cli.Usage, cli.Hint(err, "want a name and its pseudonym a line: example.com: provider A"))
	}
	taken := map[string]string{}
	for name, p := range names {
		if p == "" || name == "" {
			return nil, cli.Usagef("%s: %q stands for %q: neither may be empty", path, p, name)
		}
		if other := taken[p]; other != "" {
			return nil, cli.Usagef("%s: %q stands for two names", path, p)
		}
		taken[p] = name
	}
	return names, nil
}

// narrow turns --where into one more exclusion, of all that it is not true of,
// so that every number is computed without those requests.
func (s *settings) narrow() error {
	s.cleanUp = func() {}
	if s.where == "" {
		return nil
	}
	var all []inference.Exclusion
	if s.analysis.Exclusions != "" {
		var err error
		if all, err = inference.ReadExclusions(s.analysis.Exclusions); err != nil {
			return err
		}
	}
	type entry struct {
		Predicate string `yaml:"predicate"`
		Reason    string `yaml:"reason"`
		Date      string `yaml:"date"`
	}
	var file struct {
		Exclusions []entry `yaml:"exclusions"`
	}
	for _, e := range all {
		file.Exclusions = append(file.Exclusions, entry{e.Predicate, e.Reason, e.Date})
	}
	// The date is of no event: the option is pinned by the citation.
	file.Exclusions = append(file.Exclusions, entry{fmt.Sprintf("(%s) IS NOT TRUE", s.where), page.Outside, "1970-01-01"})
	data, err := yaml.Marshal(file)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "aircheck-report-")
	if err != nil {
		return err
	}
	s.cleanUp = func() { os.RemoveAll(dir) }
	s.analysis.Exclusions = filepath.Join(dir, "exclusions.yaml")
	return os.WriteFile(s.analysis.Exclusions, data, 0o600)
}

// baselineName names a baseline without where it lies on this machine.
func baselineName(dir string) string {
	if dir == "" {
		return ""
	}
	return filepath.Base(filepath.Clean(dir))
}
