package main

import (
	"bufio"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"slices"
	"strings"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/human"
	"aircheck/internal/report/table"
	"aircheck/internal/report/words"
)

var compareFormats = []string{"text", "json", "junit", "markdown"}

func writeComparison(w *bufio.Writer, c *build.Comparison, format string) error {
	switch format {
	case "json":
		return compareJSON(w, c)
	case "junit":
		return compareJUnit(w, c)
	case "markdown":
		compareMarkdown(w, c)
	default:
		compareText(w, c)
	}
	return nil
}

// shown is a change as text has it.
type shown struct {
	cell                  []string
	before, after, change string
	p, windows, verdict   string
}

// columnsOf names the parts of cells that are worth a column: provider and model,
// scenario where there are several, and what else it takes to tell cells apart.
func columnsOf(c *build.Comparison) (names []string, get func(build.Cell) []string) {
	type part struct {
		name string
		of   func(build.Cell) string
	}
	parts := []part{
		{"provider", func(x build.Cell) string { return x.Provider }},
		{"model", func(x build.Cell) string { return x.Model }},
	}
	differ := func(p part) bool {
		return slices.ContainsFunc(c.Changes, func(x build.Change) bool { return p.of(x.Cell) != p.of(c.Changes[0].Cell) })
	}
	if p := (part{"scenario", func(x build.Cell) string { return x.Scenario }}); differ(p) {
		parts = append(parts, p)
	}
	get = func(x build.Cell) (out []string) {
		for _, p := range parts {
			out = append(out, p.of(x))
		}
		return out
	}
	for _, p := range []part{
		{"concurrency", func(x build.Cell) string {
			if x.Concurrency == nil {
				return ""
			}
			return fmt.Sprint(*x.Concurrency)
		}},
		{"vantage", func(x build.Cell) string { return deref(x.Vantage) }},
		{"params", func(x build.Cell) string { return deref(x.Params) }},
	} {
		seen := map[string]string{}
		for _, x := range c.Changes {
			key := strings.Join(get(x.Cell), "\x00")
			if other, ok := seen[key]; ok && other != p.of(x.Cell) {
				parts = append(parts, p)
				break
			}
			seen[key] = p.of(x.Cell)
		}
	}
	for _, p := range parts {
		names = append(names, p.name)
	}
	return names, get
}

// telling leaves out what tells a reader nothing: what was 0 and stayed 0, and,
// where a side has too few windows to decide anything, what is within the
// margin. note says so.
func telling(c *build.Comparison) (shown *build.Comparison, note string) {
	out := *c
	little := min(c.Before.Windows, c.After.Windows) < stats.MinWindows
	zero := func(v *float64) bool { return v != nil && *v == 0 }
	out.Changes = slices.DeleteFunc(slices.Clone(c.Changes), func(x build.Change) bool {
		return zero(x.LevelBefore) && zero(x.LevelAfter) || little && x.Claim == ""
	})
	if little {
		note = fmt.Sprintf("Fewer than eight windows on a side decide nothing: a difference may be these windows' own. Of %s, %d differ by more than the margin%s",
			words.Count(int64(len(c.Changes)), "comparison"), len(out.Changes), map[bool]string{true: ":", false: "."}[len(out.Changes) > 0])
	}
	return &out, note
}

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

func showChange(x build.Change, cell []string) shown {
	value := func(v *float64) string {
		if v == nil {
			return human.None
		}
		return words.Value(*v, x.Unit)
	}
	s := shown{cell: cell, before: value(x.LevelBefore), after: value(x.LevelAfter), change: changed(x), verdict: reads(x), p: human.None,
		windows: fmt.Sprintf("%d+%d", x.WindowsBefore, x.WindowsAfter)}
	if x.P != nil {
		s.p = fmt.Sprintf("%.3f", *x.P)
		if *x.P < 0.001 {
			s.p = "<0.001"
		}
	}
	return s
}

// reads is the verdict as people read it.
func reads(x build.Change) string {
	switch {
	case x.Verdict == build.Supported:
		return x.Claim
	case x.Verdict == build.Tendency:
		return "leaning " + map[bool]string{true: "worse", false: "better"}[x.Claim == build.Regression] + ": " + x.WhyNot
	}
	return "cannot tell: " + x.WhyNot
}

