package simulate

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"sync"
	"time"
)

// Truth is what the fleet knows of one request: one line of JSON in the ground
// truth. Wall times are nanoseconds of the system's clock since 1970, UTC.
type Truth struct {
	ID       string `json:"id"` // as sent in the header x-request-id
	Provider string `json:"provider"`
	Model    string `json:"model"` // canonical; empty if the model is unknown
	ModelID  string `json:"model_id"`
	API      string `json:"api"`
	Path     string `json:"path"`
	Stream   bool   `json:"stream"`

	// Ordinal counts the requests of this model at this provider from 1;
	// Window is the fleet's.
	Ordinal    int      `json:"ordinal"`
	Window     int      `json:"window"`
	InFlight   int      `json:"in_flight"`         // streams open at arrival, this one included
	IdleMs     *float64 `json:"idle_ms,omitempty"` // since the last response of the model ended; absent before the first
	Cold       bool     `json:"cold"`
	Conditions float64  `json:"conditions"` // multiplier of this window
	Load       float64  `json:"load"`       // multiplier by streams open

	Fallback string `json:"fallback,omitempty"` // the model that answered in the place of the one asked

	Status  int    `json:"status"` // 0 if no response was begun
	Fault   Kind   `json:"fault,omitempty"`
	Outcome string `json:"outcome"` // the name that a recording should come to
	Finish  string `json:"finish,omitempty"`
	// ClientGone is set where the client left before the script's end.
	ClientGone bool `json:"client_gone,omitempty"`

	ReceivedNs int64 `json:"received_ns"` // request line and headers read
	// FirstTokenNs, FirstAnswerNs and LastTokenNs are SentNs of the writes
	// that completed the first generated token (visible thinking included),
	// the first of the answer, and the last of either; absent if there was none.
	FirstTokenNs  *int64  `json:"first_token_ns,omitempty"`
	FirstAnswerNs *int64  `json:"first_answer_ns,omitempty"`
	LastTokenNs   *int64  `json:"last_token_ns,omitempty"`
	EndNs         int64   `json:"end_ns"` // response ended
	Writes        []Write `json:"writes"`

	Bytes  int64  `json:"bytes"`  // of the body
	SHA256 string `json:"sha256"` // of the body

	Tokens Tokens `json:"tokens"` // as generated and sent, whatever was reported
	Price  *Price `json:"price,omitempty"`
	// CostNano is what the tokens cost at Price, in billionths of a dollar.
	CostNano *int64 `json:"cost_nano,omitempty"`
}

// Write is one write to the socket, flushed at once.
type Write struct {
	PlanNs  int64  `json:"plan_ns"`  // offset from ReceivedNs at which it was due
	BeginNs int64  `json:"begin_ns"` // wall time just before the write
	SentNs  int64  `json:"sent_ns"`  // wall time just after the flush: the kernel has the bytes
	Bytes   int    `json:"bytes"`
	Holds   string `json:"holds"` // its steps: "start", "text", "3 text", …
}

// ReadTruth reads a ground truth as Start writes it.
func ReadTruth(r io.Reader) ([]Truth, error) {
	var out []Truth
	dec := json.NewDecoder(r)
	for {
		var t Truth
		switch err := dec.Decode(&t); {
		case err == io.EOF:
			return out, nil
		case err != nil:
			return out, fmt.Errorf("read ground truth, line %d: %w", len(out)+1, err)
		}
		out = append(out, t)
	}
}

// cost is what tokens cost, in nano-dollars.
func (p *Price) cost(t Tokens) int64 {
	cached, reasoning := p.Input, p.Output
	if p.Cached != nil {
		cached = *p.Cached
	}
	if p.Reasoning != nil {
		reasoning = *p.Reasoning
	}
	// A dollar a million tokens is a thousand nano-dollars a token.
	nano := 1e3 * (p.Input*float64(t.Input-t.Cached) + cached*float64(t.Cached) +
		p.Output*float64(t.Answer) + reasoning*float64(t.Thinking))
	return int64(math.Round(nano))
}

// truthLog writes lines from many goroutines, each in one write.
type truthLog struct {
	mu  sync.Mutex
	w   io.Writer
	err error // the first
}

func (l *truthLog) log(t *Truth) {
	if l.w == nil {
		return
	}
	line, err := json.Marshal(t)
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil {
		_, err = l.w.Write(append(line, '\n'))
	}
	if err != nil && l.err == nil {
		l.err = fmt.Errorf("write ground truth: %w", err)
	}
}

// body follows the bytes of a body as they are sent.
type body struct {
	n   int64
	sum interface {
		io.Writer
		Sum([]byte) []byte
	}
}

func newBody() body { return body{sum: sha256.New()} }

func (b *body) add(p []byte) {
	b.n += int64(len(p))
	b.sum.Write(p)
}

func (b *body) hex() string { return hex.EncodeToString(b.sum.Sum(nil)) }

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
