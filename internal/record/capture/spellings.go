package capture

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
)

// spellings are the ways in which a key may stand in a text: as it is, as JSON
// escapes it, in base64 at any of three places, and in percent-encoding.
func spellings(key string) []string {
	out := []string{key, url.QueryEscape(key), url.PathEscape(key)}
	for _, html := range []bool{false, true} {
		var buf strings.Builder
		enc := json.NewEncoder(&buf)
		enc.SetEscapeHTML(html)
		if enc.Encode(key) == nil {
			quoted := buf.String()[1 : buf.Len()-2] // without its quotes and the end of the line
			out = append(out, quoted, strings.ReplaceAll(quoted, "/", `\/`))
		}
	}
	for _, format := range []string{"%%%02X", "%%%02x"} {
		var some, all strings.Builder
		for i := range len(key) {
			c := key[i]
			fmt.Fprintf(&all, format, c)
			if url.QueryEscape(string(rune(c))) == string(rune(c)) {
				some.WriteByte(c)
			} else {
				fmt.Fprintf(&some, format, c)
			}
		}
		out = append(out, some.String(), all.String())
	}
	for _, coding := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		for shift := range 3 {
			out = append(out, base64Within(coding, key, shift))
		}
	}
	return out
}

// base64Within is the part of a base64 text that a key alone decides, when it
// begins so many bytes after a group of three: what stands before and after it
// shares the characters at its ends.
func base64Within(coding *base64.Encoding, key string, shift int) string {
	text := coding.EncodeToString(append(make([]byte, shift), key...))
	return text[(8*shift+5)/6 : 8*(shift+len(key))/6]
}
