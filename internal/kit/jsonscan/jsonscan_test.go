package jsonscan

import (
	"fmt"
	"strings"
	"testing"
)

func TestStrings(t *testing.T) {
	for doc, want := range map[string]string{
		`{"a":"x","b":{"c":["y",{"d":"z"}]},"e":1}`: "a[]=x | c[b c]=y | d[b c c]=z",
		`{"a" : "say \"hi\"", "cut": "off`:          `a[]=say \"hi\" | cut[]=off`,
		`["p", "q"`:                                 "[]=p | []=q",
		`data: {"a":"x"}`:                           "a[]=x",
		`}}]"a"`:                                    "[]=a",
		``:                                          "",
	} {
		var got []string
		Strings([]byte(doc), func(p *Place, literal []byte) {
			got = append(got, fmt.Sprintf("%s%v=%s", p.Key, p.above, literal))
		}, func(*Place, []byte) {})
		if s := strings.Join(got, " | "); s != want {
			t.Errorf("%s: got %s, want %s", doc, s, want)
		}
	}
}

func FuzzStrings(f *testing.F) {
	f.Add([]byte(`{"a":["b\\",{"c":"d"}]}`))
	f.Fuzz(func(t *testing.T, doc []byte) {
		size := len(doc)
		Strings(doc, func(p *Place, literal []byte) { size -= len(literal) }, func(p *Place, literal []byte) { size -= len(literal) })
		if size < 0 {
			t.Error("strings overlap")
		}
	})
}
