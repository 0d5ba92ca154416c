package page

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// TestBrowser opens the report in a real browser, once with names out of an
// attacker's hands: nothing is asked of the network, nothing runs that should
// not, a phone needs no sideways scroll, everything is there without a script,
// and axe-core has no objection (WCAG 2.2 AA and best practice). scripts/browser.sh installs what it needs.
func TestBrowser(t *testing.T) {
	modules := os.Getenv("AIRCHECK_BROWSER")
	if modules == "" {
		t.Skip("no browser: scripts/browser.sh runs this test with one")
	}
	for _, report := range []struct {
		name, ask, only string
		files           func() ([]File, error)
	}{
		{"plain", "axe", "", whole},
		{"hostile", "", "1440,390", func() ([]File, error) { return drawn(fixture(t, hostile)) }},
		{"zh", "axe", "1440,390", func() ([]File, error) { return inChinese(fixture(t)) }},
	} {
		t.Run(report.name, func(t *testing.T) {
			dir := t.TempDir()
			if err := WriteSite(dir, must(t)(report.files())); err != nil {
				t.Fatal(err)
			}
			cmd := exec.CommandContext(t.Context(), "node", "testdata/browser.cjs", dir, report.ask, report.only)
			cmd.Env = append(os.Environ(), "NODE_PATH="+modules)
			out, err := cmd.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if n := strings.Count(string(out), "looked at"); n < 8 {
				t.Errorf("only %d pages were looked at:\n%s", n, out)
			}
			t.Logf("%s", out)
		})
	}
}
