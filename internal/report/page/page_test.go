package page

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"html"
	"os"
	"path"
	"regexp"
	"strings"
	"sync"
	"testing"

	_ "github.com/duckdb/duckdb-go/v2"

	"aircheck/internal/analyze/build"
	"aircheck/internal/report/words"
)

var write = flag.String("write", "", "directory to write the report of the fixture to, for looking at it")

var options = Options{Checksum: "sha256:0123", Tool: "aircheck test", Catalogue: documented()}

// documented is the catalogue as the command gives it.
func documented() (all []View) {
	s, err := catalogue()
	if err != nil {
		panic(err)
	}
	for _, f := range s.Public() {
		if len(f.Key) == 0 {
			continue
		}
		v := View{Name: f.Name, Tells: f.Tells}
		for _, c := range s.Columns(f.Name) {
			v.Columns = append(v.Columns, ViewColumn{c.Name, c.Type, s.Doc(f.Name).Columns[c.Name]})
		}
		all = append(all, v)
	}
	return all
}

// fixture opens a database with the tables of testdata/fixture.sql, changed by
// more statements.
func fixture(t testing.TB, more ...string) *sql.DB {
	t.Helper()
	db, err := openFixture(more...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

func openFixture(more ...string) (*sql.DB, error) {
	text, err := os.ReadFile("testdata/fixture.sql")
	if err != nil {
		return nil, err
	}
	db, err := sql.Open("duckdb", "")
	if err != nil {
		return nil, err
	}
	others, err := otherViews(db, string(text))
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	for _, statements := range append([]string{string(text), others}, more...) {
		if _, err := db.Exec(statements); err != nil {
			return nil, errors.Join(err, db.Close())
		}
	}
	return db, nil
}

// catalogue is the public views: the fixture has rows of some, and some columns
// of those; the others are there and empty.
var catalogue = sync.OnceValues(func() (*build.Schema, error) { return build.LoadSchema(context.Background()) })

func otherViews(db *sql.DB, have string) (string, error) {
	s, err := catalogue()
	if err != nil {
		return "", err
	}
	statements := "CREATE MACRO definitions_all() AS TABLE SELECT NULL::VARCHAR AS tool, NULL::VARCHAR AS metric, NULL::DOUBLE AS value, NULL::VARCHAR AS note WHERE false;\n"
	for _, f := range s.Public() {
		if len(s.Columns(f.Name)) == 0 || len(f.Key) == 0 {
			continue
		}
		if strings.Contains(have, "CREATE TABLE "+f.Name+" ") {
			for _, c := range s.Columns(f.Name) {
				statements += fmt.Sprintf("ALTER TABLE %s ADD COLUMN IF NOT EXISTS \"%s\" %s;\n", f.Name, c.Name, c.Type)
			}
			continue
		}
		create, err := s.Create(f.Name)
		if err != nil {
			return "", err
		}
		statements += create + ";\n"
	}
	return statements, nil
}

// whole is the report of the unchanged fixture, drawn once for all tests.
var whole = sync.OnceValues(func() ([]File, error) {
	db, err := openFixture()
	if err != nil {
		return nil, err
	}
	defer db.Close()
	return drawn(db)
})

// drawn is the site of a source and, as its last file, the single page.
func drawn(src Source) ([]File, error) {
	r, err := Build(context.Background(), src, options)
	if err != nil {
		return nil, err
	}
	return site(r)
}

// inChinese is drawn in another language.
func inChinese(src Source) ([]File, error) {
	opt := options
	opt.Language, _ = words.LanguageFor("zh")
	r, err := Build(context.Background(), src, opt)
	if err != nil {
		return nil, err
	}
	return site(r)
}

// What a page says in Chinese is Chinese: no sentence, heading or label of ours
// is left in English. Names of others, code and numbers are no words of ours.
func TestNothingStaysEnglish(t *testing.T) {
	opt := options
	opt.Language, _ = words.LanguageFor("zh")
	r, err := compose(t.Context(), fixture(t), opt)
	if err != nil {
		t.Fatal(err)
	}
	foreign := regexp.MustCompile(`(?s)<(script|style|pre|code|bdi)\b.*?</(script|style|pre|code|bdi)>|<dl class="columns">.*?</dl>|<table class="plain data">.*?</table>|<title>.*?</title>`)
	english := regexp.MustCompile(`[a-z]{2,} [a-z]{2,} [a-z]{2,}`)
	for name, page := range pages(must(t)(site(r))) {
		if !strings.Contains(page, `<html lang="zh-Hans">`) {
			t.Errorf("%s: is not marked as Chinese", name)
		}
		text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(foreign.ReplaceAllString(page, ""), "\n")
		for _, m := range english.FindAllString(html.UnescapeString(text), 3) {
			t.Errorf("%s: says %q", name, m)
		}
	}
}

func site(r *Report) ([]File, error) {
	files, err := r.Site()
	if err != nil {
		return nil, err
	}
	single, err := r.Single()
	return append(files, File{"single.html", single}), err
}

func must(t testing.TB) func([]File, error) []File {
	return func(files []File, err error) []File {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return files
	}
}

// undrawn is a report without its drawings, for tests of what it says.
func undrawn(t testing.TB, more ...string) map[string]string {
	t.Helper()
	r, err := compose(t.Context(), fixture(t, more...), options)
	if err != nil {
		t.Fatal(err)
	}
	return pages(must(t)(site(r)))
}

func pages(files []File) map[string]string {
	out := map[string]string{}
	for _, f := range files {
		if strings.HasSuffix(f.Path, ".html") {
			out[f.Path] = string(f.Data)
		}
	}
	return out
}

// rename gives every table's providers and models the names of an attacker.
const hostile = `
UPDATE results SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE latency SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE tails SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE ranks SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE costs SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE availability SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE errors SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE thinking SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE fidelity SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE champions SET provider = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE provider = 'Kestrel';
UPDATE audit SET finding = chr(1) || '</script><img src=x onerror=alert(1)>' WHERE severity = 'fault';
UPDATE flips SET leader_1 = '</script><img src=x onerror=alert(1)>', model_1 = '__f__(alert(1))__f__' WHERE leader_1 = 'Kestrel';
UPDATE results SET model = '__f__(alert(1))__f__' WHERE model = 'qilin-235b';
UPDATE latency SET model = '__f__(alert(1))__f__' WHERE model = 'qilin-235b';
UPDATE tails SET model = '__f__(alert(1))__f__' WHERE model = 'qilin-235b';
UPDATE ranks SET model = '__f__(alert(1))__f__' WHERE model = 'qilin-235b';
UPDATE costs SET model = '__f__(alert(1))__f__' WHERE model = 'qilin-235b';
UPDATE availability SET model = '__f__(alert(1))__f__' WHERE model = 'qilin-235b';
UPDATE errors SET model = '__f__(alert(1))__f__' WHERE model = 'qilin-235b';
UPDATE runs SET name = '<b>''"javascript:alert(1)';`

func TestWrite(t *testing.T) {
	if *write == "" {
		t.Skip("nothing asked for: -write DIR")
	}
	if err := WriteSite(*write, must(t)(whole())); err != nil {
		t.Fatal(err)
	}
}

// The same rows give the same bytes, in whatever order they lie.
func TestSameBytes(t *testing.T) {
	shuffled := "PRAGMA threads=3;"
	for _, table := range []string{"results", "latency", "tails", "ranks", "costs", "availability", "errors", "thinking", "flips", "fidelity", "champions", "audit", "metrics"} {
		shuffled += fmt.Sprintf("CREATE OR REPLACE TABLE %[1]s AS SELECT * FROM %[1]s t ORDER BY hash(t::VARCHAR);", table)
	}
	first, other := must(t)(whole()), must(t)(drawn(fixture(t, shuffled)))
	for i, f := range first {
		if f.Path != other[i].Path || !bytes.Equal(f.Data, other[i].Data) {
			t.Errorf("%s: made again from rows in another order, it differs", f.Path)
		}
	}
}

// A page asks for nothing outside itself, and its policy names its own two
// inline texts and no more.
func TestSelfContained(t *testing.T) {
	outside := regexp.MustCompile(`(?i)\b(src|srcset|action|poster|background|formaction|xlink:href)\s*=|<(link|iframe|img|object|embed|form|base)\b|@import|url\(|https?:|//[a-z]|\bon[a-z]+\s*=|style="`)
	for name, page := range pages(must(t)(whole())) {
		body := strings.Replace(strings.Replace(page, script, "", 1), icon, "", 1)
		body = regexp.MustCompile(`href="data:[^"]*"`).ReplaceAllString(body, "")
		if m := outside.FindString(strings.Replace(body, generator, "", 1)); m != "" {
			t.Errorf("%s: holds %q", name, m)
		}
		for _, want := range []string{"default-src 'none'", "style-src " + digest(styleSheet) + ";", "script-src " + digest(script) + ";"} {
			if !strings.Contains(html.UnescapeString(page), want) {
				t.Errorf("%s: policy without %q", name, want)
			}
		}
		if strings.Count(page, "<script>") != 1 || strings.Count(page, "<style>") != 1 || !strings.Contains(page, "<script>"+script) || !strings.Contains(page, "<style>"+styleSheet) {
			t.Errorf("%s: inline texts are not the two that the policy names", name)
		}
	}
	if len(script) > 4700 {
		t.Errorf("the script has %d bytes; it is to be small", len(script))
	}
	if !strings.Contains(styleSheet[strings.LastIndex(styleSheet, "@media"):], "@media print") {
		t.Error("rules for print are not last")
	}
}

var (
	idAttr   = regexp.MustCompile(` id="([^"]*)"`)
	hrefAttr = regexp.MustCompile(`href="([^"]*)"`)
)

// Every id is there once, every link leads somewhere, every figure, section and
// row of a verdict has its anchor.
func TestAnchors(t *testing.T) {
	files := must(t)(whole())
	ids, exists := map[string]map[string]bool{}, map[string]bool{}
	for name, page := range pages(files) {
		ids[name] = map[string]bool{}
		for _, m := range idAttr.FindAllStringSubmatch(page, -1) {
			if ids[name][m[1]] {
				t.Errorf("%s: id %s twice", name, m[1])
			}
			ids[name][m[1]] = true
		}
		for _, element := range []string{"figure", "section", "article", "table class=\"verdict judged\""} {
			if strings.Count(page, "<"+element) != strings.Count(page, "<"+element+" id=\"") {
				t.Errorf("%s: a %s without an id", name, element)
			}
		}
	}
	for _, f := range files {
		exists[f.Path] = true
	}
	for name, page := range pages(files) {
		links := hrefAttr.FindAllStringSubmatch(page, -1)
		if len(links) < 10 {
			t.Errorf("%s: only %d links", name, len(links))
		}
		for _, m := range links {
			file, anchor, _ := strings.Cut(m[1], "#")
			target := name
			if file != "" {
				target = path.Join(path.Dir(name), file)
			}
			if strings.HasPrefix(m[1], "data:") {
				continue
			}
			if !exists[target] || anchor != "" && !ids[target][anchor] {
				t.Errorf("%s: link to %s leads nowhere", name, m[1])
			}
		}
	}
}

// Names out of a recording are text wherever they appear.
func TestHostileNames(t *testing.T) {
	for name, page := range pages(must(t)(drawn(fixture(t, hostile)))) {
		if strings.Contains(page, "<img") || strings.Contains(page, "<b>&#39;") || strings.Contains(page, "<b>'") {
			t.Errorf("%s: a name became markup", name)
		}
		if n := strings.Count(page, "</script>"); n != 1 {
			t.Errorf("%s: %d ends of a script", name, n)
		}
		if !strings.Contains(html.UnescapeString(page), "</script><img src=x onerror=alert(1)>") {
			t.Errorf("%s: the provider is not shown", name)
		}
	}
}

// contains checks the words of a page, tags and entities taken away.
func contains(t *testing.T, page string, want ...string) {
	t.Helper()
	page = strings.NewReplacer("<bdi>", "", "</bdi>", "", "\u00a0", " ").Replace(page)
	text := html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " "))
	text = strings.Join(strings.Fields(text), " ")
	for _, w := range want {
		if !strings.Contains(text, w) {
			t.Errorf("page does not say %q", w)
		}
	}
}

