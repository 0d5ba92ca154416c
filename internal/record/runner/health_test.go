package runner

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"aircheck/internal/record/plan"
	"aircheck/schema"
)

// refuse answers with an error as OpenAI words it.
func refuse(w http.ResponseWriter, status int, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	fmt.Fprintf(w, `{"error": {"message": %q, "type": "x"}}`, message)
}

// heard runs a plan and gives what was said while it ran.
func heard(t *testing.T, text string) (*Result, []*schema.Request, []string) {
	t.Helper()
	var said []string
	dir := filepath.Join(t.TempDir(), "traces")
	r, err := New(Options{Plan: parse(t, text), Dir: dir, Say: func(line string) { said = append(said, line) }})
	if err != nil {
		t.Fatal(err)
	}
	result, err := r.Run(context.Background(), context.Background())
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := read(t, dir)
	return result, rows, said
}

// A wrong key is said after five requests and asked once a window from then on;
// what is overloaded is measured to the end.
func TestDeadTarget(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/key"):
			refuse(w, 401, "incorrect api key")
		case strings.HasPrefix(r.URL.Path, "/busy"):
			refuse(w, 503, "overloaded")
		default:
			answer(w, 0)
		}
	})
	text := "trials: 10\nwarmup: 1\nwindows: {count: 2}\ntargets: [" + target("key", url+"/key") + "," + target("busy", url+"/busy") + "," + target("good", url+"/good") + "]\n" + hello
	result, rows, said := heard(t, text)
	count := map[string]int{}
	for _, r := range rows {
		count[r.Provider]++
	}
	if count["key"] != 6 || count["busy"] != 22 || count["good"] != 22 {
		t.Errorf("rows %v", count)
	}
	want := []string{`busy · m: the first 5 all failed: 503 "overloaded"`, `key · m: all 5 refused: 401 "incorrect api key"; paused, but for one request a window`}
	slices.Sort(said)
	if !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
	run := result.Run
	if len(run.Skipped) != 1 || run.Skipped[0] != (schema.Skipped{Provider: "key", Model: "m", Scenario: "s", Reason: `401 "incorrect api key"`, Requests: 16}) || run.Interrupted {
		t.Errorf("%+v", run)
	}
	if !slices.Equal(run.Windows, []string{"00", "01"}) {
		t.Errorf("windows %v", run.Windows)
	}
	if len(result.Silent) != 2 || result.Silent[0] != (Silent{"key · m", 6, 16, `401 "incorrect api key"`}) || result.Status.Skipped != 16 || !strings.HasPrefix(result.Status.Trouble, "busy · m: 503") {
		t.Errorf("%+v, %+v", result.Silent, result.Status)
	}
}

// A target that answers again is asked as before.
func TestDeadTargetRecovers(t *testing.T) {
	asked := 0
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		if asked++; asked <= 5 {
			refuse(w, 404, "no such model")
			return
		}
		answer(w, 0)
	})
	_, rows, said := heard(t, "trials: 8\nwarmup: 0\nwindows: {count: 2}\ntargets: ["+target("a", url)+"]\n"+hello)
	if len(rows) != 5+8 || len(said) != 2 || said[1] != "a · m: answers again" {
		t.Errorf("%d rows, said %q", len(rows), said)
	}
}

// Parameters that are refused pause the scenario that has them, and no probe.
func TestDeadScenario(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		body := make([]byte, r.ContentLength)
		r.Body.Read(body)
		if strings.Contains(string(body), "top_k") {
			refuse(w, 400, "unknown parameter top_k")
			return
		}
		answer(w, 0)
	})
	for policy, want := range map[string]int{"pause": 5 + 8, "continue": 8 + 8, "stop": 5} {
		result, rows, said := heard(t, "on_dead_target: "+policy+"\ntrials: 8\nwarmup: 0\ntargets: ["+target("a", url)+"]\nscenarios: [{name: bad, messages: [{role: user, content: hi}], params: {top_k: 1}}, {name: s, messages: [{role: user, content: hi}]}]\n")
		if len(rows) != want || len(said) != 1 || !strings.Contains(said[0], `a · m, bad: all 5 refused: 400 "unknown parameter top_k"; `) || result.Halted != (policy == "stop") {
			t.Errorf("%s: %d rows, said %q, %+v", policy, len(rows), said, result)
		}
	}
}