// changed writes how much, with the interval: "+29% (+12 to +47)", "5.2× (4.4 to
// 6.0)"; shares change by points.
func changed(x build.Change) string {
	switch {
	case x.Unit == "share" && x.LevelBefore != nil && x.LevelAfter != nil:
		points := func(v float64) string { return fmt.Sprintf("%+.1f", 100*v) }
		s := points(*x.LevelAfter-*x.LevelBefore) + " points"
		if x.Lo != nil && x.Hi != nil {
			s += fmt.Sprintf(" (%s to %s)", points(*x.LevelBefore*(*x.Lo-1)), points(*x.LevelBefore*(*x.Hi-1)))
		}
		return s
	case x.Ratio == nil:
		return human.None
	case *x.Ratio >= 2:
		s := human.Ratio(*x.Ratio)
		if x.Lo != nil && x.Hi != nil {
			s += fmt.Sprintf(" (%s to %s)", strings.TrimSuffix(human.Ratio(*x.Lo), "×"), strings.TrimSuffix(human.Ratio(*x.Hi), "×"))
		}
		return s
	}
	percent := func(v float64) string { return fmt.Sprintf("%+.0f", math.Round(100*(v-1))) }
	s := percent(*x.Ratio) + "%"
	if x.Lo != nil && x.Hi != nil {
		s += fmt.Sprintf(" (%s to %s)", percent(*x.Lo), percent(*x.Hi))
	}
	return s
}

// byMetric calls f with the changes of each metric.
func byMetric(c *build.Comparison, f func(list []build.Change)) {
	for from := 0; from < len(c.Changes); {
		to := from
		for to < len(c.Changes) && c.Changes[to].Metric == c.Changes[from].Metric {
			to++
		}
		f(c.Changes[from:to])
		from = to
	}
}

func head(m build.Change) string {
	var margin []string
	if m.MarginRatio > 0 {
		margin = append(margin, fmt.Sprintf("%g%%", math.Round(1000*m.MarginRatio)/10))
	}
	if m.MarginAbs > 0 {
		margin = append(margin, marginOf(m))
	}
	s := fmt.Sprintf("%s (%s): %s is better", m.Title, m.Metric, m.Better)
	if len(margin) > 0 {
		s += ", margin " + strings.Join(margin, " and ")
	}
	return s
}

func marginOf(m build.Change) string {
	if m.Unit == "share" {
		points := math.Round(1000*m.MarginAbs) / 10
		if points == 1 {
			return "1 point"
		}
		return fmt.Sprintf("%g points", points)
	}
	return words.Value(m.MarginAbs, m.Unit)
}

func span(s build.Span) string {
	return fmt.Sprintf("%s (%s, %s)", s.Name, words.Count(int64(s.Windows), "window"), words.Count(s.Requests, "request"))
}

func compareText(w *bufio.Writer, c *build.Comparison) {
	fmt.Fprintf(w, "before: %s\nafter:  %s\n", span(c.Before), span(c.After))
	list, note := telling(c)
	if note != "" {
		fmt.Fprintf(w, "\n%s\n", note)
	}
	names, cells := columnsOf(list)
	byMetric(list, func(list []build.Change) {
		fmt.Fprintf(w, "\n%s\n", head(list[0]))
		rows := [][]string{append(append([]string{}, names...), "before", "after", "change", "p", "windows", "")}
		for _, x := range list {
			s := showChange(x, cells(x.Cell))
			rows = append(rows, append(s.cell, s.before, s.after, s.change, s.p, s.windows, s.verdict))
		}
		width := table.Widths(rows[0], rows[1:])
		full := 0 // of what stands before the verdict
		for _, n := range width[:len(width)-1] {
			full += n + 2
		}
		for _, row := range rows {
			var line strings.Builder
			for j, v := range row {
				if j == len(row)-1 && full+2+len([]rune(v)) > lineWidth { // it has a line of its own
					w.WriteString(strings.TrimRight(line.String(), " ") + "\n    ")
					line.Reset()
				}
				v = table.Printable(v)
				space := strings.Repeat(" ", max(0, width[j]-len([]rune(v))))
				if j == len(names) || j == len(names)+1 || j == len(names)+3 || j == len(names)+4 { // numbers
					line.WriteString("  " + space + v)
				} else {
					line.WriteString("  " + v + space)
				}
			}
			w.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		}
	})
	w.WriteString("\n")
	summarize(w, c)
}

// lineWidth is what a line of text has room for.
const lineWidth = 100

// summarize counts verdicts and names the cells that could not be compared.
func summarize(w *bufio.Writer, c *build.Comparison) {
	n := map[string]int{}
	for _, x := range c.Changes {
		if x.Verdict == build.Supported {
			n[x.Claim]++
		} else {
			n[x.Verdict]++
		}
	}
	fmt.Fprintf(w, "%s, %s, %d unchanged, %d leaning, %d that cannot be told, of %s\n", words.Count(int64(n[build.Regression]), "regression"),
		words.Count(int64(n[build.Improvement]), "improvement"), n[build.Unchanged], n[build.Tendency], n[build.Undecided], words.Count(int64(len(c.Changes)), "comparison"))
	for _, x := range c.Withdrawn {
		fmt.Fprintf(w, "withdrawn: %s: served before, and after it %s told that there is no such model\n",
			table.Printable(x.Cell.String()), told(x.Requests))
	}
	for _, side := range []struct {
		word  string
		cells []build.Cell
	}{{"only before", c.Gone}, {"only after", c.New}} {
		for _, cell := range side.cells {
			fmt.Fprintf(w, "%s: %s\n", side.word, table.Printable(cell.String()))
		}
	}
}

