package simulate

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	decoders "aircheck/internal/wire/dialect"
	"aircheck/internal/wire/frame"
)

// spoken is how each API is asked: path below the provider and body, streamed
// or not.
var spoken = map[string]func(model string, stream, tools bool) (path, body string){
	"openai-chat": func(m string, stream, tools bool) (string, string) {
		b := fmt.Sprintf(`{"model":%q,"stream":%v,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"x"}]`, m, stream)
		if tools {
			b += `,"tools":[{"type":"function","function":{"name":"lookup","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]`
		}
		return "/v1/chat/completions", b + "}"
	},
	"openai-responses": func(m string, stream, tools bool) (string, string) {
		b := fmt.Sprintf(`{"model":%q,"stream":%v,"input":[{"role":"user","content":[{"type":"input_text","text":"x"}]}]`, m, stream)
		if tools {
			b += `,"tools":[{"type":"function","name":"lookup","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}]`
		}
		return "/v1/responses", b + "}"
	},
	"anthropic-messages": func(m string, stream, tools bool) (string, string) {
		b := fmt.Sprintf(`{"model":%q,"stream":%v,"max_tokens":100,"messages":[{"role":"user","content":"x"}]`, m, stream)
		if tools {
			b += `,"tools":[{"name":"lookup","input_schema":{"type":"object","properties":{"city":{"type":"string"}}}}]`
		}
		return "/v1/messages", b + "}"
	},
	"gemini": func(m string, stream, tools bool) (string, string) {
		b := `{"contents":[{"role":"user","parts":[{"text":"x"}]}]`
		if tools {
			b += `,"tools":[{"functionDeclarations":[{"name":"lookup","parameters":{"type":"OBJECT","properties":{"city":{"type":"STRING"}}}}]}]`
		}
		if stream {
			return "/v1beta/models/" + m + ":streamGenerateContent?alt=sse", b + "}"
		}
		return "/v1beta/models/" + m + ":generateContent", b + "}"
	},
	"gemini array": func(m string, _, _ bool) (string, string) {
		return "/v1beta/models/" + m + ":streamGenerateContent", `{"contents":[{"role":"user","parts":[{"text":"x"}]}]}`
	},
	"ollama": func(m string, stream, tools bool) (string, string) {
		b := fmt.Sprintf(`{"model":%q,"stream":%v,"messages":[{"role":"user","content":"x"}]`, m, stream)
		if tools {
			b += `,"tools":[{"type":"function","function":{"name":"lookup","parameters":{"type":"object","properties":{"city":{"type":"string"}}}}}]`
		}
		return "/api/chat", b + "}"
	},
	"bedrock-converse": func(m string, stream, tools bool) (string, string) {
		b := `{"messages":[{"role":"user","content":[{"text":"x"}]}]`
		if tools {
			b += `,"toolConfig":{"tools":[{"toolSpec":{"name":"lookup","inputSchema":{"json":{"type":"object","properties":{"city":{"type":"string"}}}}}}]}`
		}
		if stream {
			return "/model/" + m + "/converse-stream", b + "}"
		}
		return "/model/" + m + "/converse", b + "}"
	},
}

// decoded is a response as the project's own decoder reads it.
type decoded struct {
	text, thinking, args, tool string
	finish                     decoders.Finish
	usage                      decoders.Usage
	err                        *decoders.StreamError
	done                       bool
	undecoded                  []string
}

func decode(api string, g *got, streamed bool) decoded {
	var d decoded
	kind := frame.KindFor(g.header.Get("Content-Type"), g.status, api)
	dec := decoders.New(api, decoders.Meta{ContentType: g.header.Get("Content-Type"), Status: g.status, Streamed: streamed, Frames: kind})
	emit := func(e *decoders.Event) {
		switch e.Kind {
		case decoders.KindText:
			d.text += string(e.Text)
		case decoders.KindReasoning:
			d.thinking += string(e.Text)
		case decoders.KindTool:
			if e.Tool.Field == decoders.ToolName {
				d.tool += string(e.Text)
			} else {
				d.args += string(e.Text)
			}
		case decoders.KindFinish:
			d.finish = e.Finish
		case decoders.KindError:
			err := *e.Error // the event does not outlive emit
			d.err = &err
		case decoders.KindDone:
			d.done = true
		case decoders.KindUndecoded:
			d.undecoded = append(d.undecoded, e.Path)
		}
		if u := e.Usage; u != nil {
			for _, f := range []struct{ to, from **int64 }{
				{&d.usage.InputTokens, &u.InputTokens}, {&d.usage.OutputTokens, &u.OutputTokens}, {&d.usage.ReasoningTokens, &u.ReasoningTokens},
			} {
				if *f.from != nil {
					v := **f.from
					*f.to = &v
				}
			}
		}
	}
	s := frame.NewSplitter(kind)
	s.Write(g.body, func(raw []byte) { dec.Frame(raw, emit) })
	s.Close(func(raw []byte, _ bool) { dec.Frame(raw, emit) })
	dec.Close(emit)
	return d
}

