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

	r, e := &a.at, &a.events
	r.ans, r.answer = firsts{}, false
	for row := r.first; row < e.n; row++ {
		kind := e.kind(row)
		if kind == dialect.KindText && e.choice(row) == index {
			kind = dialect.KindReasoning
			e.setKind(row, kind)
		}
		// The answer begins with what is left of it.
		if kind.Content() && kind != dialect.KindReasoning {
			r.ans.content(e.readSeq(row), e.chars(row))
			r.answer = r.answer || e.seq(row) == r.frames.Seq[r.i]
		}
	}
}
