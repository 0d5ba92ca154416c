package simulate

import (
	"encoding/json"
	"strings"
)

// ask is what a request wants, whatever dialect it came in.
type ask struct {
	model    string
	stream   bool
	array    bool   // streamed as one JSON array
	prompt   string // text of the last user message
	input    int    // tokens of all messages
	max      int    // most tokens to generate, 0 if unlimited
	stop     []string
	json     bool            // an answer in JSON is demanded by a parameter
	schema   json.RawMessage // and this is its schema
	tools    []tool
	noTools  bool // tools are listed and forbidden
	n        int  // answers
	logprobs bool
	usage    bool // usage in the stream is asked for
	thinkOff bool
	effort   string
}

type tool struct {
	name   string
	schema json.RawMessage
}

// params names the optional parameters that a request uses, as fleet files do.
func (a *ask) params() []Param {
	var ps []Param
	for _, u := range []struct {
		used bool
		p    Param
	}{
		{a.thinkOff, "reasoning_off"}, {a.max > 0, "max_tokens"}, {len(a.stop) > 0, "stop"}, {a.json, "json_mode"},
		{a.usage, "usage"}, {len(a.tools) > 0, "tools"}, {a.n > 1, "n"}, {a.logprobs, "logprobs"},
	} {
		if u.used {
			ps = append(ps, u.p)
		}
	}
	return ps
}

// forget drops the parameters that a behaviour ignores.
func (a ask) forget(b *Behaviour) ask {
	for _, p := range b.Ignores {
		switch p {
		case "reasoning_off":
			a.thinkOff = false
		case "max_tokens":
			a.max = 0
		case "stop":
			a.stop = nil
		case "json_mode":
			a.json, a.schema = false, nil
		case "usage":
			a.usage = false
		case "tools":
			a.tools = nil
		case "n":
			a.n = 1
		case "logprobs":
			a.logprobs = false
		}
	}
	return a
}

// message is a message of any dialect: content is text or a list of parts.
type message struct {
	Role    string  `json:"role"`
	Content content `json:"content"`
	Parts   content `json:"parts"`
}

// content is a string, a part, or a list of parts; its value is their text.
type content string

func (c *content) UnmarshalJSON(b []byte) error {
	var text string
	if json.Unmarshal(b, &text) == nil {
		*c = content(text)
		return nil
	}
	var part struct {
		Text string `json:"text"`
	}
	if len(b) > 0 && b[0] == '{' {
		err := json.Unmarshal(b, &part)
		*c = content(part.Text)
		return err
	}
	var parts []json.RawMessage
	if err := json.Unmarshal(b, &parts); err != nil {
		return err
	}
	for _, p := range parts {
		part.Text = ""
		if json.Unmarshal(p, &part) == nil {
			*c += content(part.Text)
		}
	}
	return nil
}

// hear sets the prompt and the size of the input from messages and a system
// prompt given apart.
func (a *ask) hear(system content, messages []message) {
	if system != "" {
		a.input += 4 + countTokens(string(system))
	}
	for _, m := range messages {
		text := string(m.Content) + string(m.Parts)
		a.input += 4 + countTokens(text)
		if m.Role == "user" || m.Role == "" {
			a.prompt = text
		}
	}
}

// some is a string or a list of strings.
type some []string

func (s *some) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*s = some{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(s))
}

// thinkingKeys are the ways in which requests turn thinking off or down; each
// dialect embeds them, since gateways accept one another's.
type thinkingKeys struct {
	ReasoningEffort string `json:"reasoning_effort"`
	Reasoning       *struct {
		Effort  string `json:"effort"`
		Enabled *bool  `json:"enabled"`
	} `json:"reasoning"`
	Thinking *struct {
		Type   string `json:"type"`
		Budget *int   `json:"budget_tokens"`
	} `json:"thinking"`
	EnableThinking *bool `json:"enable_thinking"`
	Template       *struct {
		EnableThinking *bool `json:"enable_thinking"`
		Thinking       *bool `json:"thinking"`
	} `json:"chat_template_kwargs"`
}

func (k thinkingKeys) apply(a *ask) {
	a.effort = k.ReasoningEffort
	off := func(p *bool) {
		if p != nil && !*p {
			a.thinkOff = true
		}
	}
	if k.Reasoning != nil {
		off(k.Reasoning.Enabled)
		if k.Reasoning.Effort != "" {
			a.effort = k.Reasoning.Effort
		}
	}
	if k.Thinking != nil && (k.Thinking.Type == "disabled" || k.Thinking.Budget != nil && *k.Thinking.Budget == 0) {
		a.thinkOff = true
	}
	off(k.EnableThinking)
	if k.Template != nil {
		off(k.Template.EnableThinking)
		off(k.Template.Thinking)
	}
	if a.effort == "none" {
		a.thinkOff = true
	}
}

// effortFactor scales the length of thinking by the effort asked for.
func (a *ask) effortFactor() float64 {
	switch strings.ToLower(a.effort) {
	case "minimal":
		return 0.1
	case "low":
		return 0.4
	case "high", "xhigh":
		return 2
	}
	return 1
}
