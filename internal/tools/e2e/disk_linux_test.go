package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFullDisk lets record, analyze and report each run into a disk that is
// truly full. The script full-disk does without the right to mount one.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	disk := t.TempDir()
	mount := func(options string) {
		t.Helper()
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", disk).CombinedOutput(); err != nil {
			t.Skipf("no small disk can be mounted here: %s", out)
		}
	}
	mount("size=24k")
	t.Cleanup(func() { exec.Command("umount", disk).Run() })
	dir := t.TempDir()
	write(t, filepath.Join(dir, "fleet.yaml"), "behaviour: {first_token: 2ms, gap: 1ms, answer: {tokens: 40}}\nproviders: [{name: north, models: [{name: m}]}]\n")
	address, _ := fleet(t, dir, "fleet.yaml")
	write(t, filepath.Join(dir, "plan.yaml"), "trials: 60\nwarmup: 0\ntargets: [{provider: north, model: m, base_url: \"http://"+address+"/north/v1\"}]\n"+
		"scenarios: [{name: s, messages: [{role: user, content: hi}], params: {temperature: 1}, concurrency: 10}]\n")
	traces, site := filepath.Join(disk, "traces"), filepath.Join(disk, "site")

	full := func(name string, args ...string) {
		t.Helper()
		c := run(t, dir, nil, name, args...)
		if c.status != 4 || !strings.Contains(strings.ToLower(c.stderr), "no space left on device") || !strings.Contains(c.stderr, "hint: the disk is full") {
			t.Errorf("%s: status %d\n%s%s", name, c.status, c.stdout, c.stderr)
		}
	}
	full("record", "run", "plan.yaml", "--to", traces)
	if left := files(t, disk); len(left) > 0 {
		t.Errorf("a run into a full disk leaves %v", left)
	}

	mount("remount,size=16m")
	must(t, dir, nil, "record", "run", "plan.yaml", "--to", traces)
	before := files(t, disk)
	filler := filepath.Join(disk, "filler")
	fill := func() {
		t.Helper()
		// As much as there is, but for a few pages to begin with.
		f, err := os.Create(filler)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		page := make([]byte, 4096)
		n := int64(0)
		for ; ; n += int64(len(page)) {
			if _, err := f.Write(page); err != nil {
				break
			}
		}
		if err := f.Truncate(n - 8*int64(len(page))); err != nil {
			t.Fatal(err)
		}
	}
	fill()
	full("analyze", "build", traces)
	for _, f := range files(t, disk) {
		if strings.HasSuffix(f, ".tmp") {
			t.Errorf("analyze build into a full disk leaves %s", f)
		}
	}
	must(t, dir, nil, "record", "verify", traces)
	os.Remove(filler)
	must(t, dir, nil, "analyze", "build", traces)
	fill()
	full("report", traces, "--to", site)
	os.Remove(filler)
	if _, err := os.Stat(site); err == nil {
		t.Error("report into a full disk leaves a part of a site")
	}
	for _, f := range before {
		if _, err := os.Stat(filepath.Join(disk, f)); err != nil {
			t.Errorf("%s is gone", f)
		}
	}
}
