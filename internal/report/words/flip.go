package words

import (
	"strings"

	"aircheck/internal/kit/human"
)

// Flip is a row of the view of that name.
type Flip struct {
	Axis             string
	Metric           Metric
	Metric2          Metric // of the second contest, where the axis is metric
	Leader1, Leader2 string // the better provider in either contest
	At1, At2         string // the contests, by the axis
	Times1, Times2   Times
	Levels1, Levels2 [2]*float64 // of Leader1 and of Leader2, in the unit of the metric
	Windows1         int64       // common windows of either contest
	Windows2         int64
	Decided1         bool
	Decided2         bool
	Evidence         string // windows, within or none
	Setting          string // what both contests have in common, where others are around: "from fra1"
}

// Times is how many times better the leader is, with its interval; what is nil
// is not known.
type Times struct{ Value, Lo, Hi *float64 }

// Supported reports whether both differences are decided.
func (f Flip) Supported() bool { return f.Decided1 && f.Decided2 }

// Text is the whole finding: "A starts 3.0× faster than B on m1 (2.6–3.4), and
// 5.1× slower on m2 (4.4–6.0); both hold over 12 windows".
func (f Flip) Text() string {
	l := f.Metric.Language
	if f.Setting != "" {
		return l.Say("%s, %s; %s", f.claim(true), f.Setting, f.Hold())
	}
	return l.Say("%s; %s", f.claim(true), f.Hold())
}

// Claim is the finding without intervals and evidence: "A starts 3.0× faster
// than B on m1, and 5.1× slower on m2", or "A tends to start …".
func (f Flip) Claim() string { return f.claim(false) }

func (f Flip) claim(intervals bool) string {
	w, l := f.Metric.Words, f.Metric.Language
	does := func(w Words) string {
		if f.Supported() {
			return w.Does
		}
		return l.Say("tends to %s", infinitive(w))
	}
	interval := func(t Times) string {
		if intervals {
			return t.interval(l)
		}
		return ""
	}
	times := func(t Times) string { // "3.0× ": what stands before the comparative
		if t.Value == nil {
			return ""
		}
		return l.Say("%s ", l.Ratio(*t.Value))
	}
	one, other := l.Name(f.Leader1), l.Name(f.Leader2)
	switch {
	case f.Axis == "metric":
		w2 := f.Metric2.Words
		return l.Say("%s %s %s%s than %s%s, but %s %s %s%s%s", one, does(w), times(f.Times1), w.Better, other, interval(f.Times1),
			other, does(w2), times(f.Times2), w2.Better, interval(f.Times2))
	case f.Metric.share() && f.Levels1[0] != nil && f.Levels1[1] != nil && f.Levels2[0] != nil && f.Levels2[1] != nil:
		to := func(v *float64) string { return human.Share(*v) }
		return l.Say("%s %s more often than %s%s (%s to %s), and less often%s (%s to %s)",
			one, does(w), other, onAxis(l, f.Axis, f.At1), to(f.Levels1[0]), to(f.Levels1[1]),
			onAxis(l, f.Axis, f.At2), to(f.Levels2[0]), to(f.Levels2[1]))
	}
	if f.Times1.Value != nil && f.Times2.Value != nil {
		kind := "less is better"
		if f.Metric.Higher {
			kind = "more is better"
		}
		return l.SayAs(kind, "%s %s %s %s than %s%s%s, and %s %s%s%s", one, does(w), l.Ratio(*f.Times1.Value), w.Better, other,
			onAxis(l, f.Axis, f.At1), interval(f.Times1), l.Ratio(*f.Times2.Value), w.Worse, onAxis(l, f.Axis, f.At2), interval(f.Times2))
	}
	return l.Say("%s %s %s%s than %s%s%s, and %s%s%s%s", one, does(w),
		times(f.Times1), w.Better, other, onAxis(l, f.Axis, f.At1), interval(f.Times1),
		times(f.Times2), w.Worse, onAxis(l, f.Axis, f.At2), interval(f.Times2))
}

func infinitive(w Words) string {
	do := w.Do
	do = strings.Replace(do, "are ", "be ", 1)
	return strings.Replace(do, "their", "its", 1)
}

// Setting names what tells contests of one model apart: "in chat, 8 at a time,
// from fra1". Parts that are empty or 0 are left out.
func (l *Language) Setting(scenario string, concurrency int64, vantage string) string {
	var parts []string
	if scenario != "" {
		parts = append(parts, l.Say("in %s", l.Name(scenario)))
	}
	if concurrency > 0 {
		parts = append(parts, l.Say("%d at a time", concurrency))
	}
	if vantage != "" {
		parts = append(parts, l.Say("from %s", l.Name(vantage)))
	}
	return l.Commas(parts)
}

// onAxis says where, on an axis, to follow a clause.
func onAxis(l *Language, axis, at string) string {
	switch {
	case axis == "scenario":
		return l.Say(" in %s", l.Name(at))
	case axis == "concurrency":
		return l.Say(" with %s at a time", at)
	case axis == "period" && strings.HasSuffix(at, " half"):
		return l.Say(" in the %s", l.Term(at))
	case axis == "period":
		return l.Say(" in %s", at)
	}
	return l.Say(" on %s", l.Name(at))
}

// interval writes " (2.6–3.4)"; an end that the data cannot bound is left open.
func (t Times) interval(l *Language) string {
	number := func(v float64) string { return strings.TrimSuffix(human.Ratio(v), "×") }
	switch {
	case t.Lo != nil && t.Hi != nil:
		return l.Say(" (%s–%s)", number(*t.Lo), number(*t.Hi))
	case t.Lo != nil:
		return l.Say(" (%s or more)", number(*t.Lo))
	case t.Hi != nil:
		return l.Say(" (up to %s)", number(*t.Hi))
	}
	return ""
}

// Hold says how far the finding can be relied on: "both hold over 12 windows".
func (f Flip) Hold() string {
	l := f.Metric.Language
	windows := l.Count(f.Windows1, "window")
	if f.Windows1 != f.Windows2 {
		windows = l.Say("%s and %s", human.Count(f.Windows1), l.Count(f.Windows2, "window"))
	}
	switch {
	case f.Supported():
		return l.Say("both hold over %s", windows)
	case f.Decided1:
		return l.Say("the first holds over %s, the second is a tendency", l.Count(f.Windows1, "window"))
	case f.Decided2:
		return l.Say("the second holds over %s, the first is a tendency", l.Count(f.Windows2, "window"))
	case f.Evidence == "windows":
		return l.Say("%s do not settle it", windows)
	case f.Evidence == "within":
		return l.Say("a tendency, from %s only", windows)
	}
	return l.Say("a tendency that nothing tests")
}
