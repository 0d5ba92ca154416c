package main

import (
	"debug/buildinfo"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// module is one that is linked into a program.
type module struct{ Path, Version, Sum string }

// linked are the modules that the programs themselves say they are made of.
func linked(bin, prefix string) ([]module, error) {
	var out []module
	for _, name := range programs {
		info, err := buildinfo.ReadFile(filepath.Join(bin, prefix+name))
		if err != nil {
			return nil, err
		}
		for _, d := range info.Deps {
			for d.Replace != nil {
				d = d.Replace
			}
			if m := (module{d.Path, d.Version, d.Sum}); !slices.Contains(out, m) {
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return out, nil
}

// billOf is a bill of materials in CycloneDX 1.5, without a date, so that it is the
// same for the same programs.
func billOf(modules []module) string {
	type component struct {
		Type    string `json:"type"`
		Name    string `json:"name"`
		Version string `json:"version"`
		PURL    string `json:"purl"`
	}
	bill := struct {
		Format     string      `json:"bomFormat"`
		Spec       string      `json:"specVersion"`
		Version    int         `json:"version"`
		Components []component `json:"components"`
	}{"CycloneDX", "1.5", 1, []component{}}
	for _, m := range modules {
		bill.Components = append(bill.Components, component{"library", m.Path, m.Version, "pkg:golang/" + m.Path + "@" + m.Version})
	}
	data, err := json.MarshalIndent(bill, "", "  ")
	if err != nil {
		panic(err) // strings always encode
	}
	return string(data) + "\n"
}

var licenceName = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([.-].*)?$`)

// licences copies each module's licence from the module cache. A module without
// one is an error: it must not be passed on.
func licences(modules []module, to string) error {
	for _, m := range modules {
		dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", m.Path).Output()
		if err != nil {
			return fmt.Errorf("where is %s: %w", m.Path, err)
		}
		files, err := os.ReadDir(strings.TrimSpace(string(dir)))
		if err != nil {
			return err
		}
		found := false
		for _, f := range files {
			if f.IsDir() || !licenceName.MatchString(f.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(dir)), f.Name()))
			if err != nil {
				return err
			}
			found = true
			if err := save(filepath.Join(to, m.Path, f.Name()), string(text)); err != nil {
				return err
			}
		}
		if !found {
			// The bindings' libraries for each platform carry theirs in the parent.
			if parent, _, ok := strings.Cut(m.Path, "/lib/"); ok && slices.ContainsFunc(modules, func(o module) bool { return o.Path == parent }) {
				continue
			}
			return fmt.Errorf("%s %s has no licence file: it cannot be passed on", m.Path, m.Version)
		}
	}
	return nil
}
