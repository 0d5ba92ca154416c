package runner

import (
	"fmt"
	"strings"

	"aircheck/internal/record/plan"
	"aircheck/internal/rules/prices"
)

// enforced are the dialects whose allowance bounds all output, thinking included.
var enforced = map[string]bool{"anthropic-messages": true, "openai-responses": true, "bedrock-converse": true}

// believe leaves out of an answer's account of itself what cannot be, and says
// what that was. A request whose count is not believed costs what it may cost at
// most; analysis counts its tokens.
func believe(q *plan.Request, u prices.Usage) (b prices.Usage, doubt string) {
	b = u.Believable()
	var doubts []string
	for _, c := range []struct {
		what      string
		was, left *int64
	}{{"input", u.Input, b.Input}, {"output", u.Output, b.Output}, {"cached", u.Cached, b.Cached}, {"cache-write", u.CacheWrite, b.CacheWrite}, {"thinking", u.Reasoning, b.Reasoning}} {
		if c.was != nil && c.left == nil {
			doubts = append(doubts, fmt.Sprintf("%d %s tokens", *c.was, c.what))
		}
	}
	// Models overrun an allowance by a few tokens, where they end a word.
	if most := int64(q.OutputCap()); most > 0 && enforced[string(q.Target.API)] && b.Output != nil && *b.Output > most+most/10+16 {
		doubts = append(doubts, fmt.Sprintf("%d output tokens of the %d allowed", *b.Output, most))
		b.Output = nil
	}
	return b, strings.Join(doubts, ", ")
}
