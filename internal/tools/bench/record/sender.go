package main

import (
	"bufio"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// The frame as providers send it; the time stands in fixed digits.
const (
	before = `data: {"t":`
	digits = 19
	length = 260
)

var after = `,"id":"chatcmpl-0123456789","object":"chat.completion.chunk","choices":[{"index":0,"delta":{"content":" word"}}],"pad":"`

// template is the frame as a chunk of the transfer encoding, and where the digits
// begin in it.
func template() (b []byte, at int) {
	frame := before + strings.Repeat("0", digits) + after
	frame += strings.Repeat("x", length-len(frame)-4) + "\"}\n\n"
	head := fmt.Sprintf("%x\r\n", len(frame))
	return []byte(head + frame + "\r\n"), len(head) + len(before)
}

// monotonic is the clock that all processes of the machine share.
func monotonic() int64 {
	var ts unix.Timespec
	unix.ClockGettime(unix.CLOCK_MONOTONIC, &ts)
	return ts.Nano()
}

// send serves one load: when all streams are there, frames go to them by the
// schedule.
func send(l load, lasts time.Duration) error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	scheme := "http"
	if l.TLS {
		// The test server's own certificate.
		s := httptest.NewUnstartedServer(http.NotFoundHandler())
		s.StartTLS()
		config := &tls.Config{Certificates: s.TLS.Certificates, NextProtos: []string{"http/1.1"}}
		s.Close()
		listener, scheme = tls.NewListener(listener, config), "https"
	}
	json.NewEncoder(os.Stdout).Encode(map[string]string{"Address": scheme + "://" + listener.Addr().String()})
	streams, err := accept(listener, l.Streams)
	if err != nil {
		return err
	}
	time.Sleep(300 * time.Millisecond)
	runtime.LockOSThread()
	sent, took := 0, time.Duration(0)
	frame, at := template()
	put := func(c net.Conn) error {
		t := monotonic()
		for i := digits - 1; i >= 0; i-- {
			frame[at+i] = byte('0' + t%10)
			t /= 10
		}
		sent++
		_, err := c.Write(frame)
		return err
	}
	start := time.Now()
	for due := time.Duration(0); due < lasts; {
		if ahead := due - time.Since(start); ahead > 0 {
			time.Sleep(ahead)
		}
		if l.Burst { // an engine's step: a frame to every stream, back to back
			for _, c := range streams {
				if err := put(c); err != nil {
					return err
				}
			}
			due += time.Duration(float64(time.Second) * float64(l.Streams) / float64(l.Rate))
			continue
		}
		if err := put(streams[rand.IntN(len(streams))]); err != nil {
			return err
		}
		due += time.Duration(rand.ExpFloat64() * float64(time.Second) / float64(l.Rate))
	}
	took = time.Since(start)
	for _, c := range streams {
		io.WriteString(c, "0\r\n\r\n")
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"Sent": sent, "Rate": float64(sent) / took.Seconds()})
}

// accept waits for the streams, and answers each with a head.
func accept(listener net.Listener, n int) ([]net.Conn, error) {
	var mu sync.Mutex
	var streams []net.Conn
	var all sync.WaitGroup
	var failed error
	for range n {
		c, err := listener.Accept()
		if err != nil {
			return nil, err
		}
		all.Go(func() {
			r, err := http.ReadRequest(bufio.NewReader(c))
			if err == nil {
				_, err = io.Copy(io.Discard, r.Body)
			}
			if err == nil {
				_, err = io.WriteString(c, "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n")
			}
			mu.Lock()
			defer mu.Unlock()
			streams = append(streams, c)
			if err != nil {
				failed = err
			}
		})
	}
	all.Wait()
	return streams, failed
}
