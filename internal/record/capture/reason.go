package capture

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
)

// End reasons of a request, as the column end_reason has them.
const (
	endEOF           = "eof"
	endUnexpectedEOF = "unexpected_eof"
	endReset         = "reset"
	endRefused       = "refused"
	endDNS           = "dns"
	endTLS           = "tls"
	endCancelled     = "cancelled"
	endLimit         = "limit"
	endConnect       = "timeout_connect"
)

// exhausted are the errors of a machine that has run out of something: the
// recorder's fault, not the provider's.
var exhausted = []error{syscall.EMFILE, syscall.ENFILE, syscall.ENOMEM, syscall.ENOBUFS, syscall.EADDRNOTAVAIL, errUnsendable}

var (
	errForward    = errors.New("the response could not be passed on")
	errUnsendable = errors.New("the request cannot be sent as it is")
)

// reason classifies the error that ended a request and puts it into words.
// ctx is the request's own.
func reason(ctx context.Context, err error) (end, text string) {
	if t := timedOut(ctx); t != nil {
		return t.reason, t.Error()
	}
	if errors.Is(context.Cause(ctx), errStarved) {
		return endLimit, errStarved.Error()
	}
	text = words(err)
	is := func(targets ...error) bool {
		for _, t := range targets {
			if errors.Is(err, t) {
				return true
			}
		}
		return false
	}
	var dns *net.DNSError
	var shake *handshakeError
	var op *net.OpError
	switch {
	case ctx.Err() != nil:
		return endCancelled, "cancelled"
	case is(exhausted...), isLimit(err):
		return endLimit, text
	case is(errForward):
		return endCancelled, text
	case errors.As(err, &dns):
		return endDNS, text
	case errors.As(err, &shake):
		return endTLS, text
	case is(syscall.ECONNREFUSED):
		return endRefused, text
	case errors.As(err, &op) && op.Op == "dial":
		if op.Timeout() || is(syscall.ETIMEDOUT) {
			return endConnect, text
		}
		return endRefused, text // unreachable, forbidden: nobody took the connection
	case resetCode(err) != nil, strings.HasPrefix(err.Error(), "http2: server sent GOAWAY"):
		return endReset, text
	case is(syscall.ECONNRESET, syscall.EPIPE, syscall.ECONNABORTED, syscall.ETIMEDOUT, net.ErrClosed, io.ErrClosedPipe):
		return endReset, text
	}
	// The end came too early, or what came was not HTTP: garbage where a
	// response or a chunk should begin.
	return endUnexpectedEOF, text
}

// words puts an error into words that name no address of this machine.
func words(err error) string {
	var dns *net.DNSError
	if errors.As(err, &dns) {
		return "lookup " + dns.Name + ": " + dns.Err
	}
	var shake *handshakeError
	if errors.As(err, &shake) {
		var verify *tls.CertificateVerificationError
		if errors.As(err, &verify) {
			return "tls handshake: " + verify.Err.Error()
		}
		return "tls handshake: " + words(shake.err)
	}
	var op *net.OpError
	if errors.As(err, &op) {
		var call *os.SyscallError
		if errors.As(op.Err, &call) {
			return op.Op + ": " + call.Err.Error()
		}
		if op.Err != nil {
			return op.Op + ": " + op.Err.Error()
		}
		return op.Op
	}
	return withoutQuotes(err.Error())
}

// withoutQuotes leaves out what an error quotes: net/http repeats the line that
// it could not read, which may be a cookie or an address with a password.
func withoutQuotes(text string) string {
	text, _, _ = strings.Cut(text, `"`)
	return strings.TrimRight(text, " :[")
}
