package e2e

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the answers of docs/article.md again")

// TestTutorials runs every command of the tutorials, one after the other as a
// reader would, on two simulated providers whose windows are a tenth of a second
// apart; and the queries of docs/article.md on what was recorded.
func TestTutorials(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, name := range []string{"duel-plan.yaml", "duel-fleet.yaml"} {
		if err := os.MkdirAll(filepath.Join(dir, "examples"), 0o755); err != nil {
			t.Fatal(err)
		}
		copyFile(t, filepath.Join(root, "examples", name), filepath.Join(dir, "examples", name))
	}
	copyFile(t, filepath.Join(root, "examples/article-plan.yaml"), filepath.Join(dir, "examples/article-plan.yaml"))
	address, _ := fleet(t, dir, "examples/duel-fleet.yaml")
	plan := filepath.Join(dir, "examples/duel-plan.yaml")
	copyFile(t, plan, plan, "127.0.0.1:18377", address, "every: 30s", "every: 100ms")
	// The campaign of the second tutorial is the same plan, one window a call.
	copyFile(t, plan, filepath.Join(dir, "plan.yaml"), "name: duel", "name: month", "count: 24, every: 100ms", "count: 1, every: 1h", "trials: 3", "trials: 12")

	said := map[string]string{}
	for _, page := range []string{"two-providers", "monthly-edition", "strangers-data"} {
		in := dir
		if page == "strangers-data" {
			in = filepath.Join(dir, "stranger")
			if err := os.Mkdir(in, 0o755); err != nil {
				t.Fatal(err)
			}
			must(t, in, nil, "record", "scrub", "../traces", "published")
			if err := os.Symlink("../editions", filepath.Join(in, "editions")); err != nil {
				t.Fatal(err)
			}
		}
		blocks := commandBlocks(readFile(t, "docs/tutorials/"+page+".md"))
		if len(blocks) < 5 {
			t.Fatalf("%s: only %d blocks of commands", page, len(blocks))
		}
		for _, block := range blocks {
			var lines []string
			for line := range strings.Lines(block) {
				if !strings.HasPrefix(line, "record simulate") { // it runs already
					lines = append(lines, line)
				}
			}
			said[page] += shell(t, in, []string{"NORTH_KEY=demo", "SOUTH_KEY=demo"}, strings.Join(lines, ""))
		}
	}
	for page, want := range map[string]string{
		"two-providers":   `(?m)^ttft_net_ms +north +south +0\.\d+ .* supported +false`,
		"monthly-edition": `editions/2026-12: equal: [\d,]+ numbers`,
		"strangers-data":  `(?m)^published: no faults in 1 runs, 192 requests`,
	} {
		if !regexp.MustCompile(want).MatchString(said[page]) {
			t.Errorf("%s: the commands do not say %q:\n%s", page, want, said[page])
		}
	}
	t.Run("article", func(t *testing.T) {
		must(t, dir, nil, "record", "plan", "examples/article-plan.yaml")
		for _, q := range articleQueries(t, readFile(t, "docs/article.md")) {
			must(t, dir, nil, "analyze", "sql", "traces", q.sql)
		}
	})
	t.Run("workflow", func(t *testing.T) {
		workflow := readFile(t, "examples/publish/edition.yml")
		steps := regexp.MustCompile(`(?m)^      - name: (build|report)\n        run: \|\n((?: {10}.*\n)+)`).FindAllStringSubmatch(workflow, -1)
		if len(steps) != 2 {
			t.Fatalf("%d steps found", len(steps))
		}
		env := []string{"TRACES=traces", "MONTH=2026-12", "BEFORE=2026-11"}
		if err := os.RemoveAll(filepath.Join(dir, "editions")); err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			shell(t, dir, env, step[2])
		}
	})
}

// shell runs a script with the commands on its path.
func shell(t *testing.T, dir string, env []string, script string) string {
	t.Helper()
	depend()
	cmd := exec.Command("sh", "-ec", script)
	cmd.Dir, cmd.Env = dir, append(append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH")), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", script, err, out)
	}
	return string(out)
}

type articleQuery struct{ sql, answer string }

// articleQueries gives each query of the page with the table that stands below it.
func articleQueries(t *testing.T, page string) (queries []articleQuery) {
	t.Helper()
	for _, m := range regexp.MustCompile("(?s)```sql\n(.*?)```\n\n((?:\\|[^\n]*\n)*)").FindAllStringSubmatch(page, -1) {
		queries = append(queries, articleQuery{m[1], m[2]})
	}
	if len(queries) < 20 || len(queries) != strings.Count(page, "```sql\n") {
		t.Fatalf("%d queries found", len(queries))
	}
	return queries
}

// TestArticle holds the answers in docs/article.md against the market, which
// `make market` makes; -update writes them.
func TestArticle(t *testing.T) {
	market := os.Getenv("AIRCHECK_MARKET")
	if market == "" {
		t.Skip("AIRCHECK_MARKET names no folder of make market")
	}
	page := readFile(t, "docs/article.md")
	for _, q := range articleQueries(t, page) {
		got := must(t, root, nil, "analyze", "sql", filepath.Join(market, "traces"), "--format", "markdown", q.sql)
		if got == q.answer {
			continue
		}
		if strings.Count(got, "\n") < 3 {
			t.Errorf("no answer in the market:\n%s", q.sql)
		}
		if !*update {
			t.Errorf("%s\ngives\n%s\nand the page has\n%s", q.sql, got, q.answer)
			continue
		}
		before, after := "```sql\n"+q.sql+"```\n\n", got
		if q.answer == "" {
			after += "\n"
		}
		page = strings.Replace(page, before+q.answer, before+after, 1)
	}
	if *update {
		write(t, filepath.Join(root, "docs/article.md"), page)
	}
}
