package simulate

import (
	"regexp"
	"time"

	"aircheck/internal/kit/yamlx"
)

// Behaviour is how one model fares at one provider. The same keys may stand at
// four places, each overriding the one before: `behaviour` of the fleet,
// `models` (what a model is wherever it is served), `behaviour` of a provider,
// and the provider's entry for the model; `changes` override them for a while.
// A list replaces a list, a mapping is merged key by key.
type Behaviour struct {
	// FirstToken is the time from the request's arrival to the first generated
	// token, thinking included; Gap is the time between two writes after it.
	FirstToken Dist[time.Duration] `yaml:"first_token"`
	Gap        Dist[time.Duration] `yaml:"gap"`
	// Prefill is what a thousand tokens of input add to the first token.
	Prefill time.Duration `yaml:"prefill"`
	// FirstByte, if set, sends the headers and a role-only first frame that
	// long after the request; without it they come with the first token.
	FirstByte Dist[time.Duration] `yaml:"first_byte"`
	// TokensPerFrame is how many tokens a frame carries, Burst how many frames
	// one write carries, Fragments into how many writes a write is cut, at any
	// byte, a millisecond apart.
	TokensPerFrame int `yaml:"tokens_per_frame"`
	Burst          int `yaml:"burst"`
	Fragments      int `yaml:"fragments"`

	KeepAlive KeepAlive `yaml:"keep_alive"`
	Answer    Answer    `yaml:"answer"`
	Thinking  Thinking  `yaml:"thinking"`
	Usage     Usage     `yaml:"usage"`

	// Served, ServedBy and Fingerprint are what the response calls the model,
	// the provider behind a router, and the build.
	Served      string `yaml:"served"`
	ServedBy    string `yaml:"served_by"`
	Fingerprint string `yaml:"fingerprint"`

	// Fallback lets another model answer a share of the requests, and say so.
	Fallback Fallback `yaml:"fallback"`

	Faults []Fault `yaml:"faults"`
	// Ignores lists parameters that are accepted and do nothing, Rejects those
	// that are refused with status 400; see Params for the names.
	Ignores yamlx.List[Param] `yaml:"ignores"`
	Rejects yamlx.List[Param] `yaml:"rejects"`

	Cold      Cold      `yaml:"cold"`
	Load      LoadCurve `yaml:"load"`
	RateLimit RateLimit `yaml:"rate_limit"`

	// Conditions multiply first-token and gap times by window: the list is
	// indexed by the window, and starts again at its end. ConditionsSigma draws
	// one lognormal multiplier a window for the provider; both apply.
	Conditions      []float64 `yaml:"conditions"`
	ConditionsSigma float64   `yaml:"conditions_sigma"`
	// ConditionsOwn draws one more for the model at the provider. ConditionsRho is
	// the correlation of one window's draw with the next one's: an AR(1)
	// process, of which windows are not independent.
	ConditionsOwn float64 `yaml:"conditions_own"`
	ConditionsRho float64 `yaml:"conditions_rho"`
	// Day is how times change with the hour of the day.
	Day DayCycle `yaml:"day"`

	// Price is written to the truth with each request's cost.
	Price *Price `yaml:"price"`
	// Key, if set, is the only API key accepted.
	Key string `yaml:"key"`

	// Network, Region and Declared matter in virtual time only: how far the
	// client stands, and what a plan states of the target.
	Network  Network        `yaml:"network"`
	Region   string         `yaml:"region"`
	Declared map[string]any `yaml:"declared"`
}

// Network lies between a provider and its client.
type Network struct {
	// RTT is the time of a round trip; each request has one draw.
	RTT Dist[time.Duration] `yaml:"rtt"`
}

// Fallback is another model that answers in the place of the one asked.
type Fallback struct {
	Share float64 `yaml:"share"` // of the requests
	Model string  `yaml:"model"`
}

// KeepAlive sends comment lines (pings, in dialects that have them) while the
// first token is awaited and during stalls.
type KeepAlive struct {
	Every   time.Duration `yaml:"every"`
	Comment string        `yaml:"comment"`
}

// Answer says what is answered. The text depends on the model, the build and
// the prompt alone, so that two providers of one model agree unless told
// otherwise.
type Answer struct {
	Tokens Dist[int] `yaml:"tokens"`
	Texts  []Text    `yaml:"texts"`
	// Build names another build of the model; on Differs (a share of prompts)
	// its answer is another one. Variety is the share of requests whose answer
	// departs from the usual one without any reason.
	Build   string  `yaml:"build"`
	Differs float64 `yaml:"differs"`
	Variety float64 `yaml:"variety"`
}

// Text is an answer known beforehand, for prompts that match When.
type Text struct {
	When pattern `yaml:"when"`
	Text string  `yaml:"text"`
	// Other is what a departing build says instead; Text if empty.
	Other string `yaml:"other"`
	// Tokens, if set, is how long such an answer is; plain prose fills it up.
	Tokens Dist[int] `yaml:"tokens"`
}

