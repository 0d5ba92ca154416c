package words

import (
	"fmt"
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
	s := f.claim(true)
	if f.Setting != "" {
		s += ", " + f.Setting
	}
	return s + "; " + f.Hold()
}

// Claim is the finding without intervals and evidence: "A starts 3.0× faster
// than B on m1, and 5.1× slower on m2", or "A tends to start …".
func (f Flip) Claim() string { return f.claim(false) }

func (f Flip) claim(intervals bool) string {
	w := f.Metric.Words
	does := w.Does
	if !f.Supported() {
		does = "tends to " + infinitive(w)
	}
	times := func(t Times, word, place string) string {
		s := word
		if t.Value != nil {
			s = human.Ratio(*t.Value) + " " + word
		}
		if place != "" {
			s += place
		}
		if intervals {
			s += t.interval()
		}
		return s
	}
	switch {
	case f.Axis == "metric":
		other := f.Metric2.Words
		does2 := other.Does
		if !f.Supported() {
			does2 = "tends to " + infinitive(other)
		}
		first := does + " " + times(f.Times1, w.Better, " than "+f.Leader2)
		second := does2 + " " + times(f.Times2, other.Better, "")
		return fmt.Sprintf("%s %s, but %s %s", f.Leader1, first, f.Leader2, second)
	case f.Metric.share() && f.Levels1[0] != nil && f.Levels1[1] != nil && f.Levels2[0] != nil && f.Levels2[1] != nil:
		to := func(v *float64) string { return human.Share(*v) }
		return fmt.Sprintf("%s %s more often than %s%s (%s to %s), and less often%s (%s to %s)",
			f.Leader1, does, f.Leader2, onAxis(f.Axis, f.At1), to(f.Levels1[0]), to(f.Levels1[1]),
			onAxis(f.Axis, f.At2), to(f.Levels2[0]), to(f.Levels2[1]))
	}
	return fmt.Sprintf("%s %s %s, and %s", f.Leader1, does,
		times(f.Times1, w.Better, " than "+f.Leader2+onAxis(f.Axis, f.At1)),
		times(f.Times2, w.Worse, onAxis(f.Axis, f.At2)))
}

func infinitive(w Words) string {
	do := w.Do
	do = strings.Replace(do, "are ", "be ", 1)
	return strings.Replace(do, "their", "its", 1)
}

// Setting names what tells contests of one model apart: "in chat, 8 at a time,
// from fra1". Parts that are empty or 0 are left out.
func Setting(scenario string, concurrency int64, vantage string) string {
	var parts []string
	if scenario != "" {
		parts = append(parts, "in "+scenario)
	}
	if concurrency > 0 {
		parts = append(parts, fmt.Sprintf("%d at a time", concurrency))
	}
	if vantage != "" {
		parts = append(parts, "from "+vantage)
	}
	return strings.Join(parts, ", ")
}

// onAxis says where, on an axis.
func onAxis(axis, at string) string {
	switch axis {
	case "scenario":
		return " in " + at
	case "concurrency":
		return " with " + at + " at a time"
	case "period":
		if strings.HasSuffix(at, " half") {
			return " in the " + at
		}
		return " in " + at
	}
	return " on " + at
}

// interval writes " (2.6–3.4)"; an end that the data cannot bound is left open.
func (t Times) interval() string {
	number := func(v float64) string { return strings.TrimSuffix(human.Ratio(v), "×") }
	switch {
	case t.Lo != nil && t.Hi != nil:
		return fmt.Sprintf(" (%s–%s)", number(*t.Lo), number(*t.Hi))
	case t.Lo != nil:
		return fmt.Sprintf(" (%s or more)", number(*t.Lo))
	case t.Hi != nil:
		return fmt.Sprintf(" (up to %s)", number(*t.Hi))
	}
	return ""
}

// Hold says how far the finding can be relied on: "both hold over 12 windows".
func (f Flip) Hold() string {
	windows := Count(f.Windows1, "window")
	if f.Windows1 != f.Windows2 {
		windows = fmt.Sprintf("%s and %s", human.Count(f.Windows1), Count(f.Windows2, "window"))
	}
	switch {
	case f.Supported():
		return "both hold over " + windows
	case f.Decided1:
		return fmt.Sprintf("the first holds over %s, the second is a tendency", Count(f.Windows1, "window"))
	case f.Decided2:
		return fmt.Sprintf("the second holds over %s, the first is a tendency", Count(f.Windows2, "window"))
	case f.Evidence == "windows":
		return windows + " do not settle it"
	case f.Evidence == "within":
		return "a tendency, from " + windows + " only"
	}
	return "a tendency that nothing tests"
}
