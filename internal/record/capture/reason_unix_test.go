//go:build unix

package capture

import (
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// No file to open is the recorder's own fault.
func TestNoFilesLeft(t *testing.T) {
	s := serve(t, func(c *net.TCPConn, r *http.Request) { c.Write([]byte(head("Content-Length: 0"))) })
	var old syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_NOFILE, &old); err != nil {
		t.Skip(err)
	}
	defer syscall.Setrlimit(syscall.RLIMIT_NOFILE, &old)
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: 3, Max: old.Max}); err != nil {
		t.Skip(err)
	}
	row, _ := do(t, newClient(t, Options{}), s.url)
	if *row.EndReason != "limit" || !strings.Contains(*row.ErrorText, "too many open files") {
		t.Errorf("end %s: %s", *row.EndReason, *row.ErrorText)
	}
}
