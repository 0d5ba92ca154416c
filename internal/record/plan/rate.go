package plan

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"aircheck/internal/kit/yamlx"
)

// Rate is an open loop's.
type Rate struct {
	At       yamlx.Pos `yaml:"-"`
	RPS      float64   `yaml:"rps"`
	Arrivals Arrivals  `yaml:"arrivals"`
	// File holds the arrivals of a trace: a list, or a table with a header whose
	// first column holds them. They are offsets in seconds or as durations, or
	// dates with a time of day; the first one is the start.
	File  string        `yaml:"file"`
	Take  time.Duration `yaml:"take"`  // of the trace, so much from its start; 0: all
	Speed float64       `yaml:"speed"` // of the trace: 2 halves its gaps; 1 unless set

	trace []time.Duration
}

// maxLoop bounds an open loop's length, far below what a duration can hold.
const maxLoop = 3 * 365 * 24 * time.Hour

// rate checks an open loop.
func (r *reader) rate(rate *Rate) {
	if rate.Arrivals == "" {
		rate.Arrivals = Poisson
		if rate.File != "" {
			rate.Arrivals = Trace
		}
	}
	fail := func(format string, args ...any) { r.faults.add(rate.At.Errorf("rate: "+format, args...)) }
	if rate.Arrivals != Trace {
		switch {
		case rate.File != "" || rate.Take != 0 || rate.Speed != 0:
			fail("file, take and speed belong to arrivals: trace")
		case rate.RPS <= 0:
			fail("rps must be more than 0")
		case float64(r.plan.Trials)/rate.RPS > maxLoop.Seconds():
			fail("at %v rps, %d trials take years", rate.RPS, r.plan.Trials)
		}
		return
	}
	switch {
	case rate.RPS != 0 || rate.File == "":
		fail("arrivals: trace takes its times from file, which it needs, and no rps")
		return
	case rate.Take < 0 || rate.Speed < 0:
		fail("take and speed must not be negative")
		return
	}
	trace, err := readTrace(r.path(rate.File))
	if err != nil {
		fail("%v", err)
		return
	}
	speed := rate.Speed
	if speed == 0 {
		speed = 1
	}
	for _, at := range trace {
		if rate.Take > 0 && at >= rate.Take {
			break
		}
		if seconds := at.Seconds() / speed; seconds > maxLoop.Seconds() {
			fail("at this speed the trace takes years")
			return
		}
		rate.trace = append(rate.trace, time.Duration(float64(at)/speed))
	}
}

// perMinute is the most arrivals that an open loop has within a minute: its
// mean, or the busiest minute of a trace.
func (rate *Rate) perMinute() (most float64) {
	if rate.Arrivals != Trace {
		return rate.RPS * 60
	}
	first := 0
	for i, at := range rate.trace {
		for at-rate.trace[first] >= time.Minute {
			first++
		}
		most = max(most, float64(i-first+1))
	}
	return most
}

// limits finds scenarios that ask a target more often than its limit allows.
// Closed loops wait; what has times of its own cannot.
func (r *reader) limits() {
	for _, t := range r.plan.Targets {
		if t.Limit == nil {
			continue
		}
		for _, s := range r.plan.Scenarios {
			switch {
			case s.Mode == OpenLoop && s.Rate.perMinute() > t.Limit.RPM:
				r.faults.add(s.At.Errorf("scenario %q asks for %.4g requests a minute; the limit of %s is %.4g", s.Name, s.Rate.perMinute(), t, t.Limit.RPM))
			case s.Mode == Burst && float64(s.Burst) > t.Limit.RPM:
				r.faults.add(s.At.Errorf("scenario %q asks for %d requests at once; the limit of %s is %.4g a minute", s.Name, s.Burst, t, t.Limit.RPM))
			}
		}
	}
}

// readTrace reads arrivals and lets them start at 0.
func readTrace(path string) ([]time.Duration, error) {
	file, err := openData(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	in := csv.NewReader(file)
	in.FieldsPerRecord, in.ReuseRecord, in.Comment, in.TrimLeadingSpace = -1, true, '#', true
	var out []time.Duration
	var start time.Time
	noArrivals := fmt.Errorf("%s holds no arrivals", filepath.Base(path))
	for first := true; ; first = false {
		fields, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			var fault *csv.ParseError
			if errors.As(err, &fault) {
				return nil, fmt.Errorf("%s:%d: %w", filepath.Base(path), fault.Line, fault.Err)
			}
			return nil, err
		}
		at, date, ok := arrival(strings.TrimSpace(fields[0]))
		line, _ := in.FieldPos(0)
		switch {
		case !ok:
			err := fmt.Errorf("%s:%d: %q is no offset in seconds, no duration and no date with a time", filepath.Base(path), line, fields[0])
			if first { // a header, if anything follows
				noArrivals = err
				continue
			}
			return nil, err
		case !date.IsZero() && len(out) == 0:
			start = date
		case date.IsZero() != start.IsZero():
			return nil, fmt.Errorf("%s:%d: offsets and dates in one trace", filepath.Base(path), line)
		}
		if !date.IsZero() {
			at = date.Sub(start)
		}
		out = append(out, at)
	}
	if len(out) == 0 {
		return nil, noArrivals
	}
	if !slices.IsSorted(out) {
		return nil, fmt.Errorf("%s: arrivals must not run backwards", filepath.Base(path))
	}
	for i := len(out) - 1; i >= 0; i-- {
		out[i] -= out[0]
	}
	return out, nil
}

// dateLayouts are dates as traces write them; fractions of a second are read
// whether or not a layout has them.
var dateLayouts = []string{time.RFC3339, "2006-01-02 15:04:05", "2006-01-02T15:04:05", "2006-01-02 15:04:05Z07:00"}

// arrival reads one time: an offset, or a date.
func arrival(text string) (at time.Duration, date time.Time, ok bool) {
	if seconds, err := strconv.ParseFloat(text, 64); err == nil {
		return time.Duration(seconds * float64(time.Second)), date, seconds >= 0 && seconds < 9e9 // dates in seconds, too
	}
	if d, err := time.ParseDuration(text); err == nil {
		return d, date, d >= 0 && d < maxLoop
	}
	for _, layout := range dateLayouts {
		if t, err := time.Parse(layout, text); err == nil {
			return 0, t, !t.IsZero()
		}
	}
	return 0, date, false
}