func lacks(t *testing.T, page string, unwanted ...string) {
	t.Helper()
	for _, w := range unwanted {
		if strings.Contains(html.UnescapeString(page), w) {
			t.Errorf("page says %q", w)
		}
	}
}

func TestIndexSays(t *testing.T) {
	page := undrawn(t)["index.html"]
	contains(t, page,
		"Kestrel starts 2.6× faster than Granite on qilin-235b, and 2.8× slower on tern-r1",
		"Measured 2 March 2026 · from fra1 · 1,440 requests · 5 providers · 3 models",
		"qilin-235b: Kestrel starts first, 160 ms to Halcyon’s 280 ms",
		"osprey-v3: Kestrel and Halcyon start first, less than 50 ms apart",
		"Both hold over 12 windows. Kestrel costs least on all 3 models.", "3 faults of method in these figures.",
		"The audit finds 3 faults of method: fewer than 25 measured requests (3 cells). It has 15 notes, too.", "FROM audit WHERE severity = 'fault';",
		"Cost per 1,000 useful answers", "– cost: no price is known",
		"1,440 requests in 1 run, 12 windows. 1,260 count in the statistics. 180 left out: warm-up.",
		"dataset sha256:0123", "chat-providers, 2 March 2026",
		"Kestrel against Granite 2.6× (2.2 to 3.0) on qilin-235b 2.8× (2.4 to 3.3) on tern-r1 83 / 84 clear",
		"Granite against Delta-9 1.8× on qilin-235b 1.1× on osprey-v3 83 / 20 leaning",
	)
	lacks(t, page, "simulated", "interrupted")
}

