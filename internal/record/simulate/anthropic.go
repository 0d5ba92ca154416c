package simulate

import (
	"encoding/json"
	"net/url"
	"strings"
)

// anthropic is the Messages API of Anthropic.
type anthropic struct{}

func (anthropic) traits() traits {
	return traits{name: "anthropic-messages", side: ReasoningInside, reportsUnasked: true, endMarker: true}
}

func (anthropic) serves(path string) bool { return strings.HasSuffix(path, "/messages") }

func (anthropic) read(_ *url.URL, _ string, body []byte) (*ask, error) {
	var q struct {
		Model     string    `json:"model"`
		System    content   `json:"system"`
		Messages  []message `json:"messages"`
		MaxTokens int       `json:"max_tokens"`
		Stop      some      `json:"stop_sequences"`
		Stream    bool      `json:"stream"`
		Tools     []struct {
			Name   string          `json:"name"`
			Schema json.RawMessage `json:"input_schema"`
		} `json:"tools"`
		ToolChoice struct {
			Type string `json:"type"`
		} `json:"tool_choice"`
		Output struct {
			Schema json.RawMessage `json:"schema"`
		} `json:"output_format"`
		thinkingKeys
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	a := &ask{model: q.Model, stream: q.Stream, max: q.MaxTokens, stop: q.Stop, usage: true, noTools: q.ToolChoice.Type == "none",
		json: q.Output.Schema != nil, schema: q.Output.Schema}
	a.hear(q.System, q.Messages)
	for _, t := range q.Tools {
		a.tools = append(a.tools, tool{t.Name, t.Schema})
	}
	q.thinkingKeys.apply(a)
	return a, nil
}

func (anthropic) open(r *reply) renderer { return &anthropicRenderer{reply: r} }

type anthropicRenderer struct {
	*reply
	block block
}

func (c *anthropicRenderer) streamType() string { return "text/event-stream; charset=utf-8" }

var anthropicStop = map[string]string{"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "refusal"}

// stopReason says why the answer ended, nil while it has not.
func (c *anthropicRenderer) stopReason(finish string) any {
	if finish == "" {
		return nil
	}
	return anthropicStop[finish]
}

func (c *anthropicRenderer) message(content []obj, finish string, output int, t Tokens) obj {
	o := obj{"id", "msg_" + c.id, "type", "message", "role", "assistant", "model", c.model, "content", content,
		"stop_reason", c.stopReason(finish), "stop_sequence", nil}
	if c.b.Usage.When == UsageNever {
		return o
	}
	// Input read from a cache is not part of input_tokens here.
	return append(o, "usage", obj{"input_tokens", t.Input - t.Cached, "cache_creation_input_tokens", 0,
		"cache_read_input_tokens", t.Cached, "output_tokens", output, "service_tier", "standard"})
}

func typed(name string, fields ...any) []byte {
	return event(name, append(obj{"type", name}, fields...))
}

func (c *anthropicRenderer) frames(s *step) []byte {
	switch s.act {
	case actStart:
		return typed("message_start", "message", c.message([]obj{}, "", 1, s.used))
	case actThinking, actText, actTool:
		return append(c.openBlock(s), c.delta(s)...)
	case actFinish:
		out := c.closeBlock()
		fields := []any{"delta", obj{"stop_reason", c.stopReason(s.finish), "stop_sequence", nil}}
		if c.b.Usage.When != UsageNever {
			fields = append(fields, "usage", obj{"output_tokens", c.usage(s.used).output})
		}
		return append(out, typed("message_delta", fields...)...)
	case actDone:
		return typed("message_stop")
	case actComment:
		return typed("ping")
	case actError:
		f := fail(StreamError, c.model, c.script.fault.Message)
		return typed("error", "error", obj{"type", "api_error", "message", f.message})
	case actJunk:
		return []byte("event: content_block_delta\ndata: {\"type\":\"content_block_delta\",\"ind\n\n")
	}
	return nil
}

func (c *anthropicRenderer) openBlock(s *step) []byte {
	closes, opens := c.block.enter(s.act)
	var out []byte
	if closes {
		out = c.closeBlock()
	}
	if !opens {
		return nil
	}
	c.block.start(s.act)
	var content obj
	switch s.act {
	case actThinking:
		content = obj{"type", "thinking", "thinking", "", "signature", ""}
	case actTool:
		content = obj{"type", "tool_use", "id", "toolu_" + s.call.id, "name", s.call.name, "input", obj{}}
	default:
		content = obj{"type", "text", "text", ""}
	}
	out = append(out, typed("content_block_start", "index", c.block.index, "content_block", content)...)
	if c.block.index == 0 {
		out = append(out, typed("ping")...)
	}
	return out
}

func (c *anthropicRenderer) delta(s *step) []byte {
	var d obj
	switch s.act {
	case actThinking:
		d = obj{"type", "thinking_delta", "thinking", s.text()}
	case actTool:
		d = obj{"type", "input_json_delta", "partial_json", s.text()}
	default:
		d = obj{"type", "text_delta", "text", s.text()}
	}
	return typed("content_block_delta", "index", c.block.index, "delta", d)
}

func (c *anthropicRenderer) closeBlock() []byte {
	if !c.block.open {
		return nil
	}
	var out []byte
	if c.block.act == actThinking {
		out = typed("content_block_delta", "index", c.block.index, "delta", obj{"type", "signature_delta", "signature", "sim" + c.id})
	}
	out = append(out, typed("content_block_stop", "index", c.block.index)...)
	c.block.stop()
	return out
}

func (c *anthropicRenderer) whole(steps []step) []byte {
	blocks := []obj{}
	var said said
	if all := gather(steps); len(all) > 0 {
		said = all[0]
	}
	if said.thinking != "" {
		blocks = append(blocks, obj{"type", "thinking", "thinking", said.thinking, "signature", "sim" + c.id})
	}
	if said.text != "" {
		blocks = append(blocks, obj{"type", "text", "text", said.text})
	}
	if said.call != nil {
		blocks = append(blocks, obj{"type", "tool_use", "id", "toolu_" + said.call.id, "name", said.call.name, "input", arguments(said.args)})
	}
	return compact(c.message(blocks, said.finish, c.usage(c.script.tokens).output, c.script.tokens))
}

// arguments is a call's arguments as an object; as text if they were cut short.
func arguments(args string) any {
	if json.Valid([]byte(args)) {
		return json.RawMessage(args)
	}
	return args
}

func (c *anthropicRenderer) failure(f failure) []byte {
	kind := map[Kind]string{RateLimited: "rate_limit_error", Overloaded: "overloaded_error", Unavailable: "not_found_error",
		Account: "authentication_error", Quota: "billing_error", Rejected: "invalid_request_error"}[f.kind]
	if kind == "" {
		kind = "api_error"
	}
	return compact(obj{"type", "error", "error", obj{"type", kind, "message", f.message}, "request_id", c.id})
}
