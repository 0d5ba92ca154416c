package chart

import (
	"encoding/xml"
	"errors"
	"fmt"
	"html"
	"html/template"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// The elements and attributes that a chart may consist of. Anything else that
// the drawing library should ever write is an error, not a surprise in a page.
var (
	elements = set("svg path rect circle line polyline polygon text tspan")
	kept     = set("d x y x1 y1 x2 y2 cx cy r width height points transform fill fill-opacity " +
		"stroke stroke-width stroke-opacity stroke-dasharray stroke-linecap stroke-linejoin opacity " +
		"text-anchor dominant-baseline font-size font-weight paint-order")
	dropped = set("class style space pointer-events font-family font-style xmlns xlink version baseProfile viewBox " +
		"stroke-miterlimit ecmeta_ssr_type")
	geometry = set("d x y x1 y1 x2 y2 cx cy r width height points transform")
	decimals = regexp.MustCompile(`-?\d+\.\d{2,}`)
)

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

// clean makes what ECharts wrote fit to stand in a page beside other charts:
// class names and ids (numbered by what the machine drew before), the hover
// style, clipping and inline styles go, numbers lose the digits that no screen
// shows, and the marks of one datum become one group that carries its tip.
func clean(raw string, d *drawing) (template.HTML, error) {
	c := cleaner{d: d}
	dec := xml.NewDecoder(strings.NewReader(strings.Map(legal, raw)))
	for {
		t, err := dec.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return "", fmt.Errorf("read the drawn SVG: %w", err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "style", "defs":
				err = dec.Skip()
			case "g": // only ever there to clip what no chart of ours lets run out
			default:
				err = c.start(t)
			}
		case xml.EndElement:
			if t.Name.Local != "g" {
				c.end(t.Name.Local)
			}
		case xml.CharData:
			if c.inText > 0 {
				c.out.WriteString(html.EscapeString(string(t)))
			}
		}
		if err != nil {
			return "", err
		}
	}
	return template.HTML(c.out.String()), nil
}

// legal replaces a character that XML cannot have: names of models come from
// files, and may hold anything.
func legal(r rune) rune {
	switch {
	case r == '\t', r == '\n', r == '\r', ' ' <= r && r <= 0xD7FF, 0xE000 <= r && r <= 0xFFFD, r >= 0x10000:
		return r
	}
	return '\uFFFD'
}

type cleaner struct {
	d      *drawing
	out    strings.Builder
	depth  int    // open elements
	inText int    // open text elements
	group  string // datum ("series,datum") whose group is open
	skip   bool   // the element now open was left out
}

func (c *cleaner) start(t xml.StartElement) error {
	name := t.Name.Local
	if !elements[name] {
		return fmt.Errorf("drawn SVG: element <%s>", name)
	}
	c.depth++
	if c.depth == 1 {
		w, h := c.d.width, c.d.height
		fmt.Fprintf(&c.out, `<svg class="%s" viewBox="0 0 %d %d" width="%d" height="%d" `, pick(w >= Wide, "wide", "narrow"), w, h, w, h)
		if c.d.title == "" {
			c.out.WriteString(`aria-hidden="true" focusable="false">`)
			return nil
		}
		c.out.WriteString(`role="img"><title>` + html.EscapeString(c.d.title) + "</title>")
		if c.d.desc != "" {
			c.out.WriteString("<desc>" + html.EscapeString(c.d.desc) + "</desc>")
		}
		return nil
	}
	var attrs strings.Builder
	datum := map[string]string{}
	fill := ""
	for _, a := range t.Attr {
		key := a.Name.Local
		switch {
		case key == "style":
			c.style(&attrs, a.Value)
		case strings.HasPrefix(key, "ecmeta_") && strings.HasSuffix(key, "_index"):
			datum[key] = a.Value
		case kept[key]:
			if key == "fill" {
				if fill = a.Value; fill == "#000" {
					continue // a line has no area, and black is the default
				}
			}
			if strings.Contains(a.Value, "url(") {
				return fmt.Errorf("drawn SVG: %s=%q", key, a.Value)
			}
			attr(&attrs, key, a.Value)
		case !dropped[key]:
			return fmt.Errorf("drawn SVG: attribute %s=%q of <%s>", key, a.Value, name)
		}
	}
	if c.depth == 2 {
		c.open(datum)
		if name == "rect" && fill == "none" { // the background
			c.skip = true
			return nil
		}
	}
	if name == "text" {
		c.inText++
	}
	c.out.WriteString("<" + name + attrs.String() + ">")
	return nil
}

// open closes the group of the datum before and opens that of the datum to
// which the next mark belongs.
func (c *cleaner) open(datum map[string]string) {
	key := datum["ecmeta_series_index"] + "," + datum["ecmeta_data_index"]
	if key == c.group {
		return
	}
	if c.group != "" {
		c.out.WriteString("</g>")
	}
	c.group = ""
	if tip := c.tip(datum); tip != "" {
		c.group = key
		c.out.WriteString(`<g data-tip="` + html.EscapeString(tip) + `">`)
	}
}

// tip is the text for a mark; "" for what belongs to no datum.
func (c *cleaner) tip(datum map[string]string) string {
	s, err := strconv.Atoi(datum["ecmeta_series_index"])
	if err != nil || s >= len(c.d.tips) {
		return ""
	}
	i, err := strconv.Atoi(datum["ecmeta_data_index"])
	if err != nil || i >= len(c.d.tips[s]) {
		return ""
	}
	return c.d.tips[s][i]
}

func (c *cleaner) end(name string) {
	c.depth--
	switch {
	case c.skip:
		c.skip = false
		return
	case name == "text":
		c.inText--
	case c.depth == 0 && c.group != "":
		c.out.WriteString("</g>")
	}
	c.out.WriteString("</" + name + ">")
}

// style turns an inline style into attributes: a page's security policy allows
// no inline style, and its style sheet sets the font.
func (c *cleaner) style(b *strings.Builder, css string) {
	for rule := range strings.SplitSeq(css, ";") {
		key, value, _ := strings.Cut(rule, ":")
		if key = strings.TrimSpace(key); kept[key] {
			attr(b, key, strings.TrimSuffix(strings.TrimSpace(value), "px"))
		}
	}
}

func attr(b *strings.Builder, key, value string) {
	if geometry[key] && !strings.HasPrefix(value, "matrix") {
		value = decimals.ReplaceAllStringFunc(value, func(s string) string {
			v, _ := strconv.ParseFloat(s, 64)
			return strconv.FormatFloat(math.Round(v*10)/10, 'f', -1, 64)
		})
	}
	b.WriteString(" " + key + `="` + html.EscapeString(value) + `"`)
}
