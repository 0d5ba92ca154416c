package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/record/imports"
)

// conformanceStream is what a file of examples/conformance says beside its reads.
type conformanceStream struct {
	Name    string `json:"name"`
	About   string `json:"about"` // framing, content or ending
	Why     string `json:"why"`
	Request struct {
		URL string `json:"url"`
	} `json:"request"`
	Right map[string]any `json:"right"` // a value, or a list of values that are right
}

// compared reports whether the tools are set against each other by the stream.
func (s *conformanceStream) compared() bool {
	return s.About != "framing" && strings.HasSuffix(s.Request.URL, "/chat/completions")
}

// conformanceStreams reads the suite, by name.
func conformanceStreams(dir string) (out []conformanceStream, files []string, err error) {
	if files, err = filepath.Glob(filepath.Join(dir, "*.json")); err != nil {
		return nil, nil, err
	}
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, nil, err
		}
		var s conformanceStream
		if err := json.Unmarshal(data, &s); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", f, err)
		}
		out = append(out, s)
	}
	return out, files, nil
}

// conformed is the suite, imported and built.
func conformed(ctx context.Context, files []string, dir string) (*build.Reader, error) {
	o := imports.Options{Format: "reads", Files: files, To: dir, Set: imports.Declared{Provider: "suite"}}
	if _, err := imports.Import(ctx, o); err != nil {
		return nil, err
	}
	return build.OpenFor(ctx, build.Options{Dir: dir}, "results", "answers", "definitions_versions")
}

// said is what one tool says of one stream.
type said struct {
	success     bool
	first, took *float64 // ms to the first token, tokens
}

func (s said) String() string {
	text := "failed"
	if s.success {
		text = "ok"
	}
	for _, n := range []struct {
		v    *float64
		unit string
	}{{s.first, " ms"}, {s.took, ""}} {
		if n.v == nil {
			text += " · –"
		} else {
			text += fmt.Sprintf(" · %.4g%s", *n.v, n.unit)
		}
	}
	return text
}

// toolSays are tools and versions as columns, streams as rows.
type toolSays struct {
	tools []string // with their versions; the newest first, each
	newer map[string]bool
	says  map[string]map[string]said // by stream, by tool
}

func toolsOf(ctx context.Context, r duck.Execer) (*toolSays, error) {
	rows, err := r.QueryContext(ctx, `
		SELECT q.caller_request_id, d.tool || ' (' || d.versions || ')', d.newest, bool_or(d.success),
			max(d.value) FILTER (d.metric = 'ttft_ms'), max(d.value) FILTER (d.metric = 'output_tokens')
		FROM definitions_versions d JOIN results q ON q.request_id = d.request_id
		WHERE d.tool <> 'aircheck'
		GROUP BY ALL ORDER BY 2, 1`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	t := &toolSays{newer: map[string]bool{}, says: map[string]map[string]said{}}
	for rows.Next() {
		var name, tool string
		var newest bool
		var s said
		if err := rows.Scan(&name, &tool, &newest, &s.success, &s.first, &s.took); err != nil {
			return nil, err
		}
		if !slices.Contains(t.tools, tool) {
			t.tools = append(t.tools, tool)
		}
		t.newer[tool] = newest
		if t.says[name] == nil {
			t.says[name] = map[string]said{}
		}
		t.says[name][tool] = s
	}
	return t, rows.Err()
}

// knownOf reads where a tool's client makes other messages of the bytes: tool, stream, why.
func knownOf(file string) (out [][]string, err error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Split(strings.TrimSpace(line), "\t"); len(f) == 3 && !strings.HasPrefix(line, "#") {
			out = append(out, f)
		}
	}
	return out, nil
}

// endings are the streams of the short form, with what is asked of them.
var endings = []struct{ stream, asks string }{
	{"no-ending", "a stream that stops without any ending"},
	{"error-inside-200", "an error inside a 200"},
	{"empty-answer", "an answer without a word"},
	{"starved", "thinking, and no answer"},
}

