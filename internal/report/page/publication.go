package page

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"aircheck/internal/kit/yamlx"
	"aircheck/internal/report/words"
)

// Publication says whose a report is. What is empty is left out.
type Publication struct {
	Title   string `yaml:"title"`   // of the whole report; default: what was compared, and when
	Author  string `yaml:"author"`  // a person or an organisation
	URL     string `yaml:"url"`     // where the report stands
	License string `yaml:"license"` // SPDX, or in words
	Edition string `yaml:"edition"` // "2026-11", "second"
}

// ReadPublication reads report.yaml.
func ReadPublication(data []byte, name string) (Publication, error) {
	var p Publication
	err := yamlx.Decode(data, name, &p)
	return p, err
}

// Or takes from other what p leaves open.
func (p Publication) Or(other Publication) Publication {
	for _, f := range []struct{ to, from *string }{
		{&p.Title, &other.Title}, {&p.Author, &other.Author}, {&p.URL, &other.URL}, {&p.License, &other.License}, {&p.Edition, &other.Edition},
	} {
		if *f.to == "" {
			*f.to = *f.from
		}
	}
	return p
}

// Pin is one thing that the numbers of a report rest on: the data set, prices,
// exclusions, an option, the program. Reports that differ in one are cited apart.
type Pin struct{ Name, Value string }

// citation is how to cite a report. Its checksum is the SHA-256 of the pins, a
// line "name value" each, so that two reports share it only where they share all.
type citation struct {
	Checksum string
	Text     string // one sentence after the other
	Pins     []Pin
	Links    []fileLink
	BibTeX   string
	CFF      string
}

// fileLink is a file that a page offers.
type fileLink struct{ Path, Text string }

func checksumOf(pins []Pin) string {
	h := sha256.New()
	for _, p := range pins {
		fmt.Fprintf(h, "%s %s\n", p.Name, p.Value)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// newCitation writes the citation in the three forms that people paste.
func newCitation(l *words.Language, opt Options, kicker string, s scope) citation {
	pins := slices.Clone(opt.Pins)
	if opt.Checksum != "" {
		pins = append(pins, Pin{"dataset", opt.Checksum})
	}
	if opt.Tool != "" {
		pins = append(pins, Pin{"tool", opt.Tool})
	}
	for _, p := range []Pin{{"language", l.Tag}, {"title", opt.Title}, {"author", opt.Author}, {"edition", opt.Edition}} {
		if p.Value != "" {
			pins = append(pins, p)
		}
	}
	slices.SortFunc(pins, func(a, b Pin) int { return strings.Compare(a.Name+"\x00"+a.Value, b.Name+"\x00"+b.Value) })
	c := citation{Checksum: checksumOf(pins), Pins: pins,
		Links: []fileLink{{"CITATION.cff", "CITATION.cff"}, {"citation.bib", "BibTeX"}}}
	title := plain(opt.Title)
	var parts []string
	for _, part := range []string{opt.Author, title, opt.Edition, plain(kicker), opt.URL, c.Checksum} {
		if part != "" {
			parts = append(parts, strings.TrimSuffix(part, "."))
		}
	}
	c.Text = strings.Join(parts, ". ") + "."
	year, day := "", ""
	if s.last.Valid { // dates come from the data, never from the clock
		year, day = s.last.Time.UTC().Format("2006"), s.last.Time.UTC().Format("2006-01-02")
	}
	c.BibTeX = bibTeX(opt.Publication, title, year, c.Checksum)
	c.CFF = cff(opt.Publication, title, day, c.Checksum)
	return c
}

func bibTeX(p Publication, title, year, sum string) string {
	escape := strings.NewReplacer(`\`, `\textbackslash{}`, "{", `\{`, "}", `\}`, "%", `\%`, "&", `\&`, "#", `\#`, "_", `\_`, "$", `\$`, "~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "\n", " ")
	var b strings.Builder
	fmt.Fprintf(&b, "@misc{aircheck-%s,\n", strings.TrimPrefix(sum, "sha256:")[:12])
	for _, f := range [][2]string{{"author", p.Author}, {"title", title}, {"year", year}, {"edition", p.Edition}, {"url", p.URL}, {"note", sum}} {
		if f[1] == "" {
			continue
		}
		value := escape.Replace(words.Visible(f[1]))
		if f[0] == "author" || f[0] == "title" { // as it is written: no parts of a name, no lower case
			value = "{" + value + "}"
		}
		fmt.Fprintf(&b, "  %s = {%s},\n", f[0], value)
	}
	return b.String() + "}\n"
}

// cff writes CITATION.cff, version 1.2.0. JSON strings are YAML strings.
func cff(p Publication, title, day, sum string) string {
	quoted := func(s string) string {
		data, _ := json.Marshal(words.Visible(s))
		return string(data)
	}
	author := p.Author
	if author == "" {
		author = "anonymous"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "cff-version: 1.2.0\nmessage: %s\ntype: dataset\ntitle: %s\nauthors:\n  - name: %s\n", quoted("Please cite this report with its checksum."), quoted(title), quoted(author))
	for _, f := range [][2]string{{"version", p.Edition}, {"date-released", day}, {"url", p.URL}} {
		if f[1] != "" {
			fmt.Fprintf(&b, "%s: %s\n", f[0], quoted(f[1]))
		}
	}
	if spdx(p.License) {
		fmt.Fprintf(&b, "license: %s\n", quoted(p.License))
	}
	fmt.Fprintf(&b, "identifiers:\n  - type: other\n    value: %s\n    description: %s\n", quoted(sum), quoted("SHA-256 of data set, prices, exclusions, options and program"))
	return b.String()
}

// spdx says whether a licence looks like an identifier of that list, which is
// all that the format takes.
func spdx(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' || r == '.' || r == '+')
	})
}

// owner is the line above all: author, edition, licence, address.
func (p Publication) owner() []string {
	var out []string
	for _, s := range []string{p.Author, p.Edition, p.License} {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// address is that of a page where the report stands; "" where that is not said.
func (p Publication) address(file string) string {
	if p.URL == "" || !strings.HasPrefix(p.URL, "https://") && !strings.HasPrefix(p.URL, "http://") {
		return ""
	}
	return strings.TrimSuffix(p.URL, "/") + "/" + strings.TrimSuffix(file, "index.html")
}
