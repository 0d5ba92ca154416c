package decode

import (
	"encoding/json"
	"regexp"
	"testing"
)

var contentTypeField = regexp.MustCompile(`(?i)"content-type"\s*:\s*\[?\s*("(?:[^"\\]|\\.)*")`)

// The header is found as a regular expression finds it.
func TestContentType(t *testing.T) {
	for _, headers := range []string{
		``, `{}`, `{"Date":["x"]}`, `{"Content-Type":["text/event-stream; charset=utf-8"]}`, `{"a":"b","content-type" : "application/json"}`,
		`{"CONTENT-TYPE":[ "a\"b\\" ]}`, `{"content-type":[]}`, `{"x-content-type":["no"]}`, `{"a":["content-type"],"Content-Type":["yes"]}`,
		`{"content-type":null,"Content-Type":["later"]}`, `{"content-type":"open`, `"content-type`, `{"content-type":["\ud83d"]}`,
	} {
		want := ""
		if m := contentTypeField.FindStringSubmatch(headers); m != nil && json.Unmarshal([]byte(m[1]), &want) != nil {
			want = ""
		}
		if got := contentType(headers); got != want {
			t.Errorf("%s: %q, want %q", headers, got, want)
		}
	}
}
