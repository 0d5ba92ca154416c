package simulate

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"
)

// running is a fleet on loopback and its truth.
type running struct {
	*Server
	t     *testing.T
	truth bytes.Buffer // read after stop
	done  bool
}

func start(t *testing.T, fleet string) *running {
	t.Helper()
	f, err := Parse([]byte(fleet), "fleet.yaml")
	if err != nil {
		t.Fatal(err)
	}
	r := &running{t: t}
	if r.Server, err = Start(f, "127.0.0.1:0", &r.truth); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.stop() })
	return r
}

// stop closes the server and returns the truth by request id.
func (r *running) stop() map[string]Truth {
	r.t.Helper()
	if !r.done {
		r.done = true
		if err := r.Close(); err != nil {
			r.t.Error(err)
		}
	}
	out := map[string]Truth{}
	lines, err := ReadTruth(&r.truth)
	if err != nil {
		r.t.Error(err)
	}
	for _, tr := range lines {
		if _, twice := out[tr.ID]; twice {
			r.t.Errorf("request %s is logged twice", tr.ID)
		}
		out[tr.ID] = tr
	}
	return out
}

// got is what a client saw.
type got struct {
	id      string
	status  int
	header  http.Header
	body    []byte
	err     error // of sending or of reading the body
	started time.Time
	lines   []stamped // of the body, with the time each was read
}

type stamped struct {
	text string
	at   time.Time
}

func (g *got) sha() string { h := sha256.Sum256(g.body); return hex.EncodeToString(h[:]) }

// post sends a request and reads the response to its end.
func post(t *testing.T, c *http.Client, url, body string) *got {
	t.Helper()
	g := &got{started: time.Now()}
	req, err := http.NewRequest("POST", url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.GetBody = nil // never sent twice
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "Bearer k")
	resp, err := c.Do(req)
	if err != nil {
		g.err = err
		return g
	}
	defer resp.Body.Close()
	g.id, g.status, g.header = resp.Header.Get("X-Request-Id"), resp.StatusCode, resp.Header
	rd := bufio.NewReader(resp.Body)
	for {
		line, err := rd.ReadString('\n')
		g.body = append(g.body, line...)
		if line != "" {
			g.lines = append(g.lines, stamped{strings.TrimRight(line, "\r\n"), time.Now()})
		}
		if err == io.EOF {
			return g
		}
		if err != nil {
			g.err = err
			return g
		}
	}
}

// chat posts a streamed chat request; extra is JSON to add, such as `"n":2`.
func (r *running) chat(provider, model, prompt, extra string) *got {
	r.t.Helper()
	return post(r.t, http.DefaultClient, r.URL(provider)+"/chat/completions", chatBody(model, prompt, extra))
}

func chatBody(model, prompt, extra string) string {
	if extra != "" {
		extra = "," + extra
	}
	p, _ := json.Marshal(prompt)
	if !strings.Contains(extra, `"stream"`) {
		extra += `,"stream":true`
	}
	return `{"model":"` + model + `","messages":[{"role":"user","content":` + string(p) + `}]` + extra + `}`
}

// heard is a chat stream put together.
type heard struct {
	text, thinking string
	finish         string
	usage          *chatUsage
	done           bool
	chunks         []chatChunk
	first          time.Time // of generated content
	args, call     string
	choices        map[int]string
}

func (g *got) heard(t *testing.T) heard {
	t.Helper()
	h := heard{choices: map[int]string{}}
	for _, l := range g.lines {
		data, ok := strings.CutPrefix(l.text, "data: ")
		if !ok {
			continue
		}
		if data == "[DONE]" {
			h.done = true
			continue
		}
		var c chatChunk
		if err := json.Unmarshal([]byte(data), &c); err != nil {
			continue // some fleets send junk on purpose
		}
		h.chunks = append(h.chunks, c)
		if c.Usage != nil {
			h.usage = c.Usage
		}
		for _, ch := range c.Choices {
			if ch.Finish != nil {
				h.finish = *ch.Finish
			}
			d := ch.Delta
			if d == nil {
				continue
			}
			thinking := d.Reasoning + d.ReasoningContent
			h.thinking += thinking
			text := ""
			if d.Content != nil {
				text = *d.Content
			}
			h.text += text
			h.choices[ch.Index] += text
			for _, tc := range d.ToolCalls {
				h.call += tc.Function.Name
				h.args += tc.Function.Arguments
			}
			if h.first.IsZero() && thinking+text+h.args != "" {
				h.first = l.at
			}
		}
	}
	return h
}
