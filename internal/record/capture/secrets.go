package capture

import (
	"bytes"
	"encoding/json"
	"net/http"
	"net/url"
	"regexp"
	"strings"

	"aircheck/internal/kit/jsonscan"
	"aircheck/internal/wire/frame"
)

// Secrets are the credentials in use, which must not reach the disk: not even
// when a server repeats one in a header or an error. They are overwritten with
// asterisks, so that sizes and framing stay as they were. The zero value, and
// nil, hide nothing.
type Secrets struct {
	exact  *matcher // nil: nothing to hide
	folded *matcher // the same in lower case
}

// minSecret is the length from which a key counts as one. Placeholders that
// servers without keys are given ("ollama", "EMPTY") are words of ordinary text.
const minSecret = 8

// NewSecrets gathers keys, each in all its spellings. One of several parts
// (ACCESS:SECRET:SESSION) is hidden part by part.
func NewSecrets(keys ...string) *Secrets {
	var words, folded [][]byte
	seen := map[string]bool{}
	for _, key := range keys {
		for _, part := range append([]string{key}, strings.Split(key, ":")...) {
			if len(part) < minSecret {
				continue
			}
			for _, w := range spellings(part) {
				if len(w) >= minSecret && !seen[w] {
					seen[w] = true
					words, folded = append(words, []byte(w)), append(folded, lower([]byte(w)))
				}
			}
		}
	}
	if len(words) == 0 {
		return &Secrets{}
	}
	return &Secrets{exact: newMatcher(words), folded: newMatcher(folded)}
}

// None says that there is nothing to hide.
func (s *Secrets) None() bool { return s == nil || s.exact == nil }

// Bytes hides secrets in place.
func (s *Secrets) Bytes(p []byte) {
	if s.None() {
		return
	}
	at, size := s.exact.find(p, 0)
	if at < 0 {
		return
	}
	for ; at >= 0; at, size = s.exact.find(p, at+size) {
		hide(p[at : at+size])
	}
	frame.Reseal(p)
}

func hide(p []byte) {
	for i := range p {
		p[i] = '*'
	}
}

// Text gives a text without secrets, in whatever case: net/http writes the names
// of headers its own way.
func (s *Secrets) Text(text string) string {
	if s.None() {
		return text
	}
	folded := lower([]byte(text))
	at, size := s.folded.find(folded, 0)
	if at < 0 {
		return text
	}
	b := []byte(text)
	for ; at >= 0; at, size = s.folded.find(folded, at+size) {
		hide(b[at : at+size])
	}
	return string(b)
}

// In says whether a text holds a secret, in whatever case.
func (s *Secrets) In(text string) bool {
	if s.None() {
		return false
	}
	at, _ := s.folded.find(lower([]byte(text)), 0)
	return at >= 0
}

// lower turns ASCII letters only, so that places stay where they were.
func lower(p []byte) []byte {
	out := bytes.Clone(p)
	for i, c := range out {
		if 'A' <= c && c <= 'Z' {
			out[i] = c + 'a' - 'A'
		}
	}
	return out
}

// credentialHeaders carry credentials or identify a session; letters and digits
// of their names only.
var credentialHeaders = map[string]bool{
	"authorization": true, "proxyauthorization": true, "authenticationinfo": true, "proxyauthenticationinfo": true,
	"cookie": true, "setcookie": true, "setcookie2": true,
	"apikey": true, "xapikey": true, "xgoogapikey": true, "ocpapimsubscriptionkey": true,
	"xamzsecuritytoken": true, "xauthtoken": true, "xaccesstoken": true, "xcsrftoken": true,
}

// CredentialHeader says whether a header is one whose value is a secret. What is
// no letter and no digit does not count: servers write Set-Cookie and a space,
// or X_API_KEY.
func CredentialHeader(name string) bool {
	return credentialHeaders[squeezed(name)]
}

// squeezed is a name's letters and digits, in lower case.
func squeezed(name string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			return c
		case 'A' <= c && c <= 'Z':
			return c + 'a' - 'A'
		}
		return -1
	}, name)
}

// credentialMembers are members of JSON bodies whose values are secrets, beside
// those that are called like a header; letters and digits of their names only.
var credentialMembers = map[string]bool{
	"accesstoken": true, "authtoken": true, "bearertoken": true, "refreshtoken": true, "sessiontoken": true, "idtoken": true,
	"secret": true, "secretkey": true, "clientsecret": true, "apisecret": true, "password": true, "passwd": true,
	"awsaccesskeyid": true, "awssecretaccesskey": true, "awssessiontoken": true, "azureadtoken": true, "vertexcredentials": true, "privatekey": true,
}

// Body masks in place the credentials that stand as members of a JSON body: SDKs
// and proxies accept a key there, and tools that record bodies keep it.
func Body(body []byte) {
	jsonscan.Strings(body, func(p *jsonscan.Place, literal []byte) {
		if !CredentialHeader(p.Key) && !credentialMembers[squeezed(p.Key)] {
			return
		}
		for i := range literal {
			literal[i] = '*'
		}
	}, func(*jsonscan.Place, []byte) {})
}

// credentialName tells the names of query parameters that hold credentials.
var credentialName = regexp.MustCompile(`(?i)(key|token|sig|signature|secret|password|passwd|pwd|credential|credentials|auth|session)$`)

// CredentialName says whether a query parameter is one whose value is a secret.
func CredentialName(name string) bool {
	return credentialName.MatchString(name) || CredentialHeader(name)
}

// HeadersJSON is the head of a response as a JSON object of lists, without
// credentials.
func (s *Secrets) HeadersJSON(h http.Header) string {
	kept := make(http.Header, len(h))
	for name, values := range h {
		if CredentialHeader(name) {
			continue
		}
		if name == "Location" || name == "Content-Location" {
			values = withoutCredentials(values)
		}
		// Before JSON escapes anything.
		name = s.Text(name)
		for _, v := range values {
			kept[name] = append(kept[name], s.Text(userInfo.ReplaceAllString(v, "://")))
		}
	}
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(kept); err != nil {
		return "{}" // a map of strings always encodes
	}
	return strings.TrimSuffix(buf.String(), "\n")
}

// userInfo is the user name and password of any address in a text.
var userInfo = regexp.MustCompile(`://[^/?#\s"'<>]*@`)

// withoutCredentials drops user info and query of URLs: a redirect's may be signed.
func withoutCredentials(values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		u, err := url.Parse(v)
		if err != nil || u.Opaque != "" {
			continue
		}
		u.User, u.RawQuery, u.Fragment = nil, "", ""
		out[i] = u.String()
	}
	return out
}
