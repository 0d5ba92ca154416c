package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeRuns runs each block of commands of the README: with a simulated
// fleet in place of the providers, and make dry, since it would run this test.
func TestReadmeRuns(t *testing.T) {
	t.Parallel()
	blocks := commandBlocks(readFile(t, "README.md"))
	if len(blocks) < 3 {
		t.Fatalf("only %d blocks of commands found", len(blocks))
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "fleet.yaml"), `
behaviour: {first_token: 5ms, gap: 1ms, answer: {tokens: 12, texts: [{when: sky, text: "Air scatters blue light."}]}}
providers:
  - {name: groq, models: [{name: gpt-oss-120b, id: openai/gpt-oss-120b}]}
  - {name: cerebras, models: [{name: gpt-oss-120b, first_token: 30ms}]}
`)
	address, _ := fleet(t, dir, "fleet.yaml")
	if err := os.MkdirAll(filepath.Join(dir, "examples"), 0o755); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(root, "examples/first-plan.yaml"), filepath.Join(dir, "examples/first-plan.yaml"),
		"https://api.groq.com/openai/v1", "http://"+address+"/groq/v1", "https://api.cerebras.ai/v1", "http://"+address+"/cerebras/v1")
	if err := os.Symlink(bin, filepath.Join(dir, "bin")); err != nil {
		t.Fatal(err)
	}
	makePath, err := exec.LookPath("make")
	if err != nil {
		t.Skip("the README's commands need make")
	}
	shims := filepath.Join(dir, "shims")
	if err := os.Mkdir(shims, 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(shims, "make"), "#!/bin/sh\nexec '"+makePath+"' -n -C '"+root+"' \"$@\"\n")
	if err := os.Chmod(filepath.Join(shims, "make"), 0o755); err != nil {
		t.Fatal(err)
	}
	said := ""
	for _, block := range blocks {
		cmd := exec.Command("sh", "-ec", block)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "PATH="+shims+":"+os.Getenv("PATH"), "MAKEFLAGS=")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s\n%v\n%s", block, err, out)
		}
		said += string(out)
	}
	for _, want := range []string{"scripts/demo.sh", "gotestsum", "56 requests, 56 answered over HTTP, 0 with an error", "site/index.html"} {
		if !strings.Contains(said, want) {
			t.Errorf("the commands do not say %q:\n%s", want, said)
		}
	}
	for _, provider := range []string{"groq", "cerebras"} {
		// An answer that a busy machine reads at once has no first token of its own.
		if !regexp.MustCompile(`(?m)^` + provider + ` +2[0-5] +\d`).MatchString(said) {
			t.Errorf("no latency of %s:\n%s", provider, said)
		}
	}
}

// commandBlocks gives the lines after "$ " of each fenced block that has any.
func commandBlocks(markdown string) (blocks []string) {
	for i, part := range strings.Split(markdown, "```") {
		block := ""
		for _, line := range strings.Split(part, "\n") {
			if command, ok := strings.CutPrefix(line, "$ "); ok && i%2 == 1 {
				block += command + "\n"
			}
		}
		if block != "" {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// TestReadmeNamesCommands holds the README's table against the commands' help.
func TestReadmeNamesCommands(t *testing.T) {
	readme := readFile(t, "README.md")
	exist := map[string]bool{"report": true}
	for _, program := range []string{"record", "analyze"} {
		for _, m := range regexp.MustCompile(`(?m)^  (`+program+` \w+) `).FindAllStringSubmatch(must(t, ".", nil, program, "--help"), -1) {
			exist[m[1]] = true
			if !strings.Contains(readme, "`"+m[1]+"`") {
				t.Errorf("README.md does not name `%s`: add a row to its table", m[1])
			}
		}
	}
	for _, m := range regexp.MustCompile("(?m)`((?:record|analyze) \\w+)`").FindAllStringSubmatch(readme, -1) {
		if !exist[m[1]] {
			t.Errorf("README.md names `%s`, which is no command", m[1])
		}
	}
}

// TestLinks follows the links between the project's pages.
func TestLinks(t *testing.T) {
	pages := []string{"README.md", "CONTRIBUTING.md", "examples/README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/decisions/*.md", "docs/tutorials/*.md", "examples/*/README.md"} {
		found, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			rel, _ := filepath.Rel(root, path)
			pages = append(pages, rel)
		}
	}
	link := regexp.MustCompile(`\]\(([^)#:]+)(?:#[^)]*)?\)`)
	for _, page := range pages {
		for _, m := range link.FindAllStringSubmatch(readFile(t, page), -1) {
			if _, err := os.Stat(filepath.Join(root, filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s, which is not there", page, m[1])
			}
		}
	}
}

// TestPathsInContributing: every file and folder that CONTRIBUTING.md names is
// there. Placeholders are in capitals.
func TestPathsInContributing(t *testing.T) {
	path := regexp.MustCompile("`((?:cmd|schema|queries|internal|docs|examples|scripts)/[a-z0-9_/.-]*)`")
	found := path.FindAllStringSubmatch(readFile(t, "CONTRIBUTING.md"), -1)
	for _, m := range found {
		if _, err := os.Stat(filepath.Join(root, m[1])); err != nil {
			t.Errorf("CONTRIBUTING.md names %s, which is not there", m[1])
		}
	}
	if len(found) < 30 {
		t.Errorf("only %d paths found", len(found))
	}
}

func readFile(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(root, path))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
