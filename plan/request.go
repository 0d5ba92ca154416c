package plan

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"time"

	"aircheck/dialect"
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

// Cell is what rows are compared by: one target in one scenario at one
// concurrency.
type Cell struct {
	Target      *Target
	Scenario    string
	Concurrency int // 0: open loop
	Params      string
	Requests    map[string]int // by phase
	InputTokens int            // o200k tokens of all prompts
	OutputCap   int            // the most that all answers can have; 0 where one is not bounded
	Unbounded   bool           // some answer is not
}

// Cells sums a schedule up by cell, in the order of first appearance. Counting
// tokens takes a moment.
func Cells(blocks []Block) []*Cell {
	type key struct {
		t           *Target
		scenario    string
		concurrency int
		params      string
	}
	type length struct {
		p    *Prompt
		size int
	}
	var out []*Cell
	cells := map[key]*Cell{}
	lengths := map[length]int{}
	for i := range blocks {
		for j := range blocks[i].Requests {
			r := &blocks[i].Requests[j]
			k := key{r.Target, r.Scenario, r.Concurrency, r.ParamsJSON()}
			if r.Probe != "" {
				k.params = "" // one line for all probes of a target
			}
			c := cells[k]
			if c == nil {
				c = &Cell{Target: r.Target, Scenario: r.Scenario, Concurrency: r.Concurrency, Params: k.params, Requests: map[string]int{}}
				cells[k], out = c, append(out, c)
			}
			c.Requests[r.Phase]++
			n := r.Size
			if n == 0 {
				l := length{r.Prompt, 0}
				if _, ok := lengths[l]; !ok {
					lengths[l] = r.Prompt.tokens()
				}
				n = lengths[l]
			}
			c.InputTokens += n
			limit := outputCap(r.Params)
			c.OutputCap += limit
			c.Unbounded = c.Unbounded || limit == 0
		}
	}
	return out
}
