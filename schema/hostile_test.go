//go:build unix

package schema

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostile are data sets that someone else made: each damages a sealed run named
// "bad" beside a good one, and says what is said of it.
var hostile = []struct {
	name, want string
	run        func(t *testing.T, dir string, run *Run)
}{
	{"a path that leads out", "which is none of the run's", func(t *testing.T, dir string, run *Run) { run.Files[0].Path = "../../etc/passwd" }},
	{"an absolute path", "which is none of the run's", func(t *testing.T, dir string, run *Run) { run.Files[0].Path = "/dev/zero" }},
	{"a file of another run", "which is none of the run's", func(t *testing.T, dir string, run *Run) { run.Files[0].Path = "requests/run=good/part-0.parquet" }},
	{"one file twice", "twice", func(t *testing.T, dir string, run *Run) { run.Files = append(run.Files, run.Files[0]) }},
	{"rows that no disk holds", "claims", func(t *testing.T, dir string, run *Run) { run.Files[0].Rows, run.Requests = 1<<62, 1<<62 }},
	{"rows that are not there", "the run record says", func(t *testing.T, dir string, run *Run) { run.Files[0].Rows++; run.Requests++ }},
	{"a start beyond all years", "which is in no year", func(t *testing.T, dir string, run *Run) { run.StartedAtNs = math.MaxInt64 }},
	{"a link to /dev/zero", "is a symbolic link", func(t *testing.T, dir string, run *Run) {
		replace(t, dir, run, func(p string) error { return os.Symlink("/dev/zero", p) })
	}},
	{"a link to a sound file", "is a symbolic link", func(t *testing.T, dir string, run *Run) {
		replace(t, dir, run, func(p string) error { return os.Symlink("../run=good/part-0.parquet", p) })
	}},
	{"a named pipe", "is a named pipe", func(t *testing.T, dir string, run *Run) {
		replace(t, dir, run, func(p string) error { return syscall.Mkfifo(p, 0o644) })
	}},
	{"a directory", "is a directory", func(t *testing.T, dir string, run *Run) {
		replace(t, dir, run, func(p string) error { return os.Mkdir(p, 0o755) })
	}},
	{"a folder that is a link", "is a symbolic link", func(t *testing.T, dir string, run *Run) {
		at := filepath.Join(dir, "chunks", "run=bad")
		if err := os.Rename(at, at+".away"); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink("run=bad.away", at); err != nil {
			t.Fatal(err)
		}
	}},
}

func replace(t *testing.T, dir string, run *Run, with func(path string) error) {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(run.Files[0].Path))
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := with(path); err != nil {
		t.Fatal(err)
	}
}

func sealOne(t *testing.T, dir, id string, request int64, edit func(*Request)) {
	t.Helper()
	w, err := Create(dir, id)
	if err != nil {
		t.Fatal(err)
	}
	q := filled(request)
	q.BytesReceived = new(int64(0))
	if edit != nil {
		edit(q)
	}
	w.Begin(request)
	if err := w.Write(q, nil); err != nil {
		t.Fatal(err)
	}
	if err := w.Seal(&Run{Name: id}); err != nil {
		t.Fatal(err)
	}
}

// A hostile run is named and left out, by verify and by who surveys, and the good
// one is read. Nothing waits for a pipe: the test would not end.
func TestHostileRunsAreLeftOut(t *testing.T) {
	for _, c := range hostile {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			sealOne(t, dir, "bad", 1, nil)
			sealOne(t, dir, "good", 2, nil)
			run, err := ReadRun(dir, "bad")
			if err != nil {
				t.Fatal(err)
			}
			c.run(t, dir, run)
			data, _ := json.Marshal(run)
			if err := os.WriteFile(filepath.Join(dir, "runs", "bad.json"), data, 0o644); err != nil {
				t.Fatal(err)
			}
			faults, err := Verify(t.Context(), dir)
			if err != nil || !strings.Contains(fmt.Sprint(faults), c.want) {
				t.Errorf("verify: %v, %v; want %q", faults, err, c.want)
			}
			d, err := OpenDataset(dir)
			if err != nil {
				t.Fatal(err)
			}
			runs, left, err := d.Survey()
			if err != nil {
				t.Fatal(err)
			}
			said := fmt.Sprint(left)
			for _, r := range runs {
				if err := d.Check(t.Context(), r, true); err != nil {
					said += err.Error()
				} else if r.RunID != "good" {
					t.Errorf("run %s passed", r.RunID)
				}
			}
			if !strings.Contains(said, c.want) {
				t.Errorf("survey: %s; want %q", said, c.want)
			}
		})
	}
}

