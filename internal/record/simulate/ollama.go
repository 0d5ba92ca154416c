package simulate

import (
	"encoding/json"
	"net/url"
	"strings"
	"time"
)

// ollama is the chat API of Ollama: one JSON object a line.
type ollama struct{}

func (ollama) traits() traits {
	return traits{name: "ollama", side: ReasoningInside, reportsUnasked: true, wholeCalls: true}
}

func (ollama) serves(path string) bool { return strings.HasSuffix(path, "/api/chat") }

func (ollama) read(_ *url.URL, _ string, body []byte) (*ask, error) {
	var q struct {
		Model    string          `json:"model"`
		Messages []message       `json:"messages"`
		Stream   *bool           `json:"stream"`
		Format   json.RawMessage `json:"format"`
		Think    any             `json:"think"`
		Options  struct {
			NumPredict int  `json:"num_predict"`
			Stop       some `json:"stop"`
		} `json:"options"`
		Tools []struct {
			Function struct {
				Name       string          `json:"name"`
				Parameters json.RawMessage `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &q); err != nil {
		return nil, err
	}
	a := &ask{model: q.Model, stream: q.Stream == nil || *q.Stream, max: max(0, q.Options.NumPredict), stop: q.Options.Stop, usage: true}
	switch format := string(q.Format); {
	case format == `"json"`:
		a.json = true
	case strings.HasPrefix(format, "{"):
		a.json, a.schema = true, q.Format
	}
	switch think := q.Think.(type) {
	case bool:
		a.thinkOff = !think
	case string:
		a.effort = think
	}
	a.hear("", q.Messages)
	for _, t := range q.Tools {
		a.tools = append(a.tools, tool{t.Function.Name, t.Function.Parameters})
	}
	return a, nil
}

func (ollama) open(r *reply) renderer { return &ollamaRenderer{r} }

type ollamaRenderer struct{ *reply }

func (c *ollamaRenderer) streamType() string { return "application/x-ndjson" }

func (c *ollamaRenderer) line(v any) []byte { return append(compact(v), '\n') }

// object is one line; created_at is when it was due.
func (c *ollamaRenderer) object(at time.Duration, message obj, more ...any) obj {
	o := obj{"model", c.model, "created_at", c.created.Add(at).UTC().Format(time.RFC3339Nano), "message", message}
	return append(o, more...)
}

func ollamaMessage(text, thinking string, c *call, args string) obj {
	m := obj{"role", "assistant", "content", text}
	if thinking != "" {
		m = append(m, "thinking", thinking)
	}
	if c != nil {
		m = append(m, "tool_calls", []obj{{"function", obj{"name", c.name, "arguments", arguments(args)}}})
	}
	return m
}

// last is what the final object says besides its message.
func (c *ollamaRenderer) last(finish string, at time.Duration, t Tokens) []any {
	if finish == "tool_calls" || finish == "content_filter" { // it knows neither
		finish = "stop"
	}
	out := []any{"done", true, "done_reason", finish, "total_duration", int64(at), "load_duration", 0}
	if c.b.Usage.When == UsageNever {
		return out
	}
	var first time.Duration
	for i := range c.script.steps {
		if c.script.steps[i].generates() {
			first = c.script.steps[i].at
			break
		}
	}
	return append(out, "prompt_eval_count", t.Input, "prompt_eval_duration", int64(first),
		"eval_count", c.usage(t).output, "eval_duration", int64(at-first))
}

func (c *ollamaRenderer) frames(s *step) []byte {
	switch s.act {
	case actThinking:
		return c.line(c.object(s.at, ollamaMessage("", s.text(), nil, ""), "done", false))
	case actText:
		return c.line(c.object(s.at, ollamaMessage(s.text(), "", nil, ""), "done", false))
	case actTool:
		return c.line(c.object(s.at, ollamaMessage("", "", s.call, s.text()), "done", false))
	case actFinish:
		return c.line(c.object(s.at, ollamaMessage("", "", nil, ""), c.last(s.finish, s.at, s.used)...))
	case actError:
		return append(c.failure(fail(StreamError, c.model, c.script.fault.Message)), '\n')
	case actJunk:
		return []byte("{\"model\":\"" + c.model + "\",\"mess\n")
	}
	return nil
}

func (c *ollamaRenderer) whole(steps []step) []byte {
	var s said
	if all := gather(steps); len(all) > 0 {
		s = all[0]
	}
	return compact(c.object(c.script.end, ollamaMessage(s.text, s.thinking, s.call, s.args),
		c.last(s.finish, c.script.end, c.script.tokens)...))
}

func (c *ollamaRenderer) failure(f failure) []byte {
	if f.kind == Unavailable {
		f.message = "model '" + c.model + "' not found"
	}
	return compact(obj{"error", f.message})
}
