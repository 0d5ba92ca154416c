package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"

	"aircheck/internal/report/words"
)

//go:embed templates/*.html
var templateFiles embed.FS

//go:embed report.css
var styleSheet string

//go:embed report.js
var script string

// templates are parsed once; each report clones them with its language.
var templates = template.Must(template.New("").Funcs(functions(nil)).ParseFS(templateFiles, "templates/*.html"))

// functions are what templates say sentences with.
func functions(l *words.Language) template.FuncMap {
	return template.FuncMap{
		"say":      l.Say,
		"term":     l.Term,
		"sentence": l.Sentence,
		"isolate":  l.Name,
		"name":     func(s string) template.HTML { return markup(l.Name(s)) },
		"text":     markup,
		"plain":    plain,
	}
}

// markup writes a text into a page: a number and its unit stay on one line, and
// the marks around names become elements.
func markup(text string) template.HTML {
	text = unit.ReplaceAllString(text, "$1\u00a0$2")
	return template.HTML(bdi.Replace(template.HTMLEscapeString(text)))
}

var (
	unit = regexp.MustCompile(`(\d) (ms\b|s\b|min\b|毫秒|秒|分钟|小时|天|倍|次|个|家|轮|条|项)`)
	bdi  = strings.NewReplacer("\u2068", "<bdi>", "\u2069", "</bdi>")
)

// plain is a text where no markup can stand: a title, a label.
func plain(text string) string {
	return strings.NewReplacer("\u2068", "", "\u2069", "").Replace(text)
}

// document is one HTML file: the first page, a model's page, or everything.
type document struct {
	Title       string
	Lang        string
	Generator   template.HTML
	CSP         template.HTMLAttr
	CSS         template.CSS
	JS          template.JS
	Kicker      string
	Tool        string
	Checksum    string
	LeftOut     []string
	Models      []*modelPage
	Index       *indexPage // nil on a model's page
	Pages       []*modelPage
	Others      []*otherPage
	List        []*otherPage // of all pages, for the navigation
	Providers   []*otherPage
	Owner       []string
	URL         string
	Address     string // of this page, where the report's is known
	Description string
	Icon        template.HTML
	Cite        *citation
	files       map[string][]byte // that a single file holds
	here        string            // slug of the model's page, "" for the first
	path        string            // of the page from the site's root
	single      bool
	templates   *template.Template
	publication Publication
}

// icon is the page's: two bars, of which one is shorter.
const icon = `<link rel="icon" href="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Crect width='16' height='16' rx='3' fill='%230048c1'/%3E%3Cpath d='M4 5.5h5M4 10.5h8' stroke='%23fff' stroke-width='2.4'/%3E%3C/svg%3E">`

// File is a link to a file of the site; in a single file, the file itself.
func (d *document) File(path string) template.URL {
	if data, ok := d.files[path]; ok && d.single {
		return template.URL("data:application/octet-stream;base64," + base64.StdEncoding.EncodeToString(data))
	}
	return template.URL(d.up() + path)
}

