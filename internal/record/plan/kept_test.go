package plan

import (
	"strings"
	"testing"
)

// What a plan asks and checks for is not in the text that is kept, and the rest
// is a plan as before.
func TestKept(t *testing.T) {
	p := parse(t, targets+`
content: hash # about Anna
timeouts: {idle: 7s}
scenarios:
  - name: s
    messages: [{role: user, content: "Who is Anna?"}]
    params: {stop: [Anna], max_tokens: 5}
    checks: [{contains: Anna}]
`)
	kept := p.Kept(func(string) string { return "hidden" })
	if strings.Contains(kept, "Anna") || !strings.Contains(kept, "content: \"hidden\"") || !strings.Contains(kept, "content: hash") {
		t.Error(kept)
	}
	back := parse(t, kept)
	if back.Timeouts != p.Timeouts || back.Content != ContentHash || len(back.Targets) != len(p.Targets) || back.Scenarios[0].Params["max_tokens"] != 5 {
		t.Errorf("%+v", back)
	}
}
