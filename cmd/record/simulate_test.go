package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/simulate"
)

func TestSimulateServesUntilInterrupted(t *testing.T) {
	dir := t.TempDir()
	fleet, truth := filepath.Join(dir, "fleet.yaml"), filepath.Join(dir, "truth.jsonl")
	write(t, fleet, "behaviour: {first_token: 1ms, gap: 1ms}\nproviders: [{name: p, models: [{name: m}]}]\n")
	ctx, cancel := context.WithCancel(t.Context())
	out, stdout := io.Pipe()
	var stderr bytes.Buffer
	status := make(chan int)
	go func() {
		env := &cli.Env{Stdout: stdout, Stderr: &stderr}
		status <- cli.Run(ctx, program(), env, []string{"simulate", fleet, "--truth", truth})
	}()
	line, err := bufio.NewReader(out).ReadString('\n')
	base := regexp.MustCompile(`http://\S+`).FindString(line)
	if err != nil || base == "" {
		t.Fatalf("no address in %q: %v", line, err)
	}
	resp, err := http.Post(base+"/p/v1/chat/completions", "application/json",
		strings.NewReader(`{"model":"m","stream":true,"messages":[{"role":"user","content":"x"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	body, _ := io.ReadAll(resp.Body)
	resp.Body.Close()
	cancel()
	if s := <-status; s != cli.OK {
		t.Errorf("status %d: %s", s, stderr.String())
	}
	if _, err := http.Get(base); err == nil {
		t.Error("it still listens")
	}
	f, err := os.Open(truth)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := simulate.ReadTruth(f)
	if err != nil || len(lines) != 1 || lines[0].Bytes != int64(len(body)) {
		t.Errorf("truth %+v, %v; %d bytes arrived", lines, err, len(body))
	}
}

func TestSimulateNamesWhatIsWrong(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.yaml")
	write(t, bad, "providers:\n  - {name: p, modles: []}\n")
	good := filepath.Join(dir, "good.yaml")
	write(t, good, "providers: [{name: p, models: [{name: m}]}]\n")
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{bad}, cli.Usage, `bad.yaml:2:15: unknown key "modles"; the nearest known key is "models"`},
		{[]string{filepath.Join(dir, "none.yaml")}, cli.Usage, "no such file"},
		{nil, cli.Usage, "one fleet file is needed"},
		{[]string{good, "--listen", "127.0.0.1:none"}, cli.IO, "start the simulated fleet"},
		{[]string{good, "--truth", filepath.Join(dir, "no", "truth")}, cli.IO, "open the ground truth"},
	} {
		var stdout, stderr bytes.Buffer
		status := cli.Run(t.Context(), program(), &cli.Env{Stdout: &stdout, Stderr: &stderr}, append([]string{"simulate"}, c.args...))
		if status != c.status || !strings.Contains(stderr.String(), c.says) || stdout.Len() > 0 {
			t.Errorf("%v: status %d, stdout %q, stderr %q", c.args, status, stdout.String(), stderr.String())
		}
	}
}

// The demo's plan asks for what the demo's fleet serves, in its windows.
func TestDemoPlanFitsDemoFleet(t *testing.T) {
	fleet, err := simulate.Load("../../examples/demo-fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	p, err := plan.Load("../../examples/demo-plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if p.Windows.Every != fleet.Window {
		t.Errorf("windows every %v in the plan, %v in the fleet", p.Windows.Every, fleet.Window)
	}
	models := 0
	for _, provider := range fleet.Providers {
		models += len(provider.Models)
	}
	load, err := plan.Load("../../examples/demo-load-plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	targets := slices.Concat(p.Targets, load.Targets)
	if len(targets) != models {
		t.Errorf("%d targets, %d models served", len(targets), models)
	}
	for _, target := range targets {
		provider := fleet.Provider(target.Provider)
		if provider == nil || !strings.HasSuffix(target.BaseURL, "/"+provider.Name+"/v1") {
			t.Errorf("target %s at %s: no such provider", target.Provider, target.BaseURL)
			continue
		}
		served := false
		for _, m := range provider.Models {
			served = served || m.ID == target.ModelID && m.Name == target.Model
		}
		if !served {
			t.Errorf("target %s %s: not served", target.Provider, target.Model)
		}
	}
}

// Faults that the demo plants one by one fall on requests that count. A rate
// limit and a model that is not there hit warm-ups as well.
func TestDemoFaultsFallOnMeasuredRequests(t *testing.T) {
	var fleet struct {
		Providers []struct {
			Name   string
			Models []struct {
				Name   string
				Faults []simulate.Fault
			}
		}
	}
	data, err := os.ReadFile("../../examples/demo-fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, &fleet); err != nil {
		t.Fatal(err)
	}
	p, err := plan.Load("../../examples/demo-plan.yaml")
	if err != nil {
		t.Fatal(err)
	}
	phases := map[string][]string{}
	for _, block := range p.Schedule() {
		for _, q := range block.Requests {
			key := q.Target.Provider + " " + q.Target.Model
			phases[key] = append(phases[key], q.Phase)
		}
	}
	n := 0
	for _, provider := range fleet.Providers {
		for _, model := range provider.Models {
			key := provider.Name + " " + model.Name
			for _, f := range model.Faults {
				if f.Kind == simulate.RateLimited || f.Kind == simulate.Unavailable {
					continue
				}
				for i, phase := range phases[key] {
					if strikes := f.Every > 0 && (i+1)%f.Every == 0 || slices.Contains(f.On, i+1); !strikes {
						continue
					}
					if n++; phase != plan.PhaseMeasure {
						t.Errorf("%s: %s falls on request %d, a %s", key, f.Kind, i+1, phase)
					}
				}
			}
		}
	}
	if n == 0 {
		t.Error("no fault is planted")
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
