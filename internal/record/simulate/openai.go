package simulate

import (
	"encoding/json"
	"math"
	"net/url"
	"strings"
)

// openAIChat is the chat completions API of OpenAI and its many relatives.
type openAIChat struct{}

func (openAIChat) traits() traits {
	return traits{name: "openai-chat", side: ReasoningInside, reportsThinking: true, endMarker: true}
}

func (openAIChat) serves(path string) bool {
	return strings.HasSuffix(path, "/chat/completions")
}

func (openAIChat) read(_ *url.URL, _ string, body []byte) (*ask, error) {
	var q struct {
		Model     string    `json:"model"`
		Messages  []message `json:"messages"`
		Stream    bool      `json:"stream"`
		MaxTokens int       `json:"max_tokens"`
		MaxNew    int       `json:"max_completion_tokens"`
		Stop      some      `json:"stop"`
		N         int       `json:"n"`
		Logprobs  bool      `json:"logprobs"`
		Options   struct {
			IncludeUsage bool `json:"include_usage"`
		} `json:"stream_options"`
		Format struct {
			Type   string `json:"type"`
			Schema struct {
				Schema json.RawMessage `json:"schema"`
			} `json:"json_schema"`
		} `json:"response_format"`
		Tools []struct {
			Function struct {
				Name       string          `json:"name"`
				Parameters json.RawMessage `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
		ToolChoice json.RawMessage `json:"tool_choice"`
		thinkingKeys
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	a := &ask{
		model: q.Model, stream: q.Stream, max: max(q.MaxTokens, q.MaxNew), stop: q.Stop, n: q.N, logprobs: q.Logprobs,
		usage: q.Options.IncludeUsage, json: strings.HasPrefix(q.Format.Type, "json"), schema: q.Format.Schema.Schema,
		noTools: string(q.ToolChoice) == `"none"`,
	}
	a.hear("", q.Messages)
	for _, t := range q.Tools {
		a.tools = append(a.tools, tool{t.Function.Name, t.Function.Parameters})
	}
	q.thinkingKeys.apply(a)
	return a, nil
}

func (openAIChat) open(r *reply) renderer { return &chatRenderer{reply: r, thinking: map[int]bool{}} }

// chatRenderer remembers which choices are inside inline <think> tags.
type chatRenderer struct {
	*reply
	thinking map[int]bool
}

type chatChunk struct {
	ID          string       `json:"id"`
	Object      string       `json:"object"`
	Created     int64        `json:"created"`
	Model       string       `json:"model"`
	Provider    string       `json:"provider,omitempty"`
	Fingerprint string       `json:"system_fingerprint,omitempty"`
	Choices     []chatChoice `json:"choices"`
	Usage       *chatUsage   `json:"usage,omitempty"`
}

type chatChoice struct {
	Index    int           `json:"index"`
	Delta    *chatDelta    `json:"delta,omitempty"`
	Message  *chatDelta    `json:"message,omitempty"`
	Logprobs *chatLogprobs `json:"logprobs"`
	Finish   *string       `json:"finish_reason"`
}

type chatDelta struct {
	Role             string     `json:"role,omitempty"`
	Content          *string    `json:"content,omitempty"`
	ReasoningContent string     `json:"reasoning_content,omitempty"`
	Reasoning        string     `json:"reasoning,omitempty"`
	ToolCalls        []chatTool `json:"tool_calls,omitempty"`
}

type chatTool struct {
	Index    *int   `json:"index,omitempty"`
	ID       string `json:"id,omitempty"`
	Type     string `json:"type,omitempty"`
	Function struct {
		Name      string `json:"name,omitempty"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

type chatLogprobs struct {
	Content []chatLogprob `json:"content"`
}

type chatLogprob struct {
	Token   string  `json:"token"`
	Logprob float64 `json:"logprob"`
	Bytes   []int   `json:"bytes"`
	Top     []int   `json:"top_logprobs"`
}

type chatUsage struct {
	Prompt     int `json:"prompt_tokens"`
	Completion int `json:"completion_tokens"`
	Total      int `json:"total_tokens"`
	PromptIn   struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
	CompletionIn *chatReasoning `json:"completion_tokens_details,omitempty"`
}

type chatReasoning struct {
	Reasoning int `json:"reasoning_tokens"`
}

func (c *chatRenderer) streamType() string { return "text/event-stream; charset=utf-8" }

func (c *chatRenderer) chunk(object string, choices ...chatChoice) chatChunk {
	if choices == nil {
		choices = []chatChoice{}
	}
	return chatChunk{ID: "chatcmpl-" + c.id, Object: object, Created: c.created.Unix(), Model: c.model,
		Provider: c.b.ServedBy, Fingerprint: c.b.Fingerprint, Choices: choices}
}

func (c *chatRenderer) usageOf(t Tokens) *chatUsage {
	u := c.usage(t)
	out := &chatUsage{Prompt: u.input, Completion: u.output, Total: u.total}
	out.PromptIn.Cached = u.cached
	if u.reasoning != nil {
		out.CompletionIn = &chatReasoning{*u.reasoning}
	}
	return out
}

func (c *chatRenderer) frames(s *step) []byte {
	const object = "chat.completion.chunk"
	when := c.b.Usage.When
	switch s.act {
	case actStart:
		var out []byte
		for i := range max(1, c.ask.n) {
			ch := c.chunk(object, chatChoice{Index: i, Delta: &chatDelta{Role: "assistant", Content: new("")}})
			out = append(out, event("", ch)...)
		}
		return out
	case actThinking, actText, actTool:
		choice := chatChoice{Index: s.choice, Delta: c.delta(s)}
		if c.ask.logprobs && s.act == actText {
			choice.Logprobs = logprobsOf(s.pieces)
		}
		ch := c.chunk(object, choice)
		if when == UsageCumulative {
			ch.Usage = c.usageOf(s.used)
		}
		return event("", ch)
	case actFinish:
		ch := c.chunk(object, chatChoice{Index: s.choice, Delta: &chatDelta{}, Finish: &s.finish})
		if c.thinking[s.choice] { // starved within inline tags
			c.thinking[s.choice] = false
			ch.Choices[0].Delta.Content = new("</think>")
		}
		if when == UsageCumulative || when == UsageAlways && s.choice == max(1, c.ask.n)-1 {
			ch.Usage = c.usageOf(s.used)
		}
		return event("", ch)
	case actUsage:
		if when == UsageAsked && c.ask.usage {
			ch := c.chunk(object)
			ch.Usage = c.usageOf(s.used)
			return event("", ch)
		}
	case actDone:
		return []byte("data: [DONE]\n\n")
	case actComment:
		return sseComment(c.b.KeepAlive.Comment)
	case actError:
		return append([]byte("data: "), append(c.failure(fail(StreamError, c.model, c.script.fault.Message)), "\n\n"...)...)
	case actJunk:
		return []byte("data: {\"id\":\"chatcmpl-" + c.id + "\",\"choices\":[{\"index\":0,\"delta\":{\"content\n\n")
	}
	return nil
}

// delta spells generated tokens; inline thinking opens and closes its tags.
func (c *chatRenderer) delta(s *step) *chatDelta {
	d := &chatDelta{}
	switch {
	case s.act == actTool:
		t := chatTool{Index: new(0)}
		t.Function.Arguments = s.text()
		if s.first {
			t.ID, t.Type, t.Function.Name = s.call.id, "function", s.call.name
		}
		d.ToolCalls = []chatTool{t}
	case s.act == actThinking && c.b.Thinking.Show == ShowReasoning:
		d.Reasoning = s.text()
	case s.act == actThinking && c.b.Thinking.Show == ShowInline:
		text := s.text()
		if !c.thinking[s.choice] {
			c.thinking[s.choice] = true
			text = "<think>\n" + text
		}
		d.Content = &text
	case s.act == actThinking:
		d.ReasoningContent = s.text()
	default:
		text := s.text()
		if c.thinking[s.choice] {
			c.thinking[s.choice] = false
			text = "\n</think>\n\n" + text
		}
		d.Content = &text
	}
	return d
}

// logprobsOf invents probabilities that depend on the token alone.
func logprobsOf(pieces []string) *chatLogprobs {
	l := &chatLogprobs{}
	for _, p := range pieces {
		e := chatLogprob{Token: p, Logprob: -math.Round(float64(len(p))*1e3/7) / 1e4, Top: []int{}}
		for _, b := range []byte(p) {
			e.Bytes = append(e.Bytes, int(b))
		}
		l.Content = append(l.Content, e)
	}
	return l
}

func (c *chatRenderer) whole(steps []step) []byte {
	var choices []chatChoice
	for i, s := range gather(steps) {
		m := &chatDelta{Role: "assistant", Content: &s.text}
		switch c.b.Thinking.Show {
		case ShowReasoning:
			m.Reasoning = s.thinking
		case ShowReasoningContent:
			m.ReasoningContent = s.thinking
		case ShowInline:
			if s.thinking != "" {
				m.Content = new("<think>\n" + s.thinking + "\n</think>\n\n" + s.text)
			}
		}
		choice := chatChoice{Index: i, Message: m}
		if s.call != nil {
			t := chatTool{ID: s.call.id, Type: "function"}
			t.Function.Name, t.Function.Arguments = s.call.name, s.args
			m.ToolCalls = []chatTool{t}
		}
		if c.ask.logprobs {
			choice.Logprobs = logprobsOf(s.pieces)
		}
		if s.finish != "" {
			choice.Finish = &s.finish
		}
		choices = append(choices, choice)
	}
	ch := c.chunk("chat.completion", choices...)
	if c.b.Usage.When != UsageNever {
		ch.Usage = c.usageOf(c.script.tokens)
	}
	return compact(ch)
}

func (c *chatRenderer) failure(f failure) []byte {
	var e struct {
		Error struct {
			Message string  `json:"message"`
			Type    string  `json:"type"`
			Param   *string `json:"param"`
			Code    *string `json:"code"`
		} `json:"error"`
	}
	e.Error.Message, e.Error.Type = f.message, f.word
	if f.kind == Unavailable || f.kind == RateLimited || f.kind == Quota || f.kind == Account {
		e.Error.Code = &f.word
		e.Error.Type = map[bool]string{true: "insufficient_quota", false: "invalid_request_error"}[f.kind == Quota]
	}
	if f.kind == RateLimited {
		e.Error.Type = "requests"
	}
	return compact(e)
}