// otherTools is the page.
func otherTools(streams []conformanceStream, t *toolSays, known [][]string) string {
	var b strings.Builder
	b.WriteString(`# The same stream, in other tools' words

Written by a test (go test ./internal/tools/docgen -run OtherTools -update) from [the suite](../examples/conformance/README.md) and the view definitions_versions, which states a stream's figures as each tool would. The definitions are held against the tools' own code, of the newest version each: make check drives it with the reads of this suite, its clock set to their times (scripts/replay.sh). Where a tool counts tokens with a tokenizer of its own, the provider's usage stands in.

What is compared is what the tools make of the same messages. How each of them cuts bytes into messages is a table of its own, at the end; streams about framing are not in the others. Nor are those of other dialects than OpenAI's chat, which not every tool reads.

## In short

Which tools take for a success:

`)
	short := shortForm(t)
	b.WriteString(short)
	b.WriteString("\n## First token, tokens, success\n\nA cell says whether the tool counts the request as a success, its first token, and its tokens; – where it states none. *Right* is what the bytes say.\n\n")
	var newest, older []string
	for _, tool := range t.tools {
		if t.newer[tool] {
			newest = append(newest, tool)
		} else {
			older = append(older, tool)
		}
	}
	fmt.Fprintf(&b, "| stream | right | %s |\n|---|---|%s\n", strings.Join(newest, " | "), strings.Repeat("---|", len(newest)))
	for _, s := range streams {
		says := t.says[s.Name]
		if says == nil || !s.compared() {
			continue
		}
		fmt.Fprintf(&b, "| `%s` | %s |", s.Name, rightOf(s))
		for _, tool := range newest {
			fmt.Fprintf(&b, " %s |", says[tool])
		}
		b.WriteByte('\n')
	}
	b.WriteString("\n## Older versions and other settings\n\nWhere they say something else than the newest version of the tool.\n\n| stream | tool | says | the newest says |\n|---|---|---|---|\n")
	for _, s := range streams {
		for _, tool := range older {
			base, _, _ := strings.Cut(tool, " (")
			i := slices.IndexFunc(newest, func(n string) bool { return strings.HasPrefix(n, base+" (") })
			old, has := t.says[s.Name][tool]
			if has && i >= 0 && s.compared() && old.String() != t.says[s.Name][newest[i]].String() {
				fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", s.Name, tool, old, t.says[s.Name][newest[i]])
			}
		}
	}
	b.WriteString("\n## Where a tool makes other messages of the bytes\n\nWhat its own client or parser does to a stream, for which its definition is not to blame.\n\n| tool | stream | what happens |\n|---|---|---|\n")
	for _, k := range known {
		fmt.Fprintf(&b, "| %s | `%s` | %s |\n", k[0], k[1], k[2])
	}
	b.WriteString("\n## What each stream shows\n\n| stream | about | what it shows |\n|---|---|---|\n")
	for _, s := range streams {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", s.Name, s.About, s.Why)
	}
	return b.String()
}

// shortForm is the table that the README has, too.
func shortForm(t *toolSays) string {
	var b strings.Builder
	b.WriteString("| |")
	var newest []string
	for _, tool := range t.tools {
		if t.newer[tool] {
			newest = append(newest, tool)
			base, _, _ := strings.Cut(tool, " (")
			b.WriteString(" " + base + " |")
		}
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(newest)) + "\n")
	for _, e := range endings {
		b.WriteString("| " + e.asks + " |")
		for _, tool := range newest {
			b.WriteString(map[bool]string{true: " **yes** |", false: " no |"}[t.says[e.stream][tool].success])
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func rightOf(s conformanceStream) string {
	one := func(v any) string {
		if list, ok := v.([]any); ok {
			v = list[0]
		}
		if v == nil {
			return "–"
		}
		return fmt.Sprint(v)
	}
	text := one(s.Right["outcome"]) + " · " + one(s.Right["ttft_ms"])
	if s.Right["ttft_ms"] != nil {
		text += " ms"
	}
	return text + " · " + one(s.Right["output_tokens"])
}