// pattern is a regular expression in a fleet file; it ignores case.
type pattern struct{ *regexp.Regexp }

func (p *pattern) UnmarshalText(b []byte) (err error) {
	p.Regexp, err = regexp.Compile("(?i)" + string(b))
	return err
}

// Thinking is what a model produces before it answers; a model thinks if
// Tokens is above 0 and the request does not turn it off.
type Thinking struct {
	Tokens Dist[int] `yaml:"tokens"`
	// Show is how OpenAI-like streams spell it: reasoning_content, reasoning,
	// inline (<think> tags within the content) or hidden. Other dialects have
	// one spelling of their own and know only hidden and not hidden.
	Show Show `yaml:"show"`
}

// Usage is how tokens are reported.
type Usage struct {
	// When: asked (the default: if the request asks for it, in APIs in which
	// it must), always, never, cumulative (in every frame). APIs other than
	// openai-chat have one way to report, and know only never and not never.
	When When `yaml:"when"`
	// Reasoning tokens are counted inside the output count, or beside it; as
	// the API's maker does unless set.
	Reasoning Side `yaml:"reasoning"`
	// Details reports the number of reasoning tokens; on unless set false.
	Details *bool `yaml:"details"`
	// Scale multiplies the output count reported; Cached is the share of the
	// input reported as read from a cache when a prompt comes again.
	Scale  float64 `yaml:"scale"`
	Cached float64 `yaml:"cached"`
}

// Cold adds a penalty to the first token of a request that comes after the
// model was idle for After, or first of all.
type Cold struct {
	After time.Duration       `yaml:"after"`
	Adds  Dist[time.Duration] `yaml:"adds"`
}

// LoadCurve slows a model down by the number of its streams open: times are
// multiplied by 1 + PerStream·(streams − 1), and by Factor when there are more
// than Cliff; beyond Reject a request is answered 429.
type LoadCurve struct {
	PerStream float64 `yaml:"per_stream"`
	Cliff     int     `yaml:"cliff"`
	Factor    float64 `yaml:"factor"`
	Reject    int     `yaml:"reject"`
}

// factor is the slow-down with n streams open, this one included.
func (l LoadCurve) factor(n int) float64 {
	f := 1 + l.PerStream*float64(n-1)
	if l.Cliff > 0 && n > l.Cliff && l.Factor > 0 {
		f *= l.Factor
	}
	return f
}

// RateLimit answers 429 beyond so many requests in each stretch of Per.
type RateLimit struct {
	Requests int           `yaml:"requests"`
	Per      time.Duration `yaml:"per"`
}

// Price is in US dollars per million tokens; Reasoning, if unset, is Output.
type Price struct {
	Input     float64  `yaml:"input" json:"input"`
	Cached    *float64 `yaml:"cached" json:"cached,omitempty"`
	Output    float64  `yaml:"output" json:"output"`
	Reasoning *float64 `yaml:"reasoning" json:"reasoning,omitempty"`
}

func defaults() Behaviour {
	var b Behaviour
	b.FirstToken.Median = 200 * time.Millisecond
	b.Gap.Median = 10 * time.Millisecond
	b.TokensPerFrame, b.Burst, b.Fragments = 1, 1, 1
	b.Answer.Tokens.Median = 40
	b.KeepAlive.Comment = "keep-alive"
	b.Thinking.Show = ShowReasoningContent
	b.Usage = Usage{When: UsageAsked, Scale: 1}
	b.Network.RTT.Median = 10 * time.Millisecond
	return b
}

// check returns what no type can rule out; "" if nothing.
func (b *Behaviour) check() string {
	switch {
	case b.TokensPerFrame < 1 || b.Burst < 1 || b.Fragments < 1:
		return "tokens_per_frame, burst and fragments must be at least 1"
	case b.Cold.Adds.Median > 0 && b.Cold.After <= 0:
		return "cold.adds needs cold.after, the idle time that makes a model cold"
	case b.RateLimit.Requests > 0 && b.RateLimit.Per <= 0:
		return "rate_limit.requests needs rate_limit.per, the stretch they are counted in"
	case b.Fallback.Share > 0 && b.Fallback.Model == "":
		return "fallback.share needs fallback.model, which answers instead"
	case b.ConditionsRho < 0 || b.ConditionsRho >= 1:
		return "conditions_rho must lie from 0 to below 1"
	case b.Usage.Scale < 0:
		return "usage.scale must not be negative"
	}
	for _, w := range b.Conditions {
		if w <= 0 {
			return "conditions want positive multipliers"
		}
	}
	return ""
}

func (b *Behaviour) details() bool { return b.Usage.Details == nil || *b.Usage.Details }