// A number that cannot be reckoned with names its row.
func TestHostileNumbers(t *testing.T) {
	for want, edit := range map[string]func(*Request){
		"request 7: started_at_ns is 9223372036854775807, which is in no year": func(q *Request) { q.StartedAtNs = new(int64(math.MaxInt64)) },
		"request 7: scheduled_at_ns is -1, which is in no year":                func(q *Request) { q.ScheduledAtNs = new(int64(-1)) },
		"request 7: end_ns is -9223372036854775808, which is beyond":           func(q *Request) { q.EndNs = new(int64(math.MinInt64)) },
		"request 7: bytes_received is 9007199254740992, which is beyond":       func(q *Request) { q.BytesReceived = new(int64(1 << 53)) },
		"reported_gaps_ns is 9223372036854775807":                              func(q *Request) { q.ReportedGapsNs = []int64{1, math.MaxInt64} },
		"reported_cost_usd is NaN":                                             func(q *Request) { q.ReportedCostUSD = new(math.NaN()) },
	} {
		dir := t.TempDir()
		sealOne(t, dir, "r", 7, edit)
		d := &Dataset{Dir: dir}
		runs, err := d.Runs()
		if err != nil {
			t.Fatal(err)
		}
		if err := d.Check(t.Context(), runs[0], false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want %q", err, want)
		}
	}
}

// A run that is kept twice counts once.
func TestRunKeptTwice(t *testing.T) {
	dir := t.TempDir()
	for i, id := range []string{"a", "b", "c"} {
		sealOne(t, dir, id, []int64{5, 5, 6}[i], nil)
	}
	faults, err := Verify(t.Context(), dir)
	if err != nil || len(faults) != 1 || faults[0].Path != "runs/b.json" || !strings.Contains(faults[0].What, "request id 5 stands in run a too") {
		t.Errorf("%v, %v", faults, err)
	}
}

// A record of 200 MB is refused by its size, before it is read.
func TestHugeRecord(t *testing.T) {
	dir := t.TempDir()
	sealOne(t, dir, "good", 1, nil)
	if err := os.WriteFile(filepath.Join(dir, "runs", "huge.json"), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(dir, "runs", "huge.json"), 200<<20); err != nil {
		t.Fatal(err)
	}
	faults, err := Verify(t.Context(), dir)
	if err != nil || len(faults) != 1 || !strings.Contains(faults[0].What, "more than the") {
		t.Errorf("%v, %v", faults, err)
	}
}

// BenchmarkVerifySmallRuns is verify over runs of a few requests, a run an
// operation.
func BenchmarkVerifySmallRuns(b *testing.B) {
	dir := b.TempDir()
	const runs = 500
	for i := range runs {
		w, err := Create(dir, fmt.Sprintf("r%05d", i))
		if err != nil {
			b.Fatal(err)
		}
		for k := range int64(3) {
			q := filled(int64(i)*10 + k)
			q.BytesReceived = new(int64(5))
			w.Begin(q.RequestID)
			if err := w.Write(q, []Chunk{{TNs: new(int64(1)), TReadNs: new(int64(1)), Clock: "read", Complete: true, Raw: []byte("data:")}}); err != nil {
				b.Fatal(err)
			}
		}
		if err := w.Seal(&Run{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	before := cpu()
	n := 0
	for b.Loop() {
		if faults, err := Verify(b.Context(), dir); err != nil || len(faults) > 0 {
			b.Fatal(faults, err)
		}
		n++
	}
	b.ReportMetric(float64((cpu()-before).Microseconds())/float64(n*runs), "CPU-µs/run")
}

func cpu() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
