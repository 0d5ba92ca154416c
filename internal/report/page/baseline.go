package page

import (
	"aircheck/internal/kit/human"
	"aircheck/internal/report/words"
)

// Baseline is what changed since an earlier data set.
type Baseline struct {
	Name      string
	Changes   []Change
	Gone, New []string // what only one of the two has
}

// Change is one metric of one cell, before and after. Ratio is after ÷ before;
// Claim is regression, improvement, unchanged or "", Verdict that of the views.
type Change struct {
	Metric, Title, Unit       string
	Provider, Model, Scenario string
	Concurrency               *int32
	Before, After             *float64
	Ratio, Lo, Hi             *float64
	NBefore, NAfter           int
	Claim, Verdict, WhyNot    string
}

// baselinePage shows the changes: what is clear first, then what leans, what is
// unchanged within its margin, and what cannot be told.
func (b *Baseline) page(l *words.Language) *otherPage {
	t := table{Caption: l.Say("Changes since the baseline"), Left: 2, Head: []string{l.Say("Change"), l.Say("Provider"), l.Say("Model"), l.Say("Scenario"), l.Say("At a time"), l.Say("Measure"),
		l.Say("Before"), l.Say("After"), l.Say("After ÷ before"), l.Say("n before"), l.Say("n after"), l.Say("Why not")}, Words: []int{2, 3, 5, 11}}
	var counts [4]int64
	for _, order := range []int{0, 1, 2, 3} {
		for _, c := range b.Changes {
			class, said := c.reads(l)
			if class != order {
				continue
			}
			counts[class]++
			if len(t.Rows) >= rowsShown {
				continue
			}
			format := unitFormat(l, c.Unit)
			concurrency := value{Text: human.None, Why: whyUnknown}
			if c.Concurrency != nil {
				concurrency = text(human.Count(int64(*c.Concurrency)))
			}
			t.Rows = append(t.Rows, cells(text(said), nameOf(l, c.Provider), nameOf(l, c.Model), nameOf(l, c.Scenario), concurrency, text(l.Term(c.Title)),
				show(c.Before, format, whyUnknown), show(c.After, format, whyUnknown), interval(l, c.Ratio, c.Lo, c.Hi, l.Ratio, whyUnknown),
				text(human.Count(int64(c.NBefore))), text(human.Count(int64(c.NAfter))), text(l.Term(c.WhyNot))))
		}
	}
	t.note(l)
	if len(b.Changes) > len(t.Rows) {
		t.Notes = append(t.Notes, l.Say("the first %d of %s rows", len(t.Rows), human.Count(int64(len(b.Changes)))))
	}
	p := &otherPage{Path: "baseline.html", Nav: l.Say("Baseline"), Title: l.Say("Baseline"), H1: l.Say("%s clear, %s leaning, %s unchanged within the margin, %s undecided since %s",
		l.Count(counts[0], "change"), human.Count(counts[1]), human.Count(counts[2]), human.Count(counts[3]), l.Name(b.Name))}
	if len(b.Gone) > 0 {
		p.Lead = append(p.Lead, l.Say("Only the baseline has: %s.", l.Names(b.Gone)))
	}
	if len(b.New) > 0 {
		p.Lead = append(p.Lead, l.Say("Only this report has: %s.", l.Names(b.New)))
	}
	p.Tables = []detail{{ID: "t-baseline", Title: l.Say("What changed, measure by measure"),
		Sub:   l.Say("Unchanged: the whole interval lies within the margin. Cannot tell: it does not, and nothing is shown. A false discovery rate of 5 %% over all changes of a measure."),
		Empty: l.Say("The two have no cell in common."), Table: t}}
	return p
}

// reads gives the class of a change (0 clear, 1 leaning, 2 unchanged, 3 cannot
// tell) and its words.
func (c *Change) reads(l *words.Language) (int, string) {
	worse := c.Claim == "regression"
	switch {
	case c.Claim == "unchanged":
		return 2, l.Say("unchanged")
	case c.Verdict == "supported":
		return 0, pick(worse, l.Say("worse"), l.Say("better"))
	case c.Verdict == "tendency":
		return 1, pick(worse, l.Say("leaning worse"), l.Say("leaning better"))
	}
	return 3, l.Say("cannot tell")
}
