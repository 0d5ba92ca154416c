package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"net/http"
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"

	"aircheck/internal/record/capture"
	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// sink is the recorder's way of a frame, into the journal, and beside it the
// errors.
type sink struct {
	journal      *journal.Journal
	row          *schema.Request
	base         int64 // of the run's clock, on the machine's
	start        int64 // of the request, on the machine's clock
	kernel, read []int64
	last         int32
	together     int
	shared       bool
	headed       *atomic.Int64
}

func (s *sink) Head(*http.Response) { s.journal.Row(s.row); s.headed.Add(1) }

func (s *sink) Frame(f *journal.Frame) {
	s.journal.Frame(s.row.RequestID, f)
	if len(f.Raw) < len(before)+digits {
		return
	}
	sent := int64(0)
	for _, c := range f.Raw[len(before) : len(before)+digits] {
		sent = 10*sent + int64(c-'0')
	}
	if f.Clock == schema.ClockKernel {
		s.kernel = append(s.kernel, s.start+f.At-sent)
	}
	s.read = append(s.read, s.start+f.ReadAt-sent)
	if len(s.read) > 1 && f.Read == s.last {
		s.together++
		if !s.shared {
			s.together++
		}
		s.shared = true
	} else {
		s.shared = false
	}
	s.last = f.Read
}

// ask is what a proxy takes for a call of a model.
const ask = `{"model":"bench","stream":true,"messages":[{"role":"user","content":"go on"}]}`

// record opens the streams and records what comes. after, if there is one, hears
// of the outcome before it is printed.
func record(l load, address string, after func(*outcome) error) error {
	dir, err := os.MkdirTemp("", "aircheck-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	debug.SetMemoryLimit(192 << 20) // as the command does by default
	clock := capture.NewClock()
	base := monotonic() - clock.Now()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	go clock.Beat(ctx)
	j, err := journal.Create(dir, &schema.Run{RunID: "bench", Name: "bench", Origin: "recorded"}, journal.Options{})
	if err != nil {
		return err
	}
	client := capture.NewClient(capture.Options{Clock: clock, TLS: &tls.Config{InsecureSkipVerify: true}, Secrets: capture.NewSecrets("sk-0123456789abcdef")})
	sinks := make([]*sink, l.Streams)
	var headed atomic.Int64
	var all sync.WaitGroup
	open := make(chan struct{}, 64) // the backlog of the listener is short
	for i := range sinks {
		row := &schema.Request{RequestID: int64(i + 1), API: new("openai-chat"), StartedAtNs: new(clock.Wall(clock.Now())), Phase: "measure"}
		s := &sink{journal: j, row: row, base: base, headed: &headed, last: -1}
		sinks[i] = s
		s.read, s.kernel = make([]int64, 0, 16<<10/max(l.Streams/64, 1)), make([]int64, 0, 16<<10/max(l.Streams/64, 1))
		open <- struct{}{}
		all.Go(func() {
			j.Begin(row)
			client.Do(ctx, &capture.Request{Method: "POST", URL: address, Header: http.Header{}, Body: []byte(ask)}, true, row, &started{s, clock, open})
			j.End(row)
		})
	}
	for headed.Load() < int64(l.Streams) {
		time.Sleep(time.Millisecond)
	}
	var mem runtime.MemStats
	runtime.ReadMemStats(&mem)
	mallocs, cpu := mem.Mallocs, processCPU()
	all.Wait()
	cpu = processCPU() - cpu
	runtime.ReadMemStats(&mem)
	o := outcome{Errors: map[string]summary{}, RSS: resident()}
	var kernel, read []int64
	together := 0
	for _, s := range sinks {
		kernel, read = append(kernel, s.kernel...), append(read, s.read...)
		together += s.together
	}
	o.Frames = len(read)
	o.CPU = float64(cpu.Microseconds()) / float64(o.Frames)
	o.Allocs = float64(mem.Mallocs-mallocs) / float64(o.Frames)
	o.Together = float64(together) / float64(o.Frames)
	o.Errors["read"] = summarize(read)
	if len(kernel) > 0 {
		o.Errors["kernel"] = summarize(kernel)
	}
	if err := j.Seal(&schema.Run{RunID: "bench", Name: "bench", Origin: "recorded"}); err != nil {
		return err
	}
	if after != nil {
		if err := after(&o); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(o)
}

// started notes the request's start before its frames come.
type started struct {
	*sink
	clock *capture.Clock
	open  chan struct{}
}

func (s *started) Head(r *http.Response) {
	s.start = s.base + *s.row.StartedAtNs - s.clock.Wall(0)
	<-s.open
	s.sink.Head(r)
}

func processCPU() time.Duration {
	var u unix.Rusage
	unix.Getrusage(unix.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// resident is the most memory that the process had, in MB.
func resident() int64 {
	data, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := strings.Cut(string(data), "VmHWM:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, _ := strconv.ParseInt(kb, 10, 64)
	return n >> 10
}
