package simulate

import (
	"strconv"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/yamlx"
)

// Fault is something that goes wrong, and when. Requests of one model at one
// provider are counted from 1 in the order of their arrival; a fault falls on
// every Every-th of them, on those listed in On, and at random on a Share. Of
// several faults that fall on one request the first in the list is done.
type Fault struct {
	Kind  Kind            `yaml:"kind"`
	Every int             `yaml:"every"`
	On    yamlx.List[int] `yaml:"on"`
	Share float64         `yaml:"share"`
	// PerWindow counts again in each window of the fleet.
	PerWindow bool `yaml:"per_window"`
	// At is the share of the answer's frames sent before a fault that strikes
	// in the stream; 0.5 unless set.
	At *float64 `yaml:"at"`
	// For is how long a stall or a hang lasts before the stream goes on; for
	// ever (until the client leaves) unless set.
	For time.Duration `yaml:"for"`
	// Message is the error's text, RetryAfter a header of 429 and 503.
	Message    string        `yaml:"message"`
	RetryAfter time.Duration `yaml:"retry_after"`
}

// UnmarshalYAML reads a fault and asks for its schedule.
func (f *Fault) UnmarshalYAML(n *yaml.Node) error {
	type plain Fault
	if err := yamlx.DecodeNode(n, (*plain)(f)); err != nil {
		return err
	}
	switch {
	case f.Kind == "":
		return yamlx.Errorf(n, "a fault needs a kind")
	case f.Every < 0:
		return yamlx.Errorf(n, "every must be positive, got %d", f.Every)
	case f.Share < 0 || f.Share > 1:
		return yamlx.Errorf(n, "share must lie between 0 and 1, got %v", f.Share)
	case f.At != nil && (*f.At < 0 || *f.At > 1):
		return yamlx.Errorf(n, "at must lie between 0 and 1, got %v", *f.At)
	case f.Every == 0 && len(f.On) == 0 && f.Share == 0:
		return yamlx.Errorf(n, "a fault needs every, on or share, else it never falls")
	}
	return nil
}

// Kind names what goes wrong.
type Kind string

// The kinds, with the outcome that a recording should come to.
const (
	// Refused before a stream begins: a status and a body that says why.
	RateLimited Kind = "rate_limited" // 429
	ServerError Kind = "server_error" // 500
	Overloaded  Kind = "overloaded"   // 503, or the dialect's own status
	BadGateway  Kind = "bad_gateway"  // 502 with a page of HTML
	Unavailable Kind = "unavailable"  // 404: no such model
	Account     Kind = "account"      // 401
	Quota       Kind = "quota"        // 429 whose body says that the quota is used up
	Rejected    Kind = "rejected"     // 400
	Refuse      Kind = "refuse"       // connection reset before any byte
	Hang        Kind = "hang"         // nothing at all

	// Struck in the stream.
	StreamError Kind = "stream_error" // an error frame inside a 200
	Reset       Kind = "reset"        // TCP reset
	Abort       Kind = "abort"        // connection closed inside the body
	Cut         Kind = "cut"          // body ends properly, the answer does not
	Stall       Kind = "stall"        // silence but for heartbeats
	Junk        Kind = "junk"         // one frame that is not valid

	// Ended another way than usual.
	Truncated       Kind = "truncated"        // by length, with nothing asked
	SilentTruncated Kind = "silent_truncated" // cut short, and called complete
	Starved         Kind = "starved"          // all tokens thought away
	Empty           Kind = "empty"            // no token at all
	Filtered        Kind = "filtered"         // stopped by a content filter
	NoDone          Kind = "no_done"          // a finish reason, then no end marker
	NoFinish        Kind = "no_finish"        // an end marker, but no finish reason
)

// kinds gives each kind its HTTP status, the contract's outcome, and whether
// it strikes in the midst of a stream.
var kinds = []struct {
	kind    Kind
	status  int
	outcome string
	midway  bool
}{
	{RateLimited, 429, "rate_limited", false},
	{ServerError, 500, "server_error", false},
	{Overloaded, 503, "server_error", false},
	{BadGateway, 502, "server_error", false},
	{Unavailable, 404, "unavailable", false},
	{Account, 401, "account", false},
	{Quota, 429, "account", false},
	{Rejected, 400, "rejected", false},
	{Refuse, 0, "connect_error", false},
	{Hang, 0, "timeout", false},
	{StreamError, 200, "stream_error", true},
	{Reset, 200, "cut", true},
	{Abort, 200, "cut", true},
	{Cut, 200, "cut", true},
	{Stall, 200, "stalled", true},
	{Junk, 200, "", true},
	{Truncated, 200, "", false},
	{SilentTruncated, 200, "", false},
	{Starved, 200, "", false},
	{Empty, 200, "", false},
	{Filtered, 200, "", false},
	{NoDone, 200, "", false},
	{NoFinish, 200, "", false},
}

// UnmarshalText accepts the kinds above only.
func (k *Kind) UnmarshalText(b []byte) error {
	words := make([]Kind, len(kinds))
	for i := range kinds {
		words[i] = kinds[i].kind
	}
	return oneOf(k, b, words...)
}

func (k Kind) midway() bool {
	for _, e := range kinds {
		if e.kind == k {
			return e.midway
		}
	}
	return false
}

func (k Kind) status() int {
	for _, e := range kinds {
		if e.kind == k {
			return e.status
		}
	}
	return 200
}

// outcome is what the fault leads to by itself; "" where the way in which the
// response ends decides.
func (k Kind) outcome() string {
	for _, e := range kinds {
		if e.kind == k {
			return e.outcome
		}
	}
	return ""
}

func (f *Fault) at() float64 {
	if f.At == nil {
		return 0.5
	}
	return *f.At
}

// place is where a request stands in its model's sequence.
type place struct {
	seed            uint64
	provider, model string
	ordinal         int // of all requests, from 1
	inWindow        int // of the window's requests, from 1
	window          int
	at              time.Duration // of arrival, on the fleet's clock
}

func (p place) random(names ...string) float64 {
	return random(p.seed, append(names, p.provider, p.model, strconv.Itoa(p.ordinal))...).Float64()
}

// fault returns the first fault that falls on a request, nil if none does.
func (b *Behaviour) fault(p place) *Fault {
	for i := range b.Faults {
		f := &b.Faults[i]
		n := p.ordinal
		if f.PerWindow {
			n = p.inWindow
		}
		if f.Every > 0 && n%f.Every == 0 || contains(f.On, n) ||
			f.Share > 0 && p.random("fault", strconv.Itoa(i)) < f.Share {
			return f
		}
	}
	return nil
}
