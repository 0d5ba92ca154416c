package simtest

import (
	"math"
	"slices"

	"aircheck/internal/analyze/stats"
)

// RunSteps draws data sets as [World.Run] does, and sets the later half of each
// provider's and model's windows against the earlier. Flip is what the first
// provider is slower by, on the first model, in the later half. FalseFlips stays
// 0; Oracle, too.
func (w World) RunSteps(first, seeds, workers int) Rate {
	return w.run(first, seeds, workers, w.judgeSteps)
}

func (w World) judgeSteps(seed int) Rate {
	r := Rate{World: w, Seeds: 1}
	planted := w
	planted.Flip = 0
	data := planted.Draw(seed)
	var entries []stats.Entry
	var steps []stats.Step
	var truth []float64
	half := w.Windows / 2
	for m, contest := range data {
		for _, e := range contest {
			step := stats.Step{Series: len(entries)}
			effect := 0.0
			if w.Flip > 0 && m == 0 && e.Provider == 0 {
				effect = math.Log(w.Flip)
			}
			for i := range e.Windows {
				o := &e.Windows[i]
				if o.Window < half {
					step.Before = append(step.Before, o.Window)
					continue
				}
				step.After = append(step.After, o.Window)
				for k := range o.Values {
					o.Values[k] *= math.Exp(effect)
				}
			}
			entries, steps, truth = append(entries, e), append(steps, step), append(truth, effect)
		}
	}
	times := make([]float64, w.Windows)
	for i := range times {
		times[i] = float64(i)
	}
	wrong := false
	for i, v := range w.measure().Steps(times, entries, steps, 1) {
		r.Sides++
		if !v.Decided && v.Why != stats.WhyMargin && v.Why != stats.WhyPower {
			r.Withheld++
		}
		if truth[i] != 0 {
			r.Planted++
			if v.Decided && v.Difference > 0 {
				r.Found++
			}
		}
		wrong = wrong || v.Decided && (truth[i] == 0 || v.Difference < 0)
		if v.P != nil && w.Statistic != Share {
			r.Intervals++
			if math.Abs(v.Difference-truth[i]) <= v.Half(0.95) {
				r.Covered++
			}
		}
	}
	if wrong {
		r.FalseSides++
	}
	c, i := float64(r.Covered), float64(r.Intervals)
	r.cc, r.ii, r.ci = c*c, i*i, c*i
	return r
}

// StepCells are the cases in which times are compared. A day's cycle is a change of
// level, and no false one; and nothing pairs the times, so that what windows share
// counts as a level that wanders, and is held to the limit from as many windows on.
func StepCells(windows []int, shapes ...Shape) (all []World) {
	for _, w := range Cells(windows, shapes...) {
		if w.SharedDay > 0 || w.OwnDay > 0 || w.SlowFail {
			continue
		}
		switch {
		case w.Shared.SD > 0 && w.Statistic == Share:
			w.From = 0
		case w.Shared.SD > 0 || w.Spells:
			w.From = 24
		}
		all = append(all, w)
	}
	return slices.Clip(all)
}
