package plan

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"aircheck/internal/kit/limits"
	"aircheck/internal/rules/checks"
	"aircheck/internal/wire/dialect"
)

// Prompt is one conversation to be continued, and what makes its answer useful.
type Prompt struct {
	Index    int // within the scenario
	Messages []dialect.Message
	Checks   json.RawMessage // a JSON array; nil for none

	mu      sync.Mutex
	filled  map[int][]dialect.Message // by length
	counted sync.Once
	count   int
}

// Hash identifies a conversation: equal ones have equal hashes.
func Hash(messages []dialect.Message) string {
	data, _ := json.Marshal(messages) // strings always encode
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

type message struct {
	Role    role   `yaml:"role"`
	Content string `yaml:"content"`
}

// prompts gives a scenario's prompts: its messages, or those of its file.
func (r *reader) prompts(f *scenarioFile, list json.RawMessage) []*Prompt {
	var out []*Prompt
	if f.Prompts == "" {
		p := &Prompt{Checks: list}
		for _, m := range f.Messages {
			p.Messages = append(p.Messages, dialect.Message{Role: string(m.Role), Content: m.Content})
		}
		out = []*Prompt{p}
	} else {
		var err error
		if out, err = readPrompts(r.path(f.Prompts), list); err != nil {
			r.faults.add(f.At.Errorf("scenario %q: %v", f.Name, err))
			return nil
		}
	}
	for _, p := range out {
		if what := p.wrong(); what != "" {
			if f.Prompts != "" {
				what = fmt.Sprintf("prompt %d: %s", p.Index+1, what)
			}
			r.faults.add(f.At.Errorf("scenario %q: %s", f.Name, what))
			return nil
		}
		for _, size := range f.InputTokens {
			if n := p.tokens(); n > size {
				r.faults.add(f.At.Errorf("scenario %q: input_tokens: %d is less than the %d tokens that the prompt has without filler", f.Name, size, n))
				return nil
			}
		}
	}
	return out
}

func (p *Prompt) wrong() string {
	if len(p.Messages) == 0 {
		return "no messages"
	}
	asks := false
	for _, m := range p.Messages {
		switch m.Role {
		case "user":
			asks = true
		case "system", "assistant", "developer":
		default:
			return fmt.Sprintf("role %q is none of system, user, assistant, developer", m.Role)
		}
		if m.Content == "" {
			return "a message without content"
		}
	}
	if !asks {
		return "no message of the user"
	}
	return ""
}

// path finds a file that the plan names.
func (r *reader) path(name string) string {
	if filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(r.dir, name)
}

// promptLine is one line of a prompt file: a string, or an object with a
// prompt or messages, and perhaps checks of its own.
type promptLine struct {
	Prompt   string            `json:"prompt"`
	Messages []dialect.Message `json:"messages"`
	Checks   json.RawMessage   `json:"checks"`
	ID       json.RawMessage   `json:"id"` // for people
}

// openData opens a file that a plan names.
func openData(path string) (*os.File, error) {
	info, err := os.Stat(path) // before a pipe is waited for
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case info.Size() > limits.PlanFile:
		return nil, fmt.Errorf("%s is larger than %d MiB", path, limits.PlanFile>>20)
	}
	return os.Open(path)
}

func readPrompts(path string, list json.RawMessage) ([]*Prompt, error) {
	file, err := openData(path)
	if err != nil {
		return nil, fmt.Errorf("prompts: %w", err)
	}
	defer file.Close()
	var out []*Prompt
	fail := func(line int, format string, args ...any) error {
		return fmt.Errorf("prompts: %s:%d: %s", filepath.Base(path), line, fmt.Sprintf(format, args...))
	}
	in := bufio.NewReader(file)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("prompts: %w", err)
		}
		if text = bytes.TrimSpace(text); len(text) > 0 {
			var line promptLine
			target := any(&line)
			if text[0] == '"' {
				target = &line.Prompt
			}
			dec := json.NewDecoder(bytes.NewReader(text))
			dec.DisallowUnknownFields()
			if err := dec.Decode(target); err != nil {
				return nil, fail(n, "%s", strings.TrimPrefix(err.Error(), "json: "))
			}
			p := &Prompt{Index: len(out), Messages: line.Messages, Checks: list}
			switch {
			case (line.Prompt == "") == (len(line.Messages) == 0):
				return nil, fail(n, "want a string, or an object with either prompt or messages")
			case line.Prompt != "":
				p.Messages = []dialect.Message{{Role: "user", Content: line.Prompt}}
			}
			if line.Checks != nil {
				if p.Checks, err = lineChecks(line.Checks); err != nil {
					return nil, fail(n, "%v", err)
				}
			}
			out = append(out, p)
		}
		if err == io.EOF {
			break
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("prompts: %s is empty", filepath.Base(path))
	}
	return out, nil
}

// lineChecks gives a prompt's checks as the JSON that recordings keep.
func lineChecks(list json.RawMessage) (json.RawMessage, error) {
	if _, err := checks.Parse(list); err != nil {
		return nil, err
	}
	var compact bytes.Buffer
	err := json.Compact(&compact, list)
	return compact.Bytes(), err
}