// Requests to a target with a limit keep their distance.
func TestLimit(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) { answer(w, 0) })
	result, rows, _ := record(t, "trials: 4\nwarmup: 0\ntargets: ["+target("a", url, "limit: {rpm: 1200}")+"]\nscenarios: [{name: s, messages: [{role: user, content: hi}], concurrency: 4}]")
	for i, r := range rows {
		if after := time.Duration(*r.StartedAtNs - result.Run.StartedAtNs); after < time.Duration(i)*50*time.Millisecond-time.Millisecond {
			t.Errorf("request %d came after %v", i, after)
		}
	}
}

// A budget counts requests without a known price as the plan says.
func TestBudgetUnknown(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) { answer(w, 0) })
	result, rows, _ := record(t, "trials: 50\nwarmup: 0\nbudget: {usd: 1, unknown_usd: 0.1}\ntargets: ["+target("nobody", url)+"]\n"+hello)
	if len(rows) != 10 || !result.OverBudget || result.Status.SpentNano != 1e9 {
		t.Errorf("%d rows, %+v", len(rows), result)
	}
}

// A campaign runs a window at its time, each once, and makes up for none.
func TestNextWindow(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) { answer(w, 0) })
	text := "name: camp\ntrials: 1\nwarmup: 0\nwindows: {count: 3, every: 2h}\ntargets: [" + target("a", url) + "]\n" + hello
	p := parse(t, text)
	dir := filepath.Join(t.TempDir(), "traces")
	due := func(after time.Duration, first time.Time) Due {
		t.Helper()
		d, err := NextWindow(p, dir, first.Add(after))
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	window := func(w int) *Result {
		t.Helper()
		r, err := New(Options{Plan: p, Dir: dir, Window: &w})
		if err != nil {
			t.Fatal(err)
		}
		result, err := r.Run(context.Background(), context.Background())
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	if d := due(0, time.Now()); !d.Now || d.Window != 0 {
		t.Errorf("at first: %+v", d)
	}
	result := window(0)
	first := time.Unix(0, result.Run.StartedAtNs)
	if result.Status.Total != 1 || result.Run.Interrupted {
		t.Errorf("%+v", result)
	}
	if d := due(time.Hour, first); d.Now || d.Window != 1 || !d.At.Equal(first.Add(2*time.Hour)) {
		t.Errorf("after an hour: %+v", d)
	}
	if d := due(2*time.Hour-time.Minute, first); !d.Now || d.Window != 1 || d.Missed != 0 {
		t.Errorf("a minute early: %+v", d)
	}
	if d := due(7*time.Hour, first); !d.Now || d.Window != 1 || d.Missed != 2 {
		t.Errorf("after seven hours: %+v", d)
	}
	window(1)
	window(2)
	if d := due(24*time.Hour, first); !d.Done {
		t.Errorf("at the end: %+v", d)
	}
	if _, err := NextWindow(parse(t, text+"# changed\n"), dir, time.Now()); err == nil || !strings.Contains(err.Error(), "was changed") {
		t.Errorf("a changed plan: %v", err)
	}
	if _, err := NextWindow(parse(t, strings.Replace(text, ", every: 2h", "", 1)), dir, time.Now()); err == nil {
		t.Error("windows without an interval")
	}
	if _, err := NextWindow(&plan.Plan{Name: "other", Windows: p.Windows}, filepath.Join(dir, "none"), time.Now()); err != nil {
		t.Errorf("no dataset yet: %v", err)
	}
}
