package capture

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// Secrets are the credentials in use, which must not reach the disk: not even
// when a server repeats one in a header or an error. They are overwritten with
// asterisks, so that sizes and framing stay as they were.
type Secrets struct{ words [][]byte }

// minSecret is the length from which a key counts as one. Placeholders that
// servers without keys are given ("ollama", "EMPTY") are words of ordinary text.
const minSecret = 8

// NewSecrets gathers keys. One of several parts (ACCESS:SECRET:SESSION) is
// hidden part by part.
func NewSecrets(keys ...string) *Secrets {
	s := &Secrets{}
	seen := map[string]bool{}
	add := func(w string) {
		if len(w) >= minSecret && !seen[w] {
			seen[w] = true
			s.words = append(s.words, []byte(w))
		}
	}
	for _, key := range keys {
		for _, part := range append([]string{key}, strings.Split(key, ":")...) {
			add(part)
			add(url.QueryEscape(part))
			if quoted, err := json.Marshal(part); err == nil {
				add(string(quoted[1 : len(quoted)-1]))
			}
		}
	}
	return s
}

// Bytes hides secrets in place.
func (s *Secrets) Bytes(p []byte) {
	if s == nil {
		return
	}
	for _, w := range s.words {
		for rest := p; ; {
			i := bytes.Index(rest, w)
			if i < 0 {
				break
			}
			for j := range w {
				rest[i+j] = '*'
			}
			rest = rest[i+len(w):]
		}
	}
}

// Text gives a text without secrets.
func (s *Secrets) Text(text string) string {
	if s == nil || !s.In(text) {
		return text
	}
	b := []byte(text)
	s.Bytes(b)
	return string(b)
}

// In says whether a text holds a secret.
func (s *Secrets) In(text string) bool {
	for _, w := range s.words {
		if strings.Contains(text, string(w)) {
			return true
		}
	}
	return false
}

// credentialHeaders carry credentials or identify a session.
var credentialHeaders = map[string]bool{
	"Authorization": true, "Proxy-Authorization": true, "Authentication-Info": true, "Proxy-Authentication-Info": true,
	"Cookie": true, "Set-Cookie": true, "Set-Cookie2": true,
	"Api-Key": true, "Apikey": true, "X-Api-Key": true, "X-Goog-Api-Key": true, "Ocp-Apim-Subscription-Key": true,
	"X-Amz-Security-Token": true, "X-Auth-Token": true, "X-Access-Token": true, "X-Csrf-Token": true,
}

// CredentialHeader says whether a header is one whose value is a secret.
func CredentialHeader(name string) bool { return credentialHeaders[http.CanonicalHeaderKey(name)] }

// headersJSON is the head of a response as a JSON object of lists, without
// credentials.
func (s *Secrets) headersJSON(h http.Header) string {
	kept := make(http.Header, len(h))
	for name, values := range h {
		if CredentialHeader(name) {
			continue
		}
		if name == "Location" || name == "Content-Location" {
			values = withoutCredentials(values)
		}
		kept[name] = values
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(kept); err != nil {
		return "{}" // a map of strings always encodes
	}
	return s.Text(strings.TrimSuffix(buf.String(), "\n"))
}

// withoutCredentials drops user info and query of URLs: a redirect's may be signed.
func withoutCredentials(values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		u, err := url.Parse(v)
		if err != nil {
			continue
		}
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		out[i] = u.String()
	}
	return out
}
