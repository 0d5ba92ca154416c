package proxy

import (
	"encoding/base64"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"aircheck/internal/record/capture"
)

// keys hold the credentials of callers, in the form in which they are looked for.
type keys struct {
	mu   sync.Mutex
	seen map[string]*capture.Secrets
}

// maxKeys is how many callers' keys are held ready; making one ready again takes
// little.
const maxKeys = 64

// of gives the secrets of a request: those of its headers and of its query.
func (k *keys) of(h http.Header, query url.Values) *capture.Secrets {
	var all []string
	for name, values := range h {
		if !capture.CredentialHeader(name) {
			continue
		}
		for _, v := range values {
			all = append(all, credentials(name, v)...)
		}
	}
	for name, values := range query {
		if capture.CredentialName(name) {
			all = append(all, values...)
		}
	}
	id := strings.Join(all, "\x00")
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.seen[id]
	if s == nil {
		if s = capture.NewSecrets(all...); len(k.seen) >= maxKeys || k.seen == nil {
			k.seen = map[string]*capture.Secrets{}
		}
		k.seen[id] = s
	}
	return s
}

// credentials are the secrets in the value of a header: what follows a scheme,
// both parts of Basic, the values of cookies.
func credentials(name, value string) []string {
	switch strings.ToLower(name) {
	case "cookie":
		var out []string
		for _, part := range strings.Split(value, ";") {
			_, v, _ := strings.Cut(part, "=")
			out = append(out, strings.Trim(v, ` "`))
		}
		return out
	case "authorization", "proxy-authorization":
		scheme, rest, ok := strings.Cut(value, " ")
		if !ok {
			return []string{value}
		}
		if strings.EqualFold(scheme, "Basic") {
			if plain, err := base64.StdEncoding.DecodeString(strings.TrimSpace(rest)); err == nil {
				return []string{rest, string(plain)}
			}
		}
		return []string{strings.TrimSpace(rest)}
	}
	return []string{value}
}
