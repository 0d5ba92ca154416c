package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/cli"
)

// everything is the text of every file of a site, tables read as rows.
func everything(t *testing.T, site string) map[string]string {
	t.Helper()
	all := files(t, site)
	db, err := sql.Open("duckdb", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for name := range all {
		if !strings.HasSuffix(name, ".parquet") {
			continue
		}
		rows := filepath.Join(t.TempDir(), "rows.csv")
		if _, err := db.Exec("COPY (FROM read_parquet('" + filepath.Join(site, name) + "')) TO '" + rows + "'"); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		data, err := os.ReadFile(rows)
		if err != nil {
			t.Fatal(err)
		}
		all[name] = string(data)
	}
	return all
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Nothing of what is withheld is in any published file: prompts, answers, hosts,
// names of keys, remarks; and with pseudonyms and a condition, no name that they
// stand for or leave out.
func TestNothingIdentifyingIsPublished(t *testing.T) {
	dir, out := dataset(t), t.TempDir()
	always := []string{"planted-host", "PLANTED_KEY", "planted-note"}
	for _, c := range []struct {
		name   string
		lacks  []string
		has    string
		args   []string
		tables bool
	}{
		{"derived", append([]string{"planted-prompt", "planted-answer"}, always...), "alpha", nil, true},
		{"full", always, "planted-answer", []string{"--data", "full"}, true},
		{"masked", append([]string{"alpha", "beta", "planted-prompt"}, always...), "Provider A",
			[]string{"--pseudonyms", write(t, "names.yaml", "alpha: Provider A\n"), "--where", "provider <> 'beta'"}, true},
	} {
		site := filepath.Join(out, c.name)
		single := filepath.Join(out, c.name+".html")
		if status, _, stderr := run(t, append([]string{dir, "--to", site, "--single", single}, c.args...)...); status != cli.OK {
			t.Fatalf("%s: status %d: %s", c.name, status, stderr)
		}
		all, seen := everything(t, site), false
		data, err := os.ReadFile(single)
		if err != nil {
			t.Fatal(err)
		}
		all["single"] = string(data)
		for name, text := range all {
			for _, planted := range c.lacks {
				if strings.Contains(strings.ToLower(text), strings.ToLower(planted)) {
					t.Errorf("%s: %s holds %q", c.name, name, planted)
				}
			}
			seen = seen || strings.Contains(text, c.has)
		}
		if !seen {
			t.Errorf("%s: no file holds %q", c.name, c.has)
		}
		if (all["data/latency.parquet"] != "") != c.tables {
			t.Errorf("%s: tables are published: %v", c.name, !c.tables)
		}
	}
}

// Reports that differ in a setting or an option have pins of their own.
func TestPinsTellReportsApart(t *testing.T) {
	file := func(text string) string { return write(t, "f.yaml", text) }
	seen := map[string]int{}
	for i, edit := range []func(*settings){
		func(*settings) {},
		func(s *settings) { s.analysis.Prices = file("one") }, func(s *settings) { s.analysis.Prices = file("two") },
		func(s *settings) { s.analysis.Exclusions = file("one") }, func(s *settings) { s.analysis.Aliases = file("one") },
		func(s *settings) { s.analysis.Scores = file("one") }, func(s *settings) { s.analysis.Workloads = file("one") },
		func(s *settings) { s.analysis.Checks = file("one") }, func(s *settings) { s.analysis.Period = "day" },
		func(s *settings) { s.where = "trial < 9" }, func(s *settings) { s.pseudonyms = file("one") }, func(s *settings) { s.data = "none" },
	} {
		s := settings{data: "derived"}
		edit(&s)
		list, err := pins(&s)
		if err != nil {
			t.Fatal(err)
		}
		key := fmt.Sprint(list)
		if other, ok := seen[key]; ok {
			t.Errorf("settings %d and %d have the same pins: %s", other, i, key)
		}
		seen[key] = i
	}
	one, two := settings{analysis: build.Options{Prices: file("same")}}, settings{analysis: build.Options{Prices: file("same")}}
	a, _ := pins(&one)
	b, _ := pins(&two)
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("the same content has two pins: %v, %v", a, b)
	}
}

// An edition is frozen beside the latest one, the index lists them, and a change
// since a baseline has its page.
func TestEditions(t *testing.T) {
	dir, site := dataset(t), filepath.Join(t.TempDir(), "site")
	write := func(args ...string) (int, string) {
		status, _, stderr := run(t, append([]string{dir, "--to", site, "--data", "none"}, args...)...)
		return status, stderr
	}
	single := filepath.Join(t.TempDir(), "single")
	for _, args := range [][]string{{"--to", single}, {"--edition", "2026-03"}, {"--edition", "2026-04", "--title", "April", "--baseline", dir}} {
		if status, stderr := write(args...); status != cli.OK {
			t.Fatalf("%v: status %d: %s", args, status, stderr)
		}
	}
	all := files(t, site)
	for name, want := range map[string]string{
		"index.html": `href="2026-04/index.html"`, "2026-04/index.html": "<title>April</title>", "latest/index.html": "<title>April</title>", "2026-03/index.html": "<title>small",
		"2026-04/baseline.html": "Changes since the baseline", "2026-03/edition.json": `"name": "2026-03"`,
	} {
		if !strings.Contains(all[name], want) {
			t.Errorf("%s does not say %q", name, want)
		}
	}
	for _, c := range []struct {
		says string
		args []string
	}{
		{"never changed", []string{"--edition", "2026-03", "--title", "Other"}},
		{"no name of an edition", []string{"--edition", "../x"}}, {"no name of an edition", []string{"--edition", "latest"}},
		{"not empty, and no report", nil},
		{"one report, and no folder of editions", []string{"--to", single, "--edition", "2026-05"}},
	} {
		if status, stderr := write(c.args...); status != cli.Usage || !strings.Contains(stderr, c.says) {
			t.Errorf("%v: status %d, stderr %q", c.args, status, stderr)
		}
	}
	if again := files(t, site); again["2026-03/index.html"] != all["2026-03/index.html"] || len(again) != len(all) {
		t.Error("a refused edition changed another one")
	}
}

// report.yaml beside the data set says whose the report is; options go before it.
func TestReportYAML(t *testing.T) {
	dir, site := dataset(t), filepath.Join(t.TempDir(), "site")
	if err := os.WriteFile(filepath.Join(dir, "report.yaml"), []byte("title: \"A_1 & Co\"\nauthor: The Lab\nurl: https://lab.example/r\nlicense: CC-BY-4.0\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(t, dir, "--to", site, "--author", "Another"); status != cli.OK {
		t.Fatalf("status %d: %s", status, stderr)
	}
	all := files(t, site)
	for file, wants := range map[string][]string{
		"index.html":     {"<title>A_1 &amp; Co</title>", `<link rel="canonical" href="https://lab.example/r/">`, `property="og:title" content="A_1 &amp; Co"`, "<bdi>Another</bdi>"},
		"data.html":      {`<link rel="canonical" href="https://lab.example/r/data.html">`, "data/latency.parquet"},
		"CITATION.cff":   {`license: "CC-BY-4.0"`, `date-released: "2026-03-01"`, `- name: "Another"`},
		"citation.bib":   {`title = {{A\_1 \& Co}}`, "year = {2026}"},
		"data/views.sql": {"CREATE OR REPLACE VIEW latency AS SELECT * FROM read_parquet('latency.parquet');"},
	} {
		for _, want := range wants {
			if !strings.Contains(all[file], want) {
				t.Errorf("%s does not say %q", file, want)
			}
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "report.yaml"), []byte("titel: x\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, stderr := run(t, dir, "--to", site); status != cli.Usage || !strings.Contains(stderr, "titel") {
		t.Errorf("status %d, stderr %q", status, stderr)
	}
}