func TestModelSays(t *testing.T) {
	page := undrawn(t)["model/tern-r1.html"]
	contains(t, page, "tern-r1: Granite starts first, 240 ms to Halcyon’s 340 ms", "What thinking takes", "server error",
		"– p99: not shown under 100 requests", "Delta-9 left 8 of 84 requests unanswered, the largest share", "– Of cost: the cost of thinking is not known",
		"Per 1,000 useful answers, Kestrel costs least,", "What useful answers cost", "1 fault of method in these figures.",
		"† Halcyon: of 82 answers, 3 are said to be whole and cut short", "ok, but cut short")
}

// Without checks nothing is called useful.
func TestNoChecks(t *testing.T) {
	page := undrawn(t, "UPDATE costs SET basis = 'completed'")["index.html"]
	contains(t, page, "Cost per 1,000 completed answers")
	page = regexp.MustCompile(`(?s)<pre.*?</pre>`).ReplaceAllString(page, "")
	lacks(t, page[strings.Index(page, "<main"):strings.Index(page, `id="method"`)], "useful")
}

// A row of few requests is marked; a provider without any answer has its line,
// with the reason, at the bottom.
func TestThinRows(t *testing.T) {
	page := undrawn(t,
		"UPDATE latency SET n = 12, warning = 'fewer than 25 requests' WHERE provider = 'Granite' AND model = 'qilin-235b'",
		"DELETE FROM latency WHERE provider = 'Kestrel' AND model = 'qilin-235b'; DELETE FROM ranks WHERE provider = 'Kestrel' AND model = 'qilin-235b'",
		"UPDATE results SET outcome = 'server_error', complete = false, answered = false, ttft_net_ms = NULL, ttft_ms = NULL, e2e_ms = NULL WHERE provider = 'Kestrel' AND model = 'qilin-235b'",
		"UPDATE availability SET answered = 0, share = 0 WHERE provider = 'Kestrel' AND model = 'qilin-235b'",
		"UPDATE costs SET cost_per_useful_usd = NULL, useful = 0 WHERE provider = 'Kestrel' AND model = 'qilin-235b'")["model/qilin-235b.html"]
	contains(t, page, "12 *", "* fewer than 25 requests", "– rank, p50, p95, whole answer: no answer arrived", "– cost: no answer was useful", "no answer", "0%")
	rows := regexp.MustCompile(`(?s)<tr id="v-[^"]*">.*?</tr>`).FindAllString(page, -1)
	if len(rows) != 5 || !strings.Contains(rows[4], "Kestrel") {
		t.Errorf("%d rows; the provider without an answer is not the last", len(rows))
	}
	lacks(t, page, "NaN", "Inf", "%!")
}

