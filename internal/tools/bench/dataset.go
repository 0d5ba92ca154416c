// Package bench makes datasets of any size for benchmarks: streams as six
// providers send them, with seeded text and times.
package bench

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"aircheck/schema"
)

// Dataset writes a run of at least so many chunks below dir, in responses of 200
// to 800 tokens. The same seed gives the same rows.
func Dataset(dir string, chunks int, seed uint64) (requests, written int, err error) {
	return Responses(dir, chunks, 200, 800, seed)
}

// Responses is Dataset with responses of at least and fewer than so many tokens.
func Responses(dir string, chunks, least, below int, seed uint64) (requests, written int, err error) {
	g := newGenerator(seed)
	g.least, g.below = least, below
	return g.run(dir, "bench", 0, func(_, written int) bool { return written < chunks })
}

// Runs writes many small runs, each of so many requests of two to six tokens.
func Runs(dir string, runs, requests int, seed uint64) error {
	g := newGenerator(seed)
	g.least, g.below = 2, 6
	for i := range runs {
		if _, _, err := g.run(dir, fmt.Sprintf("bench-%05d", i), i*requests, func(n, _ int) bool { return n < requests }); err != nil {
			return err
		}
	}
	return nil
}

// run writes a run of as many requests as more asks for, the first of which is the
// generator's request number from.
func (g *generator) run(dir, id string, from int, more func(requests, written int) bool) (requests, written int, err error) {
	w, err := schema.Create(dir, id)
	if err != nil {
		return 0, 0, err
	}
	begin := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	start := begin.Add(time.Duration(from) * 250 * time.Millisecond)
	for more(requests, written) {
		n := from + requests
		r, frames := g.request(n, begin.Add(time.Duration(n)*250*time.Millisecond))
		w.Begin(r.RequestID)
		if err := w.Write(r, frames); err != nil {
			w.Abort()
			return requests, written, err
		}
		requests, written = requests+1, written+len(frames)
	}
	return requests, written, w.Seal(&schema.Run{Name: id, Origin: "simulated", Tool: "bench", Host: "bench",
		StartedAtNs: start.UnixNano(), EndedAtNs: start.UnixNano()})
}

type generator struct {
	rand  *rand.Rand
	words []string
	zipf  *rand.Zipf
	ids   schema.IDs

	least, below int // tokens of a response
}

func newGenerator(seed uint64) *generator {
	g := &generator{rand: rand.New(rand.NewPCG(seed, 1))}
	for range 20_000 {
		n := 2 + g.rand.IntN(7)
		word := make([]byte, n)
		for i := range word {
			word[i] = byte('a' + g.rand.IntN(26))
		}
		g.words = append(g.words, string(word))
	}
	g.zipf = rand.NewZipf(g.rand, 1.1, 4, uint64(len(g.words)-1))
	return g
}

// shape is how one provider frames its stream.
type shape struct {
	provider, model, api string
	head                 string // first frame; {id} is filled in
	token                func(g *generator, id, text string) string
	thought              func(g *generator, id, text string) string // nil where it does not think
	tail                 []string                                   // {id}, {input}, {output}, {thinking} and {total} are filled in
	comments             bool
}

func chat(field, extra string) func(*generator, string, string) string {
	return func(g *generator, id, text string) string {
		out := `data: {"id":"` + id + `","object":"chat.completion.chunk","created":1767225600,"model":"served","choices":[{"index":0,"delta":{"` + field + `":"` + text + `"},"logprobs":null,"finish_reason":null}]` + extra
		if extra == "" {
			return out + "}\n\n"
		}
		return out + `,"obfuscation":"` + g.noise(16-len(text)%16) + "\"}\n\n"
	}
}

const (
	chatHead  = `data: {"id":"{id}","object":"chat.completion.chunk","created":1767225600,"model":"served","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}]}` + "\n\n"
	chatStop  = `data: {"id":"{id}","object":"chat.completion.chunk","created":1767225600,"model":"served","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}` + "\n\n"
	chatUsage = `data: {"id":"{id}","object":"chat.completion.chunk","created":1767225600,"model":"served","choices":[],"usage":{"prompt_tokens":{input},"completion_tokens":{output},"total_tokens":{total},"completion_tokens_details":{"reasoning_tokens":{thinking}}}}` + "\n\n"
	chatDone  = "data: [DONE]\n\n"
)

