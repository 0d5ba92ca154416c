// Package s3test runs an S3-compatible server on loopback, versitygw over a
// folder, behind a proxy that misbehaves as services do.
package s3test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// Gateway is a server that runs until the test ends. Each counter says how many of
// the next requests for objects meet the fault.
type Gateway struct {
	Folder string // holds the bucket "traces"

	Busy atomic.Int32 // are answered 503
	Cut  atomic.Int32 // end in the middle of the body
	Slow atomic.Int32 // get their body in small pieces
	Puts atomic.Int32 // counts what was put

	refuse atomic.Pointer[func(*http.Request) string]
}

// Refuse has requests for objects refused with the code that f gives, as a service
// words what these credentials may not do or no longer do; "" lets one pass, and
// nil all.
func (g *Gateway) Refuse(f func(*http.Request) (code string)) {
	if f == nil {
		g.refuse.Store(nil)
		return
	}
	g.refuse.Store(&f)
}

// Start starts versitygw, which VERSITYGW names or the path holds, and sets the
// environment that the store reads. The test is skipped where there is none.
func Start(t *testing.T) *Gateway {
	t.Helper()
	program := os.Getenv("VERSITYGW")
	if program == "" {
		var err error
		if program, err = exec.LookPath("versitygw"); err != nil {
			t.Skip("no versitygw: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
		}
	}
	g := &Gateway{Folder: t.TempDir()}
	if err := os.Mkdir(filepath.Join(g.Folder, "traces"), 0o755); err != nil {
		t.Fatal(err)
	}
	address := free(t)
	cmd := exec.Command(program, "--port", address, "--region", "us-east-1", "posix", g.Folder)
	cmd.Env = append(os.Environ(), "ROOT_ACCESS_KEY=testkey", "ROOT_SECRET_KEY=testsecret")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill(); cmd.Wait() })
	for began := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			c.Close()
			break
		}
		if time.Since(began) > 30*time.Second {
			t.Fatal("versitygw does not listen")
		}
	}
	proxy := httptest.NewServer(g.proxy(address))
	t.Cleanup(proxy.Close)
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "testkey", "AWS_SECRET_ACCESS_KEY": "testsecret", "AWS_SESSION_TOKEN": "",
		"AWS_REGION": "us-east-1", "AWS_ENDPOINT_URL": proxy.URL, "AWS_ENDPOINT_URL_S3": "", "AWS_EC2_METADATA_DISABLED": "true", "AIRCHECK_CACHE": t.TempDir()} {
		t.Setenv(name, value)
	}
	return g
}

func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

func (g *Gateway) proxy(address string) http.Handler {
	to := &url.URL{Scheme: "http", Host: address}
	forward := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		r.Out.Host = r.In.Host // it is signed
	}}
	take := func(n *atomic.Int32) bool {
		for {
			left := n.Load()
			if left <= 0 {
				return false
			}
			if n.CompareAndSwap(left, left-1) {
				return true
			}
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		object := strings.Count(strings.Trim(r.URL.Path, "/"), "/") > 0
		if object && r.Method == http.MethodPut {
			g.Puts.Add(1)
		}
		if f := g.refuse.Load(); f != nil && object {
			if code := (*f)(r); code != "" {
				io.Copy(io.Discard, r.Body)
				w.Header().Set("Content-Type", "application/xml")
				w.WriteHeader(http.StatusForbidden)
				fmt.Fprintf(w, `<Error><Code>%s</Code><Message>refused</Message></Error>`, code)
				return
			}
		}
		switch {
		case take(&g.Busy):
			io.Copy(io.Discard, r.Body)
			w.Header().Set("Content-Type", "application/xml")
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `<Error><Code>SlowDown</Code><Message>please reduce your request rate</Message></Error>`)
		case object && r.Method == http.MethodGet && take(&g.Cut):
			forward.ServeHTTP(&cutting{ResponseWriter: w}, r)
		case object && r.Method == http.MethodGet && take(&g.Slow):
			forward.ServeHTTP(&dripping{w}, r)
		default:
			forward.ServeHTTP(w, r)
		}
	})
}

// cutting breaks the connection off in the middle of the body.
type cutting struct {
	http.ResponseWriter
}

func (c *cutting) Write(p []byte) (int, error) {
	half := len(p) / 2
	c.ResponseWriter.Write(p[:half])
	c.ResponseWriter.(http.Flusher).Flush()
	panic(http.ErrAbortHandler)
}

// dripping sends a body in pieces.
type dripping struct{ http.ResponseWriter }

func (d *dripping) Write(p []byte) (n int, err error) {
	for len(p) > 0 && err == nil {
		var m int
		m, err = d.ResponseWriter.Write(p[:min(len(p), 16<<10)])
		d.ResponseWriter.(http.Flusher).Flush()
		n, p = n+m, p[m:]
		time.Sleep(time.Millisecond)
	}
	return n, err
}