// One provider, one model, one window: nothing to compare, and it says so.
func TestSmallest(t *testing.T) {
	var only strings.Builder
	for _, table := range []string{"results", "latency", "tails", "ranks", "costs", "availability", "errors", "thinking", "fidelity", "audit"} {
		fmt.Fprintf(&only, "DELETE FROM %s WHERE provider <> 'Kestrel' OR model <> 'qilin-235b';", table)
	}
	only.WriteString(`DELETE FROM flips; DELETE FROM champions; DELETE FROM results WHERE window_name <> '3'`)
	all := undrawn(t, only.String())
	contains(t, all["index.html"], "On qilin-235b, half of Kestrel’s first tokens arrive within")
	for name, page := range all {
		lacks(t, page, "f-ranks", "trade places", "NaN", "%!")
		if strings.Contains(page, `class="up timed"`) {
			t.Errorf("%s: one window has no course of time", name)
		}
	}
}

// What a reader must know before any number stands above and below them: what
// the runs are, what is no attempt, what was cut, what nothing useful cost.
func TestCaveats(t *testing.T) {
	all := undrawn(t,
		"UPDATE runs SET origin = 'simulated', interrupted = true",
		"UPDATE results SET vantage = NULL WHERE window_key = 'run-1/3'",
		"UPDATE availability SET attempts = 80, share = 1 WHERE provider = 'Halcyon'",
		"DELETE FROM errors WHERE provider = 'Halcyon' AND outcome <> 'ok'; INSERT INTO errors BY NAME SELECT provider, model, scenario, concurrency, vantage, params, 'unavailable' AS outcome, 4 AS n FROM availability WHERE provider = 'Halcyon'",
		"UPDATE costs SET cost_per_useful_usd = NULL, cost_per_useful_lo_usd = NULL, cost_per_useful_hi_usd = NULL, useful = 0; UPDATE fidelity SET passed = 0",
		"DELETE FROM audit WHERE severity = 'fault'")
	contains(t, all["index.html"], "simulated providers · interrupted before its plan ended · in part from fra1",
		"100% †", "† Halcyon: 4 of 84 requests count as no attempts: unavailable 4", "Useful", "– cost: no answer was useful", "The audit finds no fault of method.")
	contains(t, all["model/tern-r1.html"], "complete, but not every check passed", "– Per 1,000 useful answers: no answer was useful")
	lacks(t, all["index.html"], "faults of method in")
	// A column that is not there has no reasons, either.
	page := undrawn(t, "UPDATE costs SET basis = 'completed', useful = NULL, cost_per_useful_usd = NULL, wasted_high_usd = NULL")["index.html"]
	lacks(t, page, "– useful:", "– cost:")
}

