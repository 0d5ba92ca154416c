package scrub

import (
	"crypto/hmac"
	"crypto/sha256"
	"regexp"
	"slices"
	"strings"
)

// identity hides who and where. The same name gives the same hash everywhere in
// one copy; the key that the hashes hang on is drawn for the copy and kept
// nowhere, so that they tell nothing of the names.
type identity struct {
	key     []byte
	aliases map[string]string // provider → alias
	names   *regexp.Regexp    // providers that have one, and words of their hosts
}

// newIdentity: providers with their aliases, and further words (hosts and the
// like) that tell who they are.
func newIdentity(key []byte, aliases map[string]string, words []string) *identity {
	id := &identity{key: key, aliases: aliases}
	var list []string
	add := func(w string) {
		if w = strings.ToLower(w); len(w) >= 3 && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	for provider := range aliases {
		add(provider)
		add(strings.ReplaceAll(provider, "-", ""))
		add(strings.ReplaceAll(provider, "-", "_"))
	}
	for _, w := range words {
		add(w)
	}
	if len(list) == 0 {
		return id
	}
	slices.SortFunc(list, func(a, b string) int { return len(b) - len(a) })
	for i, w := range list {
		list[i] = regexp.QuoteMeta(w)
	}
	id.names = regexp.MustCompile("(?i)" + strings.Join(list, "|"))
	return id
}

func (id *identity) provider(name string) string {
	if alias, ok := id.aliases[name]; ok {
		return alias
	}
	return name
}

// token is letters and digits in place of an id: as many, and the same for the
// same id. A word of the dialects that leads it, such as chatcmpl-, stays.
func (id *identity) token(value []byte) []byte {
	out := slices.Clone(value)
	from := 0
	if i := strings.IndexAny(string(value), "-_"); i > 0 && idKinds[string(value[:i])] {
		from = i + 1
	}
	mac := hmac.New(sha256.New, id.key)
	mac.Write(value)
	sum := mac.Sum(nil)
	for i, n := from, 0; i < len(out); i++ {
		c := out[i]
		if c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
			if n > 0 && n%len(sum) == 0 {
				mac.Write(sum)
				sum = mac.Sum(nil)
			}
			out[i] = "0123456789abcdef"[sum[n%len(sum)]&15]
			n++
		} else if c >= 0x80 {
			continue
		}
	}
	return out
}

var idKinds = map[string]bool{
	"chatcmpl": true, "cmpl": true, "msg": true, "resp": true, "call": true, "toolu": true, "gen": true, "req": true, "rs": true, "fc": true,
	"item": true, "run": true, "thread": true, "ws": true, "fp": true, "evt": true, "event": true, "srvtoolu": true, "chatcompl": true,
}

// telling are the forms in which words of an error tell who, where, or by which
// key.
var telling = regexp.MustCompile(`(?i)\b[a-z]+://[^\s"'<>\\]+|[\w.+-]+@[\w-]+\.[\w.-]+|\b(?:[a-z0-9-]+\.)+(?:com|ai|io|net|org|dev|cloud|run|xyz|co|cn|app|us|eu|sh)\b|\b(?:sk|pk|org|proj|project|acct|account|user|key|req|request|gsk|xai|rk)[-_][\w-]{6,}|\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{12,}|\b(?:\d{1,3}\.){3}\d{1,3}\b|\b\w*\d\w*\d\w*\d\w*\d\w*\d\w*\d\w*\b`)

// hide masks in place what tells who, where and by which key; words of errors
// stay, since outcomes are told by them.
func (id *identity) hide(text []byte) {
	mask := func(re *regexp.Regexp) {
		if re == nil {
			return
		}
		for _, m := range re.FindAllIndex(text, -1) {
			for i := m[0]; i < m[1]; i++ {
				if c := text[i]; c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' {
					text[i] = 'x'
				}
			}
		}
	}
	mask(telling)
	mask(id.names)
}

// word masks the names of providers in a word that stays otherwise, such as a
// model's id.
func (id *identity) word(text []byte) {
	if id.names == nil {
		return
	}
	for _, m := range id.names.FindAllIndex(text, -1) {
		copy(text[m[0]:m[1]], id.token(slices.Clone([]byte(strings.ToLower(string(text[m[0]:m[1]]))))))
	}
}