func told(n int64) string {
	if n == 1 {
		return "the one request was"
	}
	return fmt.Sprintf("each of %d requests was", n)
}

func compareMarkdown(w *bufio.Writer, c *build.Comparison) {
	escape := strings.NewReplacer("|", `\|`, "\n", " ", "\r", "", "<", "&lt;", "`", "'", "*", `\*`, "_", `\_`)
	fmt.Fprintf(w, "**Before:** %s  \n**After:** %s\n", escape.Replace(span(c.Before)), escape.Replace(span(c.After)))
	list, note := telling(c)
	if note != "" {
		fmt.Fprintf(w, "\n%s\n", note)
	}
	names, cells := columnsOf(list)
	byMetric(list, func(list []build.Change) {
		fmt.Fprintf(w, "\n#### %s\n\n", escape.Replace(head(list[0])))
		header := append(append([]string{}, names...), "before", "after", "change", "p", "windows", "verdict")
		fmt.Fprintf(w, "| %s |\n|%s---:|---:|---|---:|---:|---|\n", strings.Join(header, " | "), strings.Repeat("---|", len(names)))
		for _, x := range list {
			s := showChange(x, cells(x.Cell))
			if x.Claim == build.Regression && x.Verdict == build.Supported {
				s.verdict = "**" + s.verdict + "**"
			}
			var row []string
			for _, v := range append(s.cell, s.before, s.after, s.change, s.p, s.windows) {
				row = append(row, escape.Replace(v))
			}
			fmt.Fprintf(w, "| %s | %s |\n", strings.Join(row, " | "), s.verdict)
		}
	})
	w.WriteString("\n")
	summarize(w, c)
}

func compareJSON(w *bufio.Writer, c *build.Comparison) error {
	type side struct {
		Name     string `json:"name"`
		Windows  int    `json:"windows"`
		Requests int64  `json:"requests"`
	}
	e := json.NewEncoder(w)
	e.SetIndent("", " ")
	e.SetEscapeHTML(false)
	return e.Encode(struct {
		Before         side               `json:"before"`
		After          side               `json:"after"`
		FalseDiscovery float64            `json:"false_discovery"`
		Changes        []build.Change     `json:"changes"`
		Withdrawn      []build.Withdrawal `json:"withdrawn"`
		OnlyBefore     []build.Cell       `json:"only_before"`
		OnlyAfter      []build.Cell       `json:"only_after"`
	}{side(c.Before), side(c.After), c.FalseDiscovery, none(c.Changes), none(c.Withdrawn), none(c.Gone), none(c.New)})
}

// none is an empty list rather than null.
func none[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

// compareJUnit makes a metric a suite and a cell a case: a regression fails it,
// and where too few windows can tell it is skipped, which is no pass.
func compareJUnit(w *bufio.Writer, c *build.Comparison) error {
	all := junitSuites{Name: fmt.Sprintf("analyze compare %s %s", c.Before.Name, c.After.Name)}
	byMetric(c, func(list []build.Change) {
		suite := junitSuite{Name: list[0].Metric}
		for _, x := range list {
			s := showChange(x, nil)
			text := fmt.Sprintf("%s to %s, %s, p %s, windows %s", s.before, s.after, s.change, s.p, s.windows)
			one := junitCase{Class: list[0].Metric, Name: clean(x.Cell.String()), Out: text}
			switch {
			case x.Claim == build.Regression && x.Verdict == build.Supported:
				one.Failure, one.Out = &junitMessage{Message: "regression: " + s.change, Type: "regression", Text: text}, ""
				suite.Failures++
			case x.Verdict != build.Supported:
				one.Skipped = &junitMessage{Message: x.WhyNot + ": not decided"}
				suite.Skipped++
			}
			suite.Cases = append(suite.Cases, one)
		}
		suite.Tests = len(suite.Cases)
		all.Tests, all.Failures, all.Skipped = all.Tests+suite.Tests, all.Failures+suite.Failures, all.Skipped+suite.Skipped
		all.Suites = append(all.Suites, suite)
	})
	if n := len(c.Withdrawn); n > 0 {
		suite := junitSuite{Name: "withdrawn", Tests: n, Failures: n}
		for _, x := range c.Withdrawn {
			suite.Cases = append(suite.Cases, junitCase{Class: suite.Name, Name: clean(x.Cell.String()),
				Failure: &junitMessage{Message: "served before; after it " + told(x.Requests) + " told that there is no such model", Type: suite.Name}})
		}
		all.Tests, all.Failures, all.Suites = all.Tests+n, all.Failures+n, append(all.Suites, suite)
	}
	w.WriteString(xml.Header)
	e := xml.NewEncoder(w)
	e.Indent("", " ")
	if err := e.Encode(all); err != nil {
		return err
	}
	w.WriteString("\n")
	return nil
}

// clean leaves out what XML cannot hold.
func clean(s string) string { return table.Printable(strings.ToValidUTF8(s, "?")) }
