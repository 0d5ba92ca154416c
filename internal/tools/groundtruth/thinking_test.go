package groundtruth

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
)

// What people met when thinking was on, off, or said to be: each an answer as a
// provider streamed it, and what is made of it.
func TestThinkingAsPeopleMetIt(t *testing.T) {
	t.Parallel()
	const no = `{"reasoning_effort":"none"}`
	cases := []struct {
		name string
		a    Answer
		want string // outcome; asked; requests that thought, ignored it, misplaced, suspect, unverified; budget eaten
	}{
		{"a long thought, nothing else, saved as complete", Answer{Thinking: strings.Repeat("Hmm. ", 300), Finish: "length", Output: 400, Reasoning: new(int64(400))},
			"starved not sent 1 0 0 0 0 1"},
		{"blank text is no answer", Answer{Thinking: "Hmm.", Text: " \n ", Finish: "length", Output: 9}, "starved not sent 1 0 0 0 0 1"},
		{"no parameter turns it off", Answer{Body: no, Text: "Hi.", Output: 90, Reasoning: new(int64(80))}, "ok off 1 1 0 0 0 0"},
		{"not sent is not off", Answer{Text: "Hi.", Thinking: "Hmm.", Output: 9}, "ok not sent 1 0 0 0 0 0"},
		{"the answer came as thinking", Answer{Body: no, Thinking: "Paris.", Output: 3}, "starved off 1 0 1 0 0 0"},
		{"inline tags in spite of think: false", Answer{Body: `{"think":false}`, Text: "<think>Capital of France.</think>Paris.", Output: 12}, "ok off 1 1 0 0 0 0"},
		{"tags with nothing between them", Answer{Body: `{"chat_template_kwargs":{"enable_thinking":false}}`, Text: "<think>\n\n</think>\n\nParis.", Output: 7}, "ok off 0 0 0 0 0 0"},
		{"hidden, and billed", Answer{Body: no, Text: "Paris.", Output: 700}, "ok off 0 0 0 1 0 0"},
		{"off, and nothing says otherwise", Answer{Body: no, Text: "Paris.", Output: 3}, "ok off 0 0 0 0 1 0"},
		{"off, and counted as none", Answer{Body: no, Text: "Paris.", Output: 3, Reasoning: new(int64(0))}, "ok off 0 0 0 0 0 0"},
	}
	dir := t.TempDir()
	d, err := Create(dir, "r")
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range cases {
		a := c.a
		a.Provider, a.Model, a.Scenario, a.At, a.Input = fmt.Sprintf("p%02d", i), "m", "s", Day.Add(time.Duration(i)*time.Second), 5
		if _, err := d.Add(a); err != nil {
			t.Fatal(err)
		}
	}
	if err := d.Seal(); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(rows(t, build.Options{Dir: dir}, `
		SELECT outcome, asked, thought, off_ignored, off_misplaced, off_suspect, off_unverified, budget_eaten
		FROM thinking JOIN results USING (provider) ORDER BY provider`), "\n")
	for i, c := range cases {
		if got[i] != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got[i], c.want)
		}
	}
}