var shapes = []shape{
	{provider: "openai", model: "gpt", api: "openai-chat", head: chatHead, token: chat("content", ` `), tail: []string{chatStop, chatUsage, chatDone}},
	{provider: "deepseek", model: "reasoner", api: "openai-chat", head: chatHead, token: chat("content", ""), thought: chat("reasoning_content", ""), tail: []string{chatStop, chatUsage, chatDone}},
	{provider: "openrouter", model: "gpt", api: "openai-chat", head: chatHead, token: chat("content", ""), tail: []string{chatStop, chatUsage, chatDone}, comments: true},
	{provider: "vllm", model: "open", api: "openai-chat", head: chatHead, token: chat("content", ""), tail: []string{chatStop, chatUsage, chatDone}},
	{provider: "groq", model: "open", api: "openai-chat", head: chatHead, token: chat("content", ""), tail: []string{chatStop, chatUsage, chatDone}},
	{
		provider: "anthropic", model: "claude", api: "anthropic-messages",
		head: "event: message_start\n" + `data: {"type":"message_start","message":{"id":"{id}","type":"message","role":"assistant","model":"served","content":[],"stop_reason":null,"usage":{"input_tokens":25,"output_tokens":1}}}` + "\n\n",
		token: func(_ *generator, _, text string) string {
			return "event: content_block_delta\n" + `data: {"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"` + text + `"}}` + "\n\n"
		},
		tail: []string{
			"event: content_block_stop\n" + `data: {"type":"content_block_stop","index":0}` + "\n\n",
			"event: message_delta\n" + `data: {"type":"message_delta","delta":{"stop_reason":"end_turn","stop_sequence":null},"usage":{"input_tokens":{input},"output_tokens":{output}}}` + "\n\n",
			"event: message_stop\n" + `data: {"type":"message_stop"}` + "\n\n",
		},
	},
}

func (g *generator) request(n int, at time.Time) (*schema.Request, []schema.Chunk) {
	s := &shapes[n%len(shapes)]
	id := "c-" + strconv.Itoa(n)
	t := int64(50e6 + 300e6*math.Exp(0.4*g.rand.NormFloat64()))
	r := &schema.Request{
		RequestID: g.ids.Next(at), OrderIndex: int32(n), Attempt: 1, Provider: s.provider, Model: s.model, API: &s.api, ModelID: &s.model,
		Scenario: new("bench"), Concurrency: new(int32(1)), Phase: "measure", Window: new(fmt.Sprintf("w%02d", n*12/1_000_000%12)),
		StartedAtNs: new(at.UnixNano()), DNSNs: new(int64(0)), ConnectNs: new(int64(0)), TLSNs: new(int64(0)), SentNs: new(int64(1e6)),
		HeadersNs: new(t), ConnReused: new(true), Streamed: new(true), HTTPStatus: new(int32(200)),
		ResponseHeaders: new(`{"Content-Type":["text/event-stream; charset=utf-8"]}`), EndReason: new("eof"), Origin: "simulated", Detail: "chunks",
	}
	var chunks []schema.Chunk
	var read int32 = -1
	var late int64 // of the recorder, at a read
	add := func(frame string, together bool) {
		if !together || read < 0 {
			read++
			t += int64(15e6 * math.Exp(0.8*g.rand.NormFloat64()))
			if g.rand.IntN(5000) == 0 {
				t += 2e9
			}
			late = 20_000 + g.rand.Int64N(60_000)
		}
		chunks = append(chunks, schema.Chunk{ReadSeq: read, TNs: new(t), TReadNs: new(t + late), Clock: "kernel", Complete: true, Raw: []byte(frame)})
	}
	if s.comments {
		for range 3 {
			add(": OPENROUTER PROCESSING\n\n", false)
		}
	}
	add(strings.Replace(s.head, "{id}", id, 1), false)
	tokens := g.least + g.rand.IntN(g.below-g.least)
	thinking := 0
	if s.thought != nil {
		thinking = tokens / 2
	}
	for i := range tokens {
		frame := s.token
		if i < thinking {
			frame = s.thought
		}
		add(frame(g, id, g.words[g.zipf.Uint64()]+" "), g.rand.IntN(8) == 0)
	}
	input := 20 + g.rand.IntN(500)
	counts := strings.NewReplacer("{id}", id, "{input}", strconv.Itoa(input), "{output}", strconv.Itoa(tokens),
		"{thinking}", strconv.Itoa(thinking), "{total}", strconv.Itoa(input+tokens))
	for _, f := range s.tail {
		add(counts.Replace(f), true)
	}
	r.EndNs = new(t + 1e6)
	return r, chunks
}

func (g *generator) noise(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte('0' + g.rand.IntN(62)%10)
	}
	return string(b)
}
