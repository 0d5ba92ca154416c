package simulate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// dialect is one provider API: how its requests are read and its responses
// spelled.
type dialect interface {
	traits() traits
	// serves reports whether a path, without the provider's prefix, is one at
	// which the API answers.
	serves(path string) bool
	// read understands a request.
	read(u *url.URL, path string, body []byte) (*ask, error)
	// open starts a response.
	open(*reply) renderer
}

// traits are the ways in which APIs differ that a script must know of.
type traits struct {
	name string // the contract's name of the API
	// side is where reasoning tokens are counted unless the fleet says.
	side Side
	// reportsThinking: usage has a count of its own for reasoning tokens.
	reportsThinking bool
	// reportsUnasked: streams carry usage without a parameter that asks for it.
	reportsUnasked bool
	// endMarker: something that is not the finish reason ends a stream.
	endMarker bool
	// wholeCalls: a tool call comes in one piece.
	wholeCalls bool
}

// renderer spells one response. It is used by one goroutine, from the first
// step to the last.
type renderer interface {
	// streamType is the content type of a streamed response.
	streamType() string
	// frames spells a step; nil if the dialect has nothing to say for it.
	frames(*step) []byte
	// whole spells a response that is not streamed.
	whole([]step) []byte
	// failure spells the body of an error response.
	failure(failure) []byte
}

// dialects are all that a fleet speaks.
var dialects = []dialect{openAIChat{}, openAIResponses{}, anthropic{}, gemini{}, ollama{}, bedrock{}}

// APIs lists the names of the dialects.
func APIs() []string {
	var names []string
	for _, d := range dialects {
		names = append(names, d.traits().name)
	}
	return names
}

func dialectNamed(name string) dialect {
	for _, d := range dialects {
		if d.traits().name == name {
			return d
		}
	}
	return nil
}

// reply is what a renderer knows of the response as a whole.
type reply struct {
	id      string
	created time.Time
	model   string // as served
	ask     *ask
	b       *Behaviour
	script  *script
	traits  traits
}

// usage is tokens as the behaviour reports them.
type usage struct {
	input, cached, output, total int
	reasoning                    *int
}

// usage reports what was used so far.
func (r *reply) usage(t Tokens) usage {
	u := usage{input: t.Input, cached: t.Cached, output: t.Answer}
	side := r.b.Usage.Reasoning
	if side == "" {
		side = r.traits.side
	}
	if side == ReasoningInside {
		u.output += t.Thinking
	}
	u.output = int(math.Round(float64(u.output) * r.b.Usage.Scale))
	u.total = u.input + u.output
	if side == ReasoningBeside {
		u.total += t.Thinking
	}
	if r.b.details() {
		u.reasoning = &t.Thinking
	}
	return u
}

// failure is an error as providers state it.
type failure struct {
	kind    Kind
	status  int
	word    string // the type or code
	message string
}

// fail describes an error of kind k in words like those that providers use.
func fail(k Kind, model, message string) failure {
	f := failure{kind: k, status: k.status(), message: message}
	words := map[Kind][2]string{
		RateLimited: {"rate_limit_exceeded", "Rate limit reached for requests. Please try again later."},
		ServerError: {"server_error", "The server had an error while processing your request."},
		Overloaded:  {"overloaded_error", "The engine is currently overloaded, please try again later."},
		BadGateway:  {"bad_gateway", "Bad Gateway"},
		Unavailable: {"model_not_found", fmt.Sprintf("The model `%s` does not exist or you do not have access to it.", model)},
		Account:     {"invalid_api_key", "Incorrect API key provided."},
		Quota:       {"insufficient_quota", "You exceeded your current quota, please check your plan and billing details."},
		Rejected:    {"invalid_request_error", "The request is not valid."},
		StreamError: {"server_error", "The server had an error while streaming the response."},
	}
	f.word = words[k][0]
	if f.message == "" {
		f.message = words[k][1]
	}
	return f
}

// statusIn is the HTTP status that an API gives the failure.
func (f failure) statusIn(api string) int {
	if f.kind == Overloaded && api == "anthropic-messages" {
		return 529
	}
	return f.status
}

// exception is what AWS calls the failure.
func (f failure) exception() string {
	switch f.kind {
	case RateLimited:
		return "ThrottlingException"
	case Quota:
		return "ServiceQuotaExceededException"
	case Overloaded:
		return "ServiceUnavailableException"
	case Unavailable:
		return "ResourceNotFoundException"
	case Account:
		return "AccessDeniedException"
	case Rejected:
		return "ValidationException"
	}
	return "InternalServerException"
}

const htmlError = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>\r\n" +
	"<center><h1>502 Bad Gateway</h1></center>\r\n<hr><center>nginx</center>\r\n</body>\r\n</html>\r\n"

// said is what one choice said in all.
type said struct {
	thinking, text, args string
	call                 *call
	finish               string
	pieces               []string // of the text
}

// gather puts together what the steps say, by choice.
func gather(steps []step) []said {
	var out []said
	for i := range steps {
		s := &steps[i]
		for len(out) <= s.choice {
			out = append(out, said{})
		}
		c := &out[s.choice]
		switch s.act {
		case actThinking:
			c.thinking += s.text()
		case actText:
			c.text += s.text()
			c.pieces = append(c.pieces, s.pieces...)
		case actTool:
			c.call = s.call
			c.args += s.text()
		case actFinish:
			c.finish = s.finish
		}
	}
	return out
}

// compact is v as JSON on one line; like providers, and unlike Go by default,
// it leaves <, > and & alone.
func compact(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("simulate: %v", err)) // the types encoded are our own
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// obj is a JSON object that keeps its keys in the order written: name, value,
// name, value.
type obj []any

// MarshalJSON writes the pairs.
func (o obj) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i := 0; i+1 < len(o); i += 2 {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(compact(o[i]))
		b.WriteByte(':')
		b.Write(compact(o[i+1]))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// block follows the content blocks of dialects that number them: each kind of
// content opens one and closes the one before.
type block struct {
	act   act // of the block open; meaningful if open
	open  bool
	index int // of the block open, or of the next
}

// enter reports whether a step of act a needs the open block closed and a new
// one opened.
func (b *block) enter(a act) (closes, opens bool) {
	if b.open && b.act == a {
		return false, false
	}
	return b.open, true
}

func (b *block) start(a act) { b.act, b.open = a, true }

func (b *block) stop() {
	if b.open {
		b.open = false
		b.index++
	}
}

// event is one server-sent event; name may be empty.
func event(name string, v any) []byte {
	var b bytes.Buffer
	if name != "" {
		b.WriteString("event: " + name + "\n")
	}
	b.WriteString("data: ")
	b.Write(compact(v))
	b.WriteString("\n\n")
	return b.Bytes()
}

// sseComment is a keep-alive line.
func sseComment(text string) []byte { return []byte(": " + text + "\n\n") }

// apiKey is the key that a request carries, in whichever header.
func apiKey(u *url.URL, header http.Header) string {
	for _, h := range []string{"x-api-key", "x-goog-api-key", "api-key"} {
		if v := header.Get(h); v != "" {
			return v
		}
	}
	if v := u.Query().Get("key"); v != "" {
		return v
	}
	return strings.TrimPrefix(header.Get("Authorization"), "Bearer ")
}
