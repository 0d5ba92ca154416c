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
		{"one provider, no prices", "axe", "390", func() ([]File, error) { return drawn(fixture(t, oneProvider, noPrices)) }},
		{"nobody answered", "axe", "390", func() ([]File, error) { return drawn(fixture(t, nobodyAnswered)) }},
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

// Data sets of which little can be said.
const (
	oneProvider = `DELETE FROM results WHERE provider <> 'Kestrel'; DELETE FROM latency WHERE provider <> 'Kestrel'; DELETE FROM tails WHERE provider <> 'Kestrel';
		DELETE FROM ranks; DELETE FROM costs WHERE provider <> 'Kestrel'; DELETE FROM availability WHERE provider <> 'Kestrel'; DELETE FROM errors WHERE provider <> 'Kestrel';
		DELETE FROM thinking WHERE provider <> 'Kestrel'; DELETE FROM fidelity WHERE provider <> 'Kestrel'; DELETE FROM flips; DELETE FROM champions;`
	noPrices       = `UPDATE costs SET cost_per_useful_usd = NULL, cost_per_useful_lo_usd = NULL, cost_per_useful_hi_usd = NULL, wasted_high_usd = NULL, useful = NULL;`
	nobodyAnswered = `DELETE FROM latency; DELETE FROM tails; DELETE FROM ranks; DELETE FROM flips; DELETE FROM champions; DELETE FROM thinking; DELETE FROM costs;
		UPDATE results SET outcome = 'account', complete = false, useful = false, answered = false, ttft_net_ms = NULL, ttft_ms = NULL, e2e_ms = NULL, cost_usd = NULL, reasoning_tokens = NULL;
		UPDATE availability SET answered = 0, share = 0; UPDATE errors SET outcome = 'account';`
)
