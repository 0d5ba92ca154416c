package main

import (
	"strings"
	"testing"

	"aircheck/internal/record/simulate"
)

// The card and the market tell of the same facts, and decoys can only raise
// alarms.
func TestCardMatchesMarket(t *testing.T) {
	fleet, err := simulate.Load("../../../examples/market.yaml")
	if err != nil {
		t.Fatal(err)
	}
	entries, err := Entries()
	if err != nil {
		t.Fatal(err)
	}
	facts := map[string]simulate.Fact{}
	planted := 0
	for _, f := range fleet.Facts {
		facts[f.Name] = f
		if !f.Decoy {
			planted++
		}
	}
	if planted != 30 {
		t.Errorf("%d facts are planted; the pages say thirty", planted)
	}
	seen := map[string]bool{}
	for _, e := range entries {
		f, ok := facts[e.Fact]
		switch {
		case !ok || seen[e.Fact]:
			t.Errorf("%s: no fact of the market, or told twice", e.Fact)
		case f.Decoy && (e.Claims != "" || e.Found != "" || e.Alarms == ""):
			t.Errorf("%s is a decoy: it has alarms and nothing else", e.Fact)
		case !f.Decoy && (e.Claims == "") == (e.Found == ""):
			t.Errorf("%s needs claims or found, and not both", e.Fact)
		}
		for _, also := range e.Also {
			if _, ok := facts[also]; !ok {
				t.Errorf("%s: also names %q, which is no fact", e.Fact, also)
			}
		}
		seen[e.Fact] = true
	}
	if len(seen) != len(facts) {
		t.Errorf("the card tells of %d facts of %d", len(seen), len(facts))
	}
}

// What is missed and what is claimed falsely are both said.
func TestMarkdown(t *testing.T) {
	lines := []Line{
		{Fact: simulate.Fact{Name: "a", Says: "it is so"}, View: "v", Findings: []string{"x|y", "z"}},
		{Fact: simulate.Fact{Name: "b", Says: "so too"}, View: "v", Alarms: []string{"not so"}},
		{Fact: simulate.Fact{Name: "c", Says: "it only looks so", Decoy: true}, View: "v", Alarms: []string{"neither"}},
	}
	if s := Sum(lines); s != (Sums{Facts: 2, Found: 1, Decoys: 1, Alarms: 2, DecoyAlarms: 1}) {
		t.Errorf("%+v", s)
	}
	got := Markdown(lines)
	for _, want := range []string{"1 of 2 facts found, 2 false alarms, 1 of them on 1 decoys.", `x\|y (and 1 more)`, "**missed**", "- not so", "**false alarm**: neither"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
}
