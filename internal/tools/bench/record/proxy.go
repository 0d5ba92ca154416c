package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"runtime/debug"
	"slices"
	"syscall"
	"time"

	"aircheck/internal/record/proxy"
)

// proxyLoad is the load at which the proxy is judged.
var proxyLoad = load{Streams: 256, Rate: 10_000}

// Limits of the proxy: what it adds to the arrival of a frame at the median, and
// what recording may cost beside plain proxying.
const (
	addedLimit     = 150.0 // µs
	recordingLimit = 1.3
)

// proxied measures what a proxy adds, and its CPU: none, net/http's own, and ours
// recording. Rounds are interleaved, and medians taken, since the machine is
// shared.
func proxied(seconds float64) error {
	fmt.Printf("\nproxy, %s\n", proxyLoad)
	kinds := []string{"direct", "plain", "recording"}
	p50, p99, cpu := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	for range 3 {
		for _, kind := range kinds {
			var used float64
			o, ok, err := measure(proxyLoad, seconds, func(address string) *exec.Cmd {
				return exec.Command(os.Args[0], "-role", "behind", "-load", proxyLoad.json(), "-address", kind+" "+address)
			})
			if err != nil {
				return err
			}
			if !ok {
				continue
			}
			used = o.Behind
			s := o.Errors["kernel"]
			p50[kind], p99[kind], cpu[kind] = append(p50[kind], s.P50), append(p99[kind], s.P99), append(cpu[kind], used)
		}
	}
	for _, kind := range kinds {
		if len(p50[kind]) == 0 {
			fmt.Printf("  %-14s void: the sender missed its rate each time\n", kind)
			return nil
		}
		fmt.Printf("  %-14s p50 %9.1f µs   p99 %9.1f µs   %.1f µs of CPU a frame\n", kind, median(p50[kind]), median(p99[kind]), median(cpu[kind]))
	}
	added := map[string]float64{}
	for _, kind := range kinds[1:] {
		added[kind] = median(p50[kind]) - median(p50["direct"])
	}
	fmt.Printf("  %-14s plain %.0f µs, recording %.0f µs (limit %.0f); recording costs %.2f of plain proxying's CPU, %.2f of its delay (limit %.1f)\n", "added p50",
		added["plain"], added["recording"], addedLimit, median(cpu["recording"])/median(cpu["plain"]), added["recording"]/added["plain"], recordingLimit)
	return nil
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// behind is the client of one measurement: it starts the proxy, if there is to be
// one, and reads its CPU when all has come.
func behind(l load, kind, address string) error {
	if kind == "direct" {
		return record(l, address, nil)
	}
	c := exec.Command(os.Args[0], "-role", kind, "-load", l.json(), "-address", address)
	c.Stderr = os.Stderr
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	defer c.Process.Kill()
	said := json.NewDecoder(out)
	var hello struct{ Address string }
	if err := said.Decode(&hello); err != nil {
		return err
	}
	return record(l, hello.Address, func(o *outcome) error {
		c.Process.Signal(os.Interrupt)
		var used struct{ CPU float64 }
		err := said.Decode(&used)
		o.Behind = used.CPU / float64(o.Frames)
		return err
	})
}

// front serves as a proxy until it is interrupted, and says how much CPU it used,
// in µs.
func front(kind, address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	up, err := url.Parse(address)
	if err != nil {
		return err
	}
	debug.SetGCPercent(400)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	json.NewEncoder(os.Stdout).Encode(map[string]string{"Address": "http://" + l.Addr().String() + "/v1/chat/completions"})
	var cpu time.Duration
	if kind == "plain" {
		plain := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(up) }}
		s := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// Without this some streams are aborted: an answer may come before the
			// end of the request.
			body, err := io.ReadAll(r.Body)
			if err != nil {
				return
			}
			r.Body = io.NopCloser(bytes.NewReader(body))
			plain.ServeHTTP(w, r)
		})}
		go s.Serve(l)
		<-ctx.Done()
		cpu = processCPU()
		s.Close()
	} else {
		dir, err := os.MkdirTemp("", "aircheck-bench-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		p, err := proxy.New(proxy.Options{Dir: dir, Name: "bench", Upstreams: []proxy.Upstream{{Provider: "bench", URL: up}}})
		if err != nil {
			return err
		}
		if err := proxy.Serve(ctx, context.Background(), p, &proxy.Listener{Listener: l}); err != nil {
			return err
		}
		cpu = processCPU()
		if _, err := p.Close(); err != nil {
			return err
		}
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]float64{"CPU": float64(cpu.Microseconds())})
}
