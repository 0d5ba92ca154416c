package page

import (
	"bytes"
	"encoding/csv"
	"html"
	"regexp"
	"slices"
	"strings"
)

// attached are the files that stand beside the pages: data, citation, and of
// each figure its drawing, its numbers and its query.
func (r *Report) attached() []File {
	files := slices.Clone(r.data)
	for _, f := range r.figures() {
		if f.Drawn.Wide == "" {
			continue
		}
		files = append(files, File{"figures/" + f.ID + ".svg", standalone(string(f.Drawn.Wide), plain(f.Title))})
		if r.options.Data != DataNone {
			files = append(files, File{"figures/" + f.ID + ".csv", f.Table.csv()}, File{"figures/" + f.ID + ".sql", []byte(f.SQL + "\n")})
		}
	}
	return files
}

var (
	token      = regexp.MustCompile(`--([a-z0-9]+):\s*(#[0-9a-f]{3,6})`)
	reference  = regexp.MustCompile(`var\(--([a-z0-9]+)\)`)
	opening    = regexp.MustCompile(`^<svg [^>]*?viewBox="([^"]+)" width="(\d+)" height="(\d+)"[^>]*>`)
	svgRemoved = regexp.MustCompile(` data-tip="[^"]*"`)
)

// standalone makes a drawing of a page a file of its own: with a name space, a
// title, a background, and the light colours in place of the page's tokens.
func standalone(svg, title string) []byte {
	colours := map[string]string{}
	light, _, _ := strings.Cut(styleSheet, "}") // the first rule holds the light ones
	for _, m := range token.FindAllStringSubmatch(light, -1) {
		colours[m[1]] = m[2]
	}
	svg = reference.ReplaceAllStringFunc(svg, func(s string) string {
		if c := colours[reference.FindStringSubmatch(s)[1]]; c != "" {
			return c
		}
		return "#646b76"
	})
	svg = svgRemoved.ReplaceAllString(svg, "")
	return []byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" + opening.ReplaceAllString(svg,
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="$1" width="$2" height="$3" font-family="system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans CJK SC', sans-serif"><title>`+strings.ReplaceAll(html.EscapeString(title), "$", "$$")+`</title><rect width="$2" height="$3" fill="#fff"/>`))
}

// csv writes a table as it is shown.
func (t table) csv() []byte {
	var out bytes.Buffer
	w := csv.NewWriter(&out)
	line := func(cells []string) {
		for i := range cells {
			cells[i] = guard(plain(cells[i]))
		}
		_ = w.Write(cells) // a buffer takes all
	}
	line(slices.Clone(t.Head))
	for _, r := range t.Rows {
		var cells []string
		for _, c := range r.Cells {
			cells = append(cells, c.Text)
		}
		line(cells)
	}
	w.Flush()
	return out.Bytes()
}