// Site is the report as files: index.html, model/<slug>.html, data/*.csv.
func (r *Report) Site() ([]File, error) {
	files := slices.Clone(r.attached())
	index := r.document()
	index.Index = r.index
	html, err := index.render()
	if err != nil {
		return nil, err
	}
	files = append(files, File{"index.html", html})
	for _, m := range r.models {
		doc := r.document()
		doc.Title = r.options.Language.Say("%s – %s", r.options.Language.Name(m.Model), doc.Title)
		doc.Pages, doc.here, doc.path = []*modelPage{m}, m.Slug, "model/"+m.Slug+".html"
		html, err := doc.render()
		if err != nil {
			return nil, err
		}
		files = append(files, File{"model/" + m.Slug + ".html", html})
	}
	for _, o := range r.others {
		doc := r.document()
		doc.Title = r.options.Language.Say("%s – %s", o.Title, doc.Title)
		doc.Others, doc.path = []*otherPage{o}, o.Path
		html, err := doc.render()
		if err != nil {
			return nil, err
		}
		files = append(files, File{o.Path, html})
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// templates are those in the report's language.
func (r *Report) templates() *template.Template {
	if r.said == nil {
		r.said = template.Must(templates.Clone()).Funcs(functions(r.options.Language))
	}
	return r.said
}

// Single is the report as one self-contained HTML file, without the CSV files.
func (r *Report) Single() ([]byte, error) {
	doc := r.document()
	doc.Index, doc.Pages, doc.Others, doc.single = r.index, r.models, r.others, true
	return doc.render()
}

// unread bounds what a page says of runs that cannot be read.
func unread(all []string) (out []string) {
	const most, long = 10, 300
	for i, line := range all {
		if i == most {
			return append(out, fmt.Sprintf("and %d more", len(all)-most))
		}
		if r := []rune(line); len(r) > long {
			line = string(r[:long]) + "…"
		}
		out = append(out, line)
	}
	return out
}

func (r *Report) document() *document {
	d := &document{Title: r.options.Title, Lang: r.options.Language.Tag, templates: r.templates(), Generator: generator, CSS: template.CSS(styleSheet), JS: template.JS(script),
		CSP:    template.HTMLAttr(`content="default-src 'none'; img-src data:; style-src ` + digest(styleSheet) + `; script-src ` + digest(script) + `; base-uri 'none'; form-action 'none'"`),
		Kicker: r.kicker, Tool: r.options.Tool, Checksum: r.options.Checksum, LeftOut: unread(r.options.LeftOut), Models: r.models,
		Owner: r.options.owner(), URL: r.options.URL, Icon: icon, Cite: &r.citation, publication: r.options.Publication, files: map[string][]byte{}}
	for _, f := range r.attached() {
		d.files[f.Path] = f.Data
	}
	for _, o := range r.others {
		switch {
		case o.Nav != "":
			d.List = append(d.List, o)
		case o.Provider != nil:
			d.Providers = append(d.Providers, o)
		}
	}
	return d
}

// To is a link to a page by its path from the site's root; in a single file,
// to its part.
func (d *document) To(path string) string {
	if d.single {
		return "#" + partID(path)
	}
	return d.up() + path
}

// up leads from this page to the site's root.
func (d *document) up() string { return strings.Repeat("../", strings.Count(d.path, "/")) }

// partID is the anchor of a page in a single file.
func partID(path string) string {
	return "p-" + strings.NewReplacer("/", "-", ".html", "").Replace(path)
}

// Anchor is that of the page in a single file.
func (o *otherPage) Anchor() string { return partID(o.Path) }

// ToMatrix is the page of a measure of the matrix; the first is the index's.
func (d *document) ToMatrix(slug string) string {
	if slug == "" {
		return d.ToIndex("matrix")
	}
	return d.To(slug + ".html")
}

// ToTopic is the page of a question.
func (d *document) ToTopic(slug string) string { return d.To(slug + ".html") }

// ToProvider is the page of a provider.
func (d *document) ToProvider(name string) string {
	for _, p := range d.Providers {
		if p.Provider.Provider == name {
			return d.To(p.Path)
		}
	}
	return d.ToIndex("top")
}

// digest names an inline text in a content security policy.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func (d *document) render() ([]byte, error) {
	var out bytes.Buffer
	d.Address = d.publication.address(d.path)
	switch {
	case d.Index != nil:
		d.Description = plain(d.Index.H1)
	case len(d.Pages) > 0:
		d.Description = plain(d.Pages[0].H1)
	case len(d.Others) > 0:
		d.Description = plain(d.Others[0].H1)
	}
	err := d.templates.ExecuteTemplate(&out, "document.html", d)
	return out.Bytes(), err
}

// ToIndex and ToModel are links between the pages, from where this one lies.
func (d *document) ToIndex(anchor string) string {
	switch {
	case d.single || d.path == "":
		return "#" + anchor
	case anchor == "top":
		return d.up() + "index.html"
	}
	return d.up() + "index.html#" + anchor
}

func (d *document) ToModel(slug, anchor string) string {
	switch {
	case d.single && anchor == "":
		return "#p-" + slug
	case d.single:
		return "#" + anchor
	}
	path := d.up() + "model/" + slug + ".html"
	if anchor != "" {
		path += "#" + anchor
	}
	return path
}

// Here says whether a model's page is the one shown.
func (d *document) Here(slug string) bool { return slug == d.here }

// On hands a part of the page to a template together with the document.
func (d *document) On(part any) map[string]any { return map[string]any{"Doc": d, "It": part} }

// Single says whether all pages stand in one file.
func (d *document) Single() bool { return d.single }

// At says whether the page at a path is the one shown.
func (d *document) At(path string) bool { return path == d.path }
