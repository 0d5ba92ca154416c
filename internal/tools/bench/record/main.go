// Record measures how true the recorder's times are, and what they cost, beside a
// plain asyncio/aiohttp client in the same run. A sender in a process of its own
// writes the time into each frame just before it is sent; the error is the
// recorded arrival less that. Figures are printed as they are and as ratios to the
// peer's; a run in which the sender missed its rate by over 5 % is void.
//
//	go run ./internal/tools/bench/record [-seconds 3] [-only 256] [-peer=false]
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"
)

// load is one row of the table.
type load struct {
	Streams int
	Rate    int // frames a second, all streams together
	Burst   bool
	TLS     bool
}

func (l load) String() string {
	kind := "steady"
	if l.Burst {
		kind = "bursts"
	}
	if l.TLS {
		kind += ", TLS"
	}
	return fmt.Sprintf("%d streams, %d frames/s, %s", l.Streams, l.Rate, kind)
}

// loads are PROBES'.
func loads() (out []load) {
	for _, s := range []struct{ streams, rate int }{{1, 100}, {32, 1000}, {256, 10_000}, {1024, 20_000}, {4096, 50_000}} {
		for _, burst := range []bool{false, true} {
			for _, tls := range []bool{false, true} {
				out = append(out, load{s.streams, s.rate, burst, tls})
			}
		}
	}
	return out
}

// outcome is what one client measured under one load.
type outcome struct {
	Frames   int                `json:"frames"`
	Errors   map[string]summary `json:"errors"` // by clock, in µs
	CPU      float64            `json:"cpu_us"` // a frame
	Allocs   float64            `json:"allocs"` // a frame
	RSS      int64              `json:"rss_mb"`
	Together float64            `json:"together"` // share of frames that shared a read
	Behind   float64            `json:"behind"`   // CPU of the proxy in between, in µs a frame
}

// summary of errors, in microseconds.
type summary struct {
	P50 float64 `json:"p50"`
	P99 float64 `json:"p99"`
	Max float64 `json:"max"`
}

func main() {
	seconds := flag.Float64("seconds", 3, "how long each load lasts")
	only := flag.Int("only", 0, "only this many streams; 0: all")
	peer := flag.Bool("peer", true, "measure an asyncio/aiohttp client, too")
	role := flag.String("role", "", "")
	spec := flag.String("load", "", "")
	address := flag.String("address", "", "")
	flag.Parse()
	if err := run(*role, *spec, *address, *seconds, *only, *peer); err != nil {
		fmt.Fprintf(os.Stderr, "bench record: %v\n", err)
		os.Exit(1)
	}
}

