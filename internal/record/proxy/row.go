package proxy

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/imports"
	"aircheck/schema"
)

// callRow is what is known of a call before it is sent; nil for a request that is
// no call of a model.
func callRow(u *Upstream, to *url.URL, r *http.Request, body []byte) *schema.Request {
	x := &imports.Exchange{Method: r.Method, URL: to.String(), RequestBody: body}
	row, _ := x.Rows(u.API)
	if row.API == nil || row.Model == "" {
		return nil
	}
	row.Provider, row.Host, row.BytesReceived = u.Provider, nil, nil
	if row.Streamed == nil {
		row.Streamed = new(false)
	}
	if u.Region != "" {
		row.Region = &u.Region
	}
	row.Origin = originProxied
	row.PromptHash = promptHash(body)
	return row
}

const (
	originProxied   = "proxied"
	originSimulated = "simulated"

	// simulatedHeader is set by simulated providers, so that no one takes what
	// they say for a measurement.
	simulatedHeader = "X-Aircheck-Simulated"
)

// prompts are the fields in which dialects hold what is asked.
var prompts = []string{"system", "instructions", "systemInstruction", "system_instruction", "messages", "input", "contents", "prompt"}

// promptHash identifies what is asked: equal prompts have equal hashes.
func promptHash(body []byte) *string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return nil
	}
	h, found := sha256.New(), false
	for _, name := range prompts {
		if v := fields[name]; v != nil {
			found = true
			h.Write([]byte(name))
			h.Write(v)
		}
	}
	if !found {
		return nil
	}
	return new(hex.EncodeToString(h.Sum(nil)[:16]))
}

// retryHeader is set by the makers' SDKs: 0 on the first try.
const retryHeader = "X-Stainless-Retry-Count"

// What a header can name beside labels.
const (
	NamesSession  = "session"
	NamesAttempt  = "attempt"
	NamesRequest  = "request"
	NamesScenario = "scenario"
	NamesWorkload = "workload"
)

// label takes what the caller's headers say.
func (p *Proxy) label(row *schema.Request, h http.Header, mask func(string) string) {
	if n, err := strconv.Atoi(h.Get(retryHeader)); err == nil && n >= 0 && n < 1000 {
		row.Attempt = int32(n) + 1
	}
	labels := map[string]string{}
	for header, names := range p.o.Headers {
		value := mask(strings.ToValidUTF8(h.Get(header), "\uFFFD"))
		if value == "" {
			continue
		}
		switch names {
		case NamesSession:
			row.SessionID = &value
		case NamesAttempt:
			if n, err := strconv.ParseInt(value, 10, 32); err == nil && n > 0 {
				row.Attempt = int32(n)
			}
		case NamesRequest:
			row.CallerRequestID = &value
		case NamesScenario:
			row.Scenario = &value
		case NamesWorkload:
			row.Workload = &value
		default:
			labels[names] = value
		}
	}
	if len(labels) > 0 {
		data, _ := json.Marshal(labels) // strings always encode
		row.Labels = new(string(data))
	}
}

// lanes count idle times: since the last request to a model ended.
type lanes struct {
	mu sync.Mutex
	of map[lane]*laneState
}

type lane struct{ provider, model string }

type laneState struct {
	open  int
	ended int64
}

func (l *lanes) begin(provider, model string, now int64) (idleMs *int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil || len(l.of) > limits.ProxyLanes {
		l.of = map[lane]*laneState{}
	}
	k := lane{provider, model}
	s := l.of[k]
	if s == nil {
		s = &laneState{}
		l.of[k] = s
	}
	switch {
	case s.open > 0:
		idleMs = new(int64(0))
	case s.ended > 0:
		idleMs = new((now - s.ended) / int64(time.Millisecond))
	}
	s.open++
	return idleMs
}

func (l *lanes) end(provider, model string, now int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if s := l.of[lane{provider, model}]; s != nil {
		s.open--
		s.ended = now
	}
}