// Each API's stream means to the project's decoders what the script said.
func TestDialectsSayTheSame(t *testing.T) {
	r := start(t, `
seed: 9
behaviour: {first_token: 2ms, gap: 200us, answer: {tokens: 12}}
providers:
  - name: p
    models:
      - {name: plain}
      - {name: thinker, thinking: {tokens: 6}}
      - {name: truncated, faults: [{kind: truncated, every: 1}]}
      - {name: filtered, faults: [{kind: filtered, every: 1}]}
      - {name: starved, thinking: {tokens: 6}, faults: [{kind: starved, every: 1}]}
      - {name: empty, faults: [{kind: empty, every: 1}]}
      - {name: broken, faults: [{kind: stream_error, every: 1, message: it broke}]}
      - {name: cut, faults: [{kind: cut, every: 1}]}
      - {name: no-finish, faults: [{kind: no_finish, every: 1}]}
      - {name: junk, faults: [{kind: junk, every: 1}]}
      - {name: limited, faults: [{kind: rate_limited, every: 1, message: slow down}]}
      - {name: unknown-usage, usage: {when: never}}
`)
	models := map[string]func(d decoded, tr Truth) bool{
		"plain": func(d decoded, tr Truth) bool {
			return d.finish == decoders.FinishStop && d.text != "" && d.thinking == ""
		},
		"thinker": func(d decoded, tr Truth) bool { return len(tokenize(d.thinking)) == 6 && len(tokenize(d.text)) == 12 },
		"truncated": func(d decoded, tr Truth) bool {
			return d.finish == decoders.FinishLength && len(tokenize(d.text)) == 6 && tr.Outcome == "truncated"
		},
		"filtered": func(d decoded, tr Truth) bool { return d.finish == decoders.FinishFilter || tr.API == "ollama" },
		"starved": func(d decoded, tr Truth) bool {
			return d.finish == decoders.FinishLength && d.text == "" && d.thinking != "" && tr.Outcome == "starved"
		},
		"empty":  func(d decoded, tr Truth) bool { return d.finish == decoders.FinishStop && d.text == "" },
		"broken": func(d decoded, tr Truth) bool { return d.err != nil && strings.Contains(d.err.Message, "it broke") },
		"cut": func(d decoded, tr Truth) bool {
			return d.finish == decoders.FinishNone && !d.done && (d.text != "" || !tr.Stream)
		},
		"no-finish": func(d decoded, tr Truth) bool {
			return d.finish == decoders.FinishNone && d.done == (tr.Outcome == "ok")
		},
		"junk":    func(d decoded, tr Truth) bool { return len(d.undecoded) == 1 && len(tokenize(d.text)) == 12 },
		"limited": func(d decoded, tr Truth) bool { return d.err != nil && d.err.Message == "slow down" },
		"unknown-usage": func(d decoded, tr Truth) bool {
			return d.usage.InputTokens == nil && d.usage.OutputTokens == nil && len(tokenize(d.text)) == 12
		},
	}
	type sent struct {
		api, model string
		stream     bool
		g          *got
	}
	var all []sent
	client := &http.Client{}
	for api, speak := range spoken {
		for model := range models {
			for _, stream := range []bool{true, false} {
				if !stream && (api == "gemini array" || model == "junk" || model == "no-finish") {
					continue
				}
				path, body := speak(model, stream, false)
				all = append(all, sent{api, model, stream, post(t, client, "http://"+r.Addr()+"/p"+path, body)})
			}
		}
	}
	truth := r.stop()
	for _, s := range all {
		api := strings.TrimSuffix(s.api, " array")
		d, tr := decode(api, s.g, s.stream), truth[s.g.id]
		if tr.API != api || tr.Stream != s.stream {
			t.Errorf("%s %s: taken for %s, stream %v", s.api, s.model, tr.API, tr.Stream)
		}
		if !models[s.model](d, tr) {
			t.Errorf("%s %s, stream %v: outcome %s, decoded %+v from\n%s", s.api, s.model, s.stream, tr.Outcome, d, s.g.body)
		}
		if s.model != "junk" && s.model != "cut" && len(d.undecoded) > 0 {
			t.Errorf("%s %s, stream %v: undecoded %v in\n%s", s.api, s.model, s.stream, d.undecoded, s.g.body)
		}
		if s.g.sha() != tr.SHA256 {
			t.Errorf("%s %s: body differs from the one sent", s.api, s.model)
		}
		if u := d.usage; (s.model == "plain" || s.model == "thinker") &&
			(u.InputTokens == nil || *u.InputTokens != int64(tr.Tokens.Input) || *u.OutputTokens != usageOf(api, tr)) {
			t.Errorf("%s %s, stream %v: usage %+v, truth %+v in\n%s", s.api, s.model, s.stream, u, tr.Tokens, s.g.body)
		}
	}
}

// usageOf is the output count that an API's maker states.
func usageOf(api string, tr Truth) int64 {
	if api == "gemini" { // thinking stands beside
		return int64(tr.Tokens.Answer)
	}
	return int64(tr.Tokens.Answer + tr.Tokens.Thinking)
}

func TestDialectsCallTools(t *testing.T) {
	r := start(t, `
behaviour: {first_token: 2ms, gap: 200us, thinking: {tokens: 3}}
providers: [{name: p, models: [{name: m}]}]
`)
	for api, speak := range spoken {
		if api == "gemini array" {
			continue
		}
		for _, stream := range []bool{true, false} {
			path, body := speak("m", stream, true)
			g := post(t, http.DefaultClient, "http://"+r.Addr()+"/p"+path, body)
			d := decode(api, g, stream)
			if d.tool != "lookup" || !strings.HasPrefix(strings.ReplaceAll(d.args, " ", ""), `{"city":"`) || d.text != "" || d.thinking == "" {
				t.Errorf("%s, stream %v: %+v from\n%s", api, stream, d, g.body)
			}
			if len(d.undecoded) > 0 {
				t.Errorf("%s, stream %v: undecoded %v in\n%s", api, stream, d.undecoded, g.body)
			}
		}
	}
}
