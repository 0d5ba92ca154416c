package simulate

import (
	"encoding/json"
	"net/url"
	"strings"
)

// openAIResponses is the Responses API of OpenAI.
type openAIResponses struct{}

func (openAIResponses) traits() traits {
	return traits{name: "openai-responses", side: ReasoningInside, reportsThinking: true, reportsUnasked: true}
}

func (openAIResponses) serves(path string) bool { return strings.HasSuffix(path, "/responses") }

func (openAIResponses) read(_ *url.URL, _ string, body []byte) (*ask, error) {
	var q struct {
		Model        string          `json:"model"`
		Input        json.RawMessage `json:"input"`
		Instructions content         `json:"instructions"`
		Stream       bool            `json:"stream"`
		MaxTokens    int             `json:"max_output_tokens"`
		Text         struct {
			Format struct {
				Type   string          `json:"type"`
				Schema json.RawMessage `json:"schema"`
			} `json:"format"`
		} `json:"text"`
		Tools []struct {
			Type       string          `json:"type"`
			Name       string          `json:"name"`
			Parameters json.RawMessage `json:"parameters"`
		} `json:"tools"`
		ToolChoice json.RawMessage `json:"tool_choice"`
		thinkingKeys
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	a := &ask{model: q.Model, stream: q.Stream, max: q.MaxTokens, usage: true, noTools: string(q.ToolChoice) == `"none"`,
		json: strings.HasPrefix(q.Text.Format.Type, "json"), schema: q.Text.Format.Schema}
	var text string
	messages := []message{}
	if json.Unmarshal(q.Input, &text) == nil {
		messages = append(messages, message{Role: "user", Content: content(text)})
	} else if err := json.Unmarshal(q.Input, &messages); err != nil {
		return nil, err
	}
	a.hear(q.Instructions, messages)
	for _, t := range q.Tools {
		if t.Type == "function" {
			a.tools = append(a.tools, tool{t.Name, t.Parameters})
		}
	}
	q.thinkingKeys.apply(a)
	return a, nil
}

func (openAIResponses) open(r *reply) renderer { return &responsesRenderer{reply: r} }

// responsesRenderer numbers events and remembers the item being written.
type responsesRenderer struct {
	*reply
	seq   int
	block block
	text  strings.Builder // of the item being written
	call  *call
	items []obj // written in full
}

func (c *responsesRenderer) streamType() string { return "text/event-stream; charset=utf-8" }

// event numbers an event and puts its type first.
func (c *responsesRenderer) event(name string, fields ...any) []byte {
	o := append(obj{"type", name, "sequence_number", c.seq}, fields...)
	c.seq++
	return event(name, o)
}

// state is the response object as it stands.
func (c *responsesRenderer) state(status string, usage any) obj {
	output := c.items
	if output == nil {
		output = []obj{}
	}
	var incomplete any
	if status == "incomplete" {
		reason := "max_output_tokens"
		if c.script.finish == "content_filter" {
			reason = "content_filter"
		}
		incomplete = obj{"reason", reason}
	}
	var most any
	if c.ask.max > 0 {
		most = c.ask.max
	}
	return obj{"id", "resp_" + c.id, "object", "response", "created_at", c.created.Unix(), "status", status,
		"error", nil, "incomplete_details", incomplete, "instructions", nil, "max_output_tokens", most,
		"model", c.model, "output", output, "parallel_tool_calls", true, "previous_response_id", nil,
		"reasoning", obj{"effort", nil, "summary", nil}, "service_tier", "default", "store", false, "temperature", 1.0,
		"text", obj{"format", obj{"type", "text"}}, "tool_choice", "auto", "tools", []obj{}, "top_p", 1.0,
		"truncation", "disabled", "usage", usage, "user", nil, "metadata", obj{}}
}

func (c *responsesRenderer) usageOf(t Tokens) any {
	if c.b.Usage.When == UsageNever {
		return nil
	}
	u := c.usage(t)
	o := obj{"input_tokens", u.input, "input_tokens_details", obj{"cached_tokens", u.cached}, "output_tokens", u.output}
	if u.reasoning != nil {
		o = append(o, "output_tokens_details", obj{"reasoning_tokens", *u.reasoning})
	}
	return append(o, "total_tokens", u.total)
}

func (c *responsesRenderer) status() string {
	if f := c.script.finish; f == "length" || f == "content_filter" {
		return "incomplete"
	}
	return "completed"
}

func (c *responsesRenderer) frames(s *step) []byte {
	switch s.act {
	case actStart:
		return append(c.event("response.created", "response", c.state("in_progress", nil)),
			c.event("response.in_progress", "response", c.state("in_progress", nil))...)
	case actThinking, actText, actTool:
		return append(c.openItem(s), c.delta(s)...)
	case actFinish:
		out := c.closeItem()
		return append(out, c.event("response."+c.status(), "response", c.state(c.status(), c.usageOf(s.used)))...)
	case actComment:
		return sseComment(c.b.KeepAlive.Comment)
	case actError:
		f := fail(StreamError, c.model, c.script.fault.Message)
		return c.event("error", "code", f.word, "message", f.message, "param", nil)
	case actJunk:
		return []byte("event: response.output_text.delta\ndata: {\"type\":\"response.output_text.delta\",\"del\n\n")
	}
	return nil
}

var itemPrefix = map[act]string{actThinking: "rs_", actText: "msg_", actTool: "fc_"}

func (c *responsesRenderer) itemID() string { return itemPrefix[c.block.act] + c.id }

// item is the item being written, as it stands.
func (c *responsesRenderer) item(status string) obj {
	switch c.block.act {
	case actThinking:
		summary := []obj{}
		if status == "completed" {
			summary = []obj{{"type", "summary_text", "text", c.text.String()}}
		}
		return obj{"id", c.itemID(), "type", "reasoning", "summary", summary}
	case actTool:
		return obj{"id", c.itemID(), "type", "function_call", "status", status, "arguments", c.text.String(),
			"call_id", c.call.id, "name", c.call.name}
	}
	parts := []obj{}
	if status != "in_progress" {
		parts = []obj{c.part()}
	}
	return obj{"id", c.itemID(), "type", "message", "status", status, "role", "assistant", "content", parts}
}

// part is the text written so far as a content part.
func (c *responsesRenderer) part() obj {
	return obj{"type", "output_text", "annotations", []obj{}, "logprobs", []obj{}, "text", c.text.String()}
}

func (c *responsesRenderer) openItem(s *step) []byte {
	closes, opens := c.block.enter(s.act)
	var out []byte
	if closes {
		out = c.closeItem()
	}
	if !opens {
		return nil
	}
	c.block.start(s.act)
	c.text.Reset()
	c.call = s.call
	out = append(out, c.event("response.output_item.added", "output_index", c.block.index, "item", c.item("in_progress"))...)
	switch s.act {
	case actThinking:
		out = append(out, c.event("response.reasoning_summary_part.added", "item_id", c.itemID(), "output_index", c.block.index,
			"summary_index", 0, "part", obj{"type", "summary_text", "text", ""})...)
	case actText:
		out = append(out, c.event("response.content_part.added", "item_id", c.itemID(), "output_index", c.block.index,
			"content_index", 0, "part", c.part())...)
	}
	return out
}

func (c *responsesRenderer) delta(s *step) []byte {
	c.text.WriteString(s.text())
	at := []any{"item_id", c.itemID(), "output_index", c.block.index}
	switch s.act {
	case actThinking:
		return c.event("response.reasoning_summary_text.delta", append(at, "summary_index", 0, "delta", s.text())...)
	case actTool:
		return c.event("response.function_call_arguments.delta", append(at, "delta", s.text())...)
	}
	return c.event("response.output_text.delta", append(at, "content_index", 0, "delta", s.text(), "logprobs", []obj{})...)
}

func (c *responsesRenderer) closeItem() []byte {
	if !c.block.open {
		return nil
	}
	text := c.text.String()
	at := []any{"item_id", c.itemID(), "output_index", c.block.index}
	with := func(more ...any) []any { return append(at[:len(at):len(at)], more...) }
	var out []byte
	switch c.block.act {
	case actThinking:
		out = append(c.event("response.reasoning_summary_text.done", with("summary_index", 0, "text", text)...),
			c.event("response.reasoning_summary_part.done", with("summary_index", 0, "part", obj{"type", "summary_text", "text", text})...)...)
	case actTool:
		out = c.event("response.function_call_arguments.done", with("arguments", text)...)
	default:
		out = append(c.event("response.output_text.done", with("content_index", 0, "text", text, "logprobs", []obj{})...),
			c.event("response.content_part.done", with("content_index", 0, "part", c.part())...)...)
	}
	status := "completed"
	if c.block.act == actText {
		status = c.status()
	}
	item := c.item(status)
	c.items = append(c.items, item)
	out = append(out, c.event("response.output_item.done", "output_index", c.block.index, "item", item)...)
	c.block.stop()
	return out
}

func (c *responsesRenderer) whole(steps []step) []byte {
	for i := range steps {
		c.frames(&steps[i]) // fills items
	}
	return compact(c.state(c.status(), c.usageOf(c.script.tokens)))
}

func (c *responsesRenderer) failure(f failure) []byte {
	return (&chatRenderer{reply: c.reply}).failure(f)
}