func run(role, spec, address string, seconds float64, only int, peer bool) error {
	var l load
	if spec != "" {
		if err := json.Unmarshal([]byte(spec), &l); err != nil {
			return err
		}
	}
	switch role {
	case "sender":
		return send(l, time.Duration(seconds*float64(time.Second)))
	case "recorder":
		return record(l, address, nil)
	case "behind":
		kind, address, _ := strings.Cut(address, " ")
		return behind(l, kind, address)
	case "plain", "recording":
		return front(role, address)
	}
	fmt.Printf("%d processors; the sender, the client and whatever else runs share them\n", runtime.NumCPU())
	python := ""
	if peer {
		var why string
		if python, why = findPeer(); python == "" {
			fmt.Printf("aiohttp: left out: %s\n", why)
		}
	}
	void := 0
	for _, l := range loads() {
		if only != 0 && l.Streams != only {
			continue
		}
		fmt.Printf("\n%s\n", l)
		ours, ok, err := measure(l, seconds, func(address string) *exec.Cmd {
			return exec.Command(os.Args[0], "-role", "recorder", "-load", l.json(), "-address", address)
		})
		if err != nil {
			return err
		}
		if !ok {
			void++
		}
		ours.print("kernel clock", "kernel")
		ours.print("read clock", "read")
		fmt.Printf("  %-14s %.1f µs of CPU and %.2f allocations a frame, journal included; %d MB resident; %.2f %% of frames shared a read\n", "recorder", ours.CPU, ours.Allocs, ours.RSS, 100*ours.Together)
		if python == "" {
			continue
		}
		theirs, ok, err := measure(l, seconds, func(address string) *exec.Cmd { return peerCommand(python, l, address) })
		if err != nil {
			return err
		}
		theirs.print("aiohttp", "read")
		fmt.Printf("  %-14s %.1f µs of CPU a frame; %d MB resident\n", "aiohttp", theirs.CPU, theirs.RSS)
		mark := ""
		if !ok {
			mark = "; aiohttp did not keep up, so this judges nothing"
		}
		fmt.Printf("  %-14s kernel p99 1/%.0f, read p99 1/%.1f, CPU 1/%.1f of aiohttp's%s\n", "ratios", theirs.Errors["read"].P99/ours.Errors["kernel"].P99,
			theirs.Errors["read"].P99/ours.Errors["read"].P99, theirs.CPU/ours.CPU, mark)
	}
	if void > 0 {
		fmt.Printf("\n%d loads are void: the sender missed its rate\n", void)
	}
	if only == 0 || only == proxyLoad.Streams {
		if err := proxied(seconds); err != nil {
			return err
		}
	}
	if only == 0 {
		return seal()
	}
	return nil
}

func (l load) json() string {
	data, _ := json.Marshal(l) // numbers always encode
	return string(data)
}

func (o *outcome) print(name, clock string) {
	if s, ok := o.Errors[clock]; ok {
		fmt.Printf("  %-14s p50 %9.1f µs   p99 %9.1f µs   max %9.1f µs\n", name, s.P50, s.P99, s.Max)
	}
}

// measure runs a sender and a client. ok says that the sender kept its rate.
func measure(l load, seconds float64, client func(address string) *exec.Cmd) (o *outcome, ok bool, err error) {
	sender := exec.Command(os.Args[0], "-role", "sender", "-load", l.json(), "-seconds", fmt.Sprint(seconds))
	sender.Stderr = os.Stderr
	out, err := sender.StdoutPipe()
	if err != nil {
		return nil, false, err
	}
	if err := sender.Start(); err != nil {
		return nil, false, err
	}
	defer sender.Process.Kill()
	said := json.NewDecoder(out)
	var hello struct{ Address string }
	if err := said.Decode(&hello); err != nil {
		return nil, false, fmt.Errorf("sender: %w", err)
	}
	c := client(hello.Address)
	c.Stderr = os.Stderr
	data, err := c.Output()
	if err != nil {
		return nil, false, fmt.Errorf("%s: %w", strings.Join(c.Args[:2], " "), err)
	}
	o = &outcome{}
	if err := json.Unmarshal(data, o); err != nil {
		return nil, false, fmt.Errorf("%s: %w: %s", c.Args[0], err, data)
	}
	var done struct {
		Sent int
		Rate float64
	}
	if err := said.Decode(&done); err != nil {
		return nil, false, fmt.Errorf("sender: %w", err)
	}
	sender.Wait()
	ok = done.Rate > 0.95*float64(l.Rate)
	if !ok {
		fmt.Printf("  the sender made %.0f frames/s of %d\n", done.Rate, l.Rate)
	}
	if o.Frames != done.Sent {
		fmt.Printf("  %d frames were sent, %d recorded\n", done.Sent, o.Frames)
	}
	return o, ok, nil
}

// summarize sorts the errors, in ns.
func summarize(errors []int64) summary {
	if len(errors) == 0 {
		return summary{}
	}
	slices.Sort(errors)
	at := func(q float64) float64 { return float64(errors[int(q*float64(len(errors)-1))]) / 1e3 }
	return summary{at(0.5), at(0.99), at(1)}
}
