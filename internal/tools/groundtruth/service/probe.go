package service

import (
	"fmt"
	"time"
)

// probed lists the parameters that are probed.
var probed = []string{"reasoning_off", "max_tokens", "stop", "json_mode", "usage", "tools", "n", "logprobs"}

// probes ask for each parameter five times with it and five times without. All
// but Planted honour it, as far as models do: one answer in ten is no sentence or
// no list of numbers, whatever is asked, one in five calls no tool, and one in
// twenty uses JSON unasked.
func (w *world) probes() {
	for _, provider := range providers {
		for _, probe := range probed {
			for trial := range 5 {
				for _, arm := range []string{"treatment", "control"} {
					w.probe(provider, probe, arm, trial)
				}
			}
		}
	}
}

func (w *world) probe(provider, probe, arm string, trial int) {
	on := arm == "treatment" && provider != Planted // the parameter is set, and heard
	r := w.row(provider, "probes", 0, 100*time.Minute+time.Duration(trial)*time.Second)
	first := firstMs * w.noise()
	r.answered(first, first+100)
	r.Phase, r.Measured, r.Trial, r.Probe, r.ProbeArm = "probe", false, int32(trial), &probe, &arm
	most := 1024
	if probe == "max_tokens" && arm == "treatment" {
		most = 16
	}
	r.Params, r.Finish, r.TokenSource, r.InputTokens = text(fmt.Sprintf(`{"max_tokens":%d}`, most)), text("stop"), text("usage"), new(int64(20))
	a := answer{Text: text("A plain sentence of some length, as asked.")}
	tokens, thought, choices, listed := int64(150+w.r.IntN(100)), false, int32(1), int64(0)
	odd := w.r.IntN(10) == 0
	switch probe {
	case "reasoning_off":
		thought = !on
		if thought {
			r.Reasoning = new(int64(40 + w.r.IntN(40)))
		}
	case "max_tokens":
		if on {
			tokens, r.Finish, r.Outcome = 16, text("length"), "truncated"
		}
	case "stop":
		a.Text = text("1 2 3 4 5 6 7 8 9 10 11 12")
		switch {
		case odd:
			a.Text = text("Of course!")
		case on:
			a.Text = text("1 2 3 4 5 6 ")
		}
	case "json_mode":
		switch {
		case on, w.r.IntN(20) == 0:
			a.Text = text(`{"fruits": ["apple"]}`)
		case arm == "treatment":
			a.Text = text("```json\n{}\n```")
		}
	case "usage":
		if arm == "control" || !on {
			r.TokenSource = text("tokenizer")
		}
	case "tools":
		if on {
			r.InputTokens = new(int64(80))
			if w.r.IntN(5) > 0 {
				a.Text, a.ToolCalls, r.ToolChars = nil, text(`[{"name":"get_weather"}]`), 30
			}
		}
	case "n":
		if on {
			choices = 2
		}
	case "logprobs":
		if on {
			listed = tokens
		}
	}
	r.OutputTokens, r.VisibleTokens = &tokens, &tokens
	// Planted reports twice the tokens that others report of the same text.
	shown := int64(float64(tokens) / (1.08 + 0.04*w.r.Float64()))
	if provider == Planted {
		shown /= 2
	}
	id := w.add(r, text(probe+arm))
	a.RequestID = id
	w.answers = append(w.answers, a)
	w.thinking = append(w.thinking, thinking{id, thought})
	st := stream{RequestID: id, Choices: choices}
	if listed > 0 {
		st.Listed = &listed
	}
	w.streams = append(w.streams, st)
	w.counted = append(w.counted, counted{id, true, shown, shown})
}
