package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"aircheck/internal/wire/dialect"
)

// Messages are the conversation as planned, before any nonce. Where it is
// filled up to a length, room is left for that.
func (r *Request) Messages() []dialect.Message {
	if r.Size > 0 && r.Nonce {
		return r.Prompt.fill(max(r.Size-nonceTokens, 1))
	}
	return r.Prompt.fill(r.Size)
}

// Streamed says whether a stream is asked for: yes, unless a parameter says
// otherwise.
func (r *Request) Streamed() bool {
	s, ok := r.Params["stream"].(bool)
	return !ok || s
}

// ParamsJSON is what the plan declares for the request's cell, with sorted
// keys; "" where it declares nothing.
func (r *Request) ParamsJSON() string {
	if len(r.Params) == 0 {
		return ""
	}
	data, err := json.Marshal(r.Params)
	if err != nil {
		return "" // refused when the plan was read
	}
	return string(data)
}

// Build gives what is to be sent. salt makes nonces differ between runs and
// requests.
func (r *Request) Build(key, salt string, now time.Time) (*dialect.HTTPRequest, error) {
	t := r.Target
	messages := r.Messages()
	if r.Nonce {
		messages = append([]dialect.Message(nil), messages...)
		messages[0].Content = nonce(salt) + messages[0].Content
	}
	params := merged(r.Params)
	delete(params, "stream")
	h, err := dialect.Build(string(t.API), dialect.Request{BaseURL: t.BaseURL, ModelID: t.ModelID, Messages: messages,
		Stream: r.Streamed(), Params: params, Key: key, Region: t.Region, Headers: t.Headers, Time: now})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t, err)
	}
	return h, nil
}

// nonceTokens is the length of a nonce: brackets, and groups of three digits.
const nonceTokens = 6

// nonce is a number of twelve digits, which tokenizers cut into as many tokens
// whatever the digits are.
func nonce(salt string) string {
	sum := sha256.Sum256([]byte(salt))
	return fmt.Sprintf("[%012d] ", binary.BigEndian.Uint64(sum[:])%1e12)
}

// InputTokens estimates the length of the prompt: o200k tokens of its contents.
// Providers count with tokenizers of their own, and add what they wrap around.
func (r *Request) InputTokens() int {
	if r.Size > 0 {
		return r.Size
	}
	return r.Prompt.tokens()
}

// OutputCap is the most tokens that the answer may have by the request's
// parameters; 0 where they do not say.
func (r *Request) OutputCap() int {
	n, many := r.Params["n"]
	if !many {
		return outputCap(r.Params)
	}
	choices, ok := tokens(n)
	if !ok {
		return 0
	}
	return max(choices, 1) * outputCap(r.Params)
}

// Cell is what rows are compared by: one target in one scenario at one
// concurrency.
type Cell struct {
	Target      *Target
	Scenario    string
	Concurrency int // 0: open loop
	Params      string
	Requests    []*Request
}

// Count counts the requests of a phase.
func (c *Cell) Count(phase string) (n int) {
	for _, r := range c.Requests {
		if r.Phase == phase {
			n++
		}
	}
	return n
}

// Cells sorts a schedule's requests by cell: scenarios and concurrencies in
// their order, and in each the targets as the plan lists them. All probes of a
// target make one.
func Cells(blocks []Block) []*Cell {
	type key struct {
		t           *Target
		scenario    string
		concurrency int
		params      string
	}
	var out []*Cell
	cells := map[key]*Cell{}
	for i := range blocks {
		for j := range blocks[i].Requests {
			r := &blocks[i].Requests[j]
			k := key{r.Target, r.Scenario, r.Concurrency, r.ParamsJSON()}
			if r.Probe != "" {
				k.params = ""
			}
			c := cells[k]
			if c == nil {
				c = &Cell{Target: r.Target, Scenario: r.Scenario, Concurrency: r.Concurrency, Params: k.params}
				cells[k], out = c, append(out, c)
			}
			c.Requests = append(c.Requests, r)
		}
	}
	// Targets appear in the order of a shuffled round.
	group := map[[2]any]int{}
	for _, c := range out {
		if g := [2]any{c.Scenario, c.Concurrency}; group[g] == 0 {
			group[g] = len(group) + 1
		}
	}
	slices.SortStableFunc(out, func(a, b *Cell) int {
		return cmp.Or(cmp.Compare(group[[2]any{a.Scenario, a.Concurrency}], group[[2]any{b.Scenario, b.Concurrency}]),
			cmp.Compare(a.Target.place, b.Target.place))
	})
	return out
}
