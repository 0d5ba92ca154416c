package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What record says of itself becomes a manual page and a completion that name
// every command and flag.
func TestHelpBecomesManualAndCompletion(t *testing.T) {
	bin := filepath.Join(t.TempDir(), "record")
	if out, err := exec.Command("go", "build", "-o", bin, "aircheck/cmd/record").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p, err := readProgram(bin, "record")
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(p.commands, func(c command) bool { return c.name == "simulate" })
	if len(p.commands) < 4 || i < 0 || !slices.Contains(p.commands[i].flags, "--virtual") {
		t.Fatalf("%+v", p.commands)
	}
	page := p.manual("ac-record")
	for _, want := range []string{".TH AC-RECORD 1", ".SH NAME\nac-record \\- ", ".SH SIMULATE", `\-\-virtual`, `ac\-record simulate`} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q in the manual", want)
		}
	}
	for _, line := range strings.Split(page, "\n") {
		if strings.HasPrefix(line, ".") && !strings.HasPrefix(line, ".TH ") && !strings.HasPrefix(line, ".SH ") && line != ".nf" && line != ".fi" {
			t.Errorf("text taken for a request: %q", line)
		}
	}
	script := filepath.Join(t.TempDir(), "completion")
	if err := os.WriteFile(script, []byte(p.completion("ac-record")), 0o644); err != nil {
		t.Fatal(err)
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash")
	}
	out, err := exec.Command(bash, "-c", `. "$1"; COMP_WORDS=(ac-record simulate --vir); COMP_CWORD=2; _ac_record; echo "${COMPREPLY[*]}"`, "-", script).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "--virtual" {
		t.Errorf("completion: %v, %s", err, out)
	}
}
