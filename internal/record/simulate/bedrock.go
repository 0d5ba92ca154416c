package simulate

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream"
)

// bedrock is the Converse API of Amazon Bedrock: AWS event-stream messages.
// Signatures are not checked.
type bedrock struct{}

func (bedrock) traits() traits {
	return traits{name: "bedrock-converse", side: ReasoningInside, reportsUnasked: true}
}

var bedrockPath = regexp.MustCompile(`/model/(.+)/(converse|converse-stream)$`)

func (bedrock) serves(path string) bool { return bedrockPath.MatchString(path) }

func (bedrock) read(_ *url.URL, path string, body []byte) (*ask, error) {
	var q struct {
		Messages []message `json:"messages"`
		System   content   `json:"system"`
		Config   struct {
			MaxTokens int  `json:"maxTokens"`
			Stop      some `json:"stopSequences"`
		} `json:"inferenceConfig"`
		ToolConfig struct {
			Tools []struct {
				Spec struct {
					Name   string `json:"name"`
					Schema struct {
						JSON json.RawMessage `json:"json"`
					} `json:"inputSchema"`
				} `json:"toolSpec"`
			} `json:"tools"`
		} `json:"toolConfig"`
		More thinkingKeys `json:"additionalModelRequestFields"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	m := bedrockPath.FindStringSubmatch(path)
	a := &ask{model: m[1], stream: m[2] == "converse-stream", max: q.Config.MaxTokens, stop: q.Config.Stop, usage: true}
	a.hear(q.System, q.Messages)
	for _, t := range q.ToolConfig.Tools {
		a.tools = append(a.tools, tool{t.Spec.Name, t.Spec.Schema.JSON})
	}
	q.More.apply(a)
	return a, nil
}

func (bedrock) open(r *reply) renderer {
	return &bedrockRenderer{reply: r, encoder: eventstream.NewEncoder()}
}

type bedrockRenderer struct {
	*reply
	encoder *eventstream.Encoder
	block   block
}

func (c *bedrockRenderer) streamType() string { return "application/vnd.amazon.eventstream" }

// message is one event-stream message; Amazon pads each by a field p of
// changing length.
func (c *bedrockRenderer) message(kind, name string, payload obj) []byte {
	header := func(name, value string) eventstream.Header {
		return eventstream.Header{Name: name, Value: eventstream.StringValue(value)}
	}
	if kind == "event" {
		const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
		payload = append(payload, "p", letters[:2+(7*c.block.index+len(compact(payload)))%(len(letters)-2)])
	}
	var b bytes.Buffer
	if err := c.encoder.Encode(&b, eventstream.Message{
		Headers: eventstream.Headers{header(":"+kind+"-type", name), header(":content-type", "application/json"), header(":message-type", kind)},
		Payload: compact(payload),
	}); err != nil {
		panic("simulate: " + err.Error()) // headers are constants and payloads small
	}
	return b.Bytes()
}

var bedrockStop = map[string]string{"stop": "end_turn", "length": "max_tokens", "tool_calls": "tool_use", "content_filter": "content_filtered"}

func (c *bedrockRenderer) frames(s *step) []byte {
	switch s.act {
	case actStart:
		return c.message("event", "messageStart", obj{"role", "assistant"})
	case actThinking, actText, actTool:
		return append(c.openBlock(s), c.delta(s)...)
	case actFinish:
		return append(c.closeBlock(), c.message("event", "messageStop", obj{"stopReason", bedrockStop[s.finish]})...)
	case actUsage:
		return c.message("event", "metadata", c.metadata(s.at, s.used))
	case actError:
		f := fail(StreamError, c.model, c.script.fault.Message)
		return c.message("exception", "modelStreamErrorException", obj{"message", f.message})
	case actJunk:
		b := c.message("event", "contentBlockDelta", obj{"contentBlockIndex", c.block.index, "delta", obj{"text", "?"}})
		b[len(b)-1] ^= 0xff // the checksum of the message no longer fits
		return b
	}
	return nil
}

func (c *bedrockRenderer) metadata(at time.Duration, t Tokens) obj {
	o := obj{"metrics", obj{"latencyMs", at.Milliseconds()}}
	if c.b.Usage.When == UsageNever {
		return o
	}
	u := c.usage(t)
	return append(o, "usage", obj{"inputTokens", u.input - u.cached, "outputTokens", u.output, "totalTokens", u.total,
		"cacheReadInputTokens", u.cached, "cacheWriteInputTokens", 0})
}

func (c *bedrockRenderer) openBlock(s *step) []byte {
	closes, opens := c.block.enter(s.act)
	var out []byte
	if closes {
		out = c.closeBlock()
	}
	if !opens {
		return nil
	}
	c.block.start(s.act)
	if s.act == actTool { // only tools have a start
		out = append(out, c.message("event", "contentBlockStart", obj{"contentBlockIndex", c.block.index,
			"start", obj{"toolUse", obj{"name", s.call.name, "toolUseId", "tooluse_" + s.call.id}}})...)
	}
	return out
}

func (c *bedrockRenderer) delta(s *step) []byte {
	var d obj
	switch s.act {
	case actThinking:
		d = obj{"reasoningContent", obj{"text", s.text()}}
	case actTool:
		d = obj{"toolUse", obj{"input", s.text()}}
	default:
		d = obj{"text", s.text()}
	}
	return c.message("event", "contentBlockDelta", obj{"contentBlockIndex", c.block.index, "delta", d})
}

func (c *bedrockRenderer) closeBlock() []byte {
	if !c.block.open {
		return nil
	}
	out := c.message("event", "contentBlockStop", obj{"contentBlockIndex", c.block.index})
	c.block.stop()
	return out
}

func (c *bedrockRenderer) whole(steps []step) []byte {
	var s said
	if all := gather(steps); len(all) > 0 {
		s = all[0]
	}
	blocks := []obj{}
	if s.thinking != "" {
		blocks = append(blocks, obj{"reasoningContent", obj{"reasoningText", obj{"text", s.thinking}}})
	}
	if s.text != "" {
		blocks = append(blocks, obj{"text", s.text})
	}
	if s.call != nil {
		blocks = append(blocks, obj{"toolUse", obj{"toolUseId", "tooluse_" + s.call.id, "name", s.call.name, "input", arguments(s.args)}})
	}
	o := obj{"output", obj{"message", obj{"role", "assistant", "content", blocks}}, "stopReason", bedrockStop[s.finish]}
	return compact(append(o, c.metadata(c.script.end, c.script.tokens)...))
}

func (c *bedrockRenderer) failure(f failure) []byte { return compact(obj{"message", f.message}) }