// First tokens that are thinking are not called the answer.
func TestThinkingFirst(t *testing.T) {
	contains(t, undrawn(t, "INSERT INTO latency BY NAME SELECT * REPLACE ('ttfat_ms' AS metric, 900 AS p50) FROM latency WHERE metric = 'ttft_ms'")["model/tern-r1.html"],
		"Half of Granite’s first tokens arrive within 240 ms", "They are thinking: half of its answers begin within 900 ms.")
}

// Of many flips the strongest are read, and those that read 1.0× never; how many
// there are is told.
func TestManyFlips(t *testing.T) {
	db := fixture(t, `INSERT INTO flips BY NAME SELECT * EXCLUDE (i) REPLACE ('P' || i AS leader_1, 1 + i / 1000 AS ratio_1, 1.5 AS ratio_2, 'tendency' AS verdict)
		FROM flips, range(1000) r(i) WHERE leader_1 = 'Granite'`)
	d, err := read(t.Context(), db, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(d.flips); n != 20 {
		t.Errorf("%d flips are read", n)
	}
	for _, f := range d.flips {
		if f.pairs != 1003 || min(*f.times1, *f.times2) < 1.05 {
			t.Errorf("%+v", f)
		}
	}
}

func TestEmpty(t *testing.T) {
	if _, err := Build(t.Context(), fixture(t, "DELETE FROM results"), Options{}); !errors.Is(err, ErrEmpty) {
		t.Errorf("error %v, want %v", err, ErrEmpty)
	}
}

// A query printed below a figure runs as it stands, and gives rows.
func TestPrintedQueries(t *testing.T) {
	db := fixture(t)
	code := regexp.MustCompile(`(?s)<pre[^>]*><code>(.*?)</code></pre>`)
	seen := 0
	for name, page := range undrawn(t) {
		for _, m := range code.FindAllStringSubmatch(page, -1) {
			var n int
			text := html.UnescapeString(m[1])
			query := "SELECT count(*) FROM (" + strings.TrimSuffix(text, ";") + ")"
			if err := db.QueryRowContext(t.Context(), query).Scan(&n); err != nil || n == 0 {
				t.Errorf("%s: %d rows, error %v, from\n%s", name, n, err, text)
			}
			seen++
		}
	}
	if seen < 20 {
		t.Errorf("only %d queries are printed", seen)
	}
}

func TestData(t *testing.T) {
	for _, f := range must(t)(whole()) {
		if f.Path == "data/costs.csv" {
			lines := strings.Split(strings.TrimSpace(string(f.Data)), "\n")
			if len(lines) != 16 || !strings.HasPrefix(lines[0], "provider,model,scenario,concurrency,vantage,params,cost_per_useful_usd,useful,basis,") {
				t.Errorf("%d lines, the first %q", len(lines), lines[0])
			}
			if last := lines[15]; !strings.HasPrefix(last, "江流,tern-r1,short-chat,1,fra1,,,") {
				t.Errorf("no value is not an empty field: %q", last)
			}
			return
		}
	}
	t.Error("no costs.csv")
}

// unshown are the public views that no page reads, with the reason.
var unshown = map[string]string{
	"requests": "raw rows: they stand in the dataset", "chunks": "raw rows: they stand in the dataset",
	"provider_outages": "for SQL: the outages of its cells are shown",
	"frames_text":      "raw rows: the page of one request shows its frames",
	"events":           "raw rows: decoded from chunks when asked for", "answers": "texts of models: not published",
	"tails": "read by the charts", "definitions_versions": "older versions of the tools that the page Tools names", "audit_rules": "the registry behind audit",
	"catalogue": "provider pages show the models one by one",
	"robust":    "decides all headlines some forty times again, which a report does not wait for", "cost_pairs": "for SQL: two models named by the reader",
	"precisions": "for SQL: decides nothing", "reliability_by_age": "for SQL: few models have a known age",
}

// Every public view is on a page, or is left out for a reason.
func TestEveryViewIsShown(t *testing.T) {
	s, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	for _, dir := range []string{"sql", "sql/pages"} {
		entries, err := queries.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			text, _ := queries.ReadFile(dir + "/" + e.Name())
			all.Write(text)
		}
	}
	for _, f := range s.Public() {
		shown := regexp.MustCompile(`\b(FROM|JOIN) ` + f.Name + `\b`).MatchString(all.String())
		if len(f.Key) == 0 {
			shown = strings.Contains(all.String(), f.Name+"_all()")
		}
		if !shown && unshown[f.Name] == "" {
			t.Errorf("no page reads the view %s, and nothing says why", f.Name)
		}
	}
}

// A plan's endpoints and names of keys are not published.
func TestRunsArePublishedWithoutTheirPlans(t *testing.T) {
	data, _, err := tables(t.Context(), fixture(t, "UPDATE runs SET plan = 'base_url: http://inner.example, key_env: SECRET_NAME'"), Options{Catalogue: documented(), Data: DataDerived})
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range data {
		if bytes.Contains(f.Data, []byte("inner.example")) || bytes.Contains(f.Data, []byte("SECRET_NAME")) {
			t.Errorf("%s holds the plan", f.Path)
		}
		if f.Path == "data/runs.csv" && !bytes.Contains(f.Data, []byte("chat-providers")) {
			t.Errorf("%s lacks the run: %s", f.Path, f.Data)
		}
	}
}
