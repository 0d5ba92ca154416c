package decode

import (
	"slices"

	"aircheck/internal/wire/dialect"
)

// unopened takes text of a choice for thinking after all: a closing tag has come
// whose opening one stood in the prompt. Where the choice has thinking in a
// field of its own, the tag is a word of the answer.
func (a *assembler) unopened(index int32) {
	i := slices.IndexFunc(a.choices, func(c choice) bool { return c.index == index })
	if i < 0 || len(a.choices[i].reasoning) > 0 {
		return
	}
	c := &a.choices[i]
	c.text, c.reasoning = c.reasoning, c.text

	a.at.spans.unopened(index)
	a.at.ans, a.at.answer = a.at.spans.answered(a.at.frames.Seq[a.at.i])
	for row := a.at.first; row < a.events.n; row++ { // none where events are not kept
		if a.events.kind(row) == dialect.KindText && a.events.choice(row) == index {
			a.events.setKind(row, dialect.KindReasoning)
		}
	}
}
