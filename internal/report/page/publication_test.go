package page

import (
	"strings"
	"testing"

	"aircheck/internal/report/words"
)

// A citation's checksum changes with each thing that it pins, and with nothing
// else; hostile texts stay texts in each of its forms.
func TestCitation(t *testing.T) {
	en, _ := words.LanguageFor("en")
	zh, _ := words.LanguageFor("zh")
	seen := map[string]bool{}
	for _, c := range []struct {
		l   *words.Language
		opt Options
	}{
		{en, Options{}}, {zh, Options{}}, {en, Options{Checksum: "sha256:1"}}, {en, Options{Checksum: "sha256:2"}}, {en, Options{Tool: "aircheck 2"}},
		{en, Options{Publication: Publication{Title: "T"}}}, {en, Options{Publication: Publication{Author: "T"}}}, {en, Options{Publication: Publication{Edition: "T"}}},
		{en, Options{Pins: []Pin{{"prices", "sha256:1"}}}}, {en, Options{Pins: []Pin{{"prices", "sha256:2"}}}},
	} {
		sum := newCitation(c.l, c.opt, "", scope{}).Checksum
		if seen[sum] {
			t.Errorf("%+v shares its checksum", c.opt)
		}
		seen[sum] = true
	}
	c := newCitation(en, Options{Publication: Publication{Title: "a\"\n: b} % c", Author: "- x"}}, "k", scope{})
	if strings.Count(c.CFF, "\n") != 10 || !strings.Contains(c.CFF, `title: "a\"␊: b} % c"`) {
		t.Errorf("CITATION.cff:\n%s", c.CFF)
	}
	if !strings.Contains(c.BibTeX, `{{a"␊: b\} \% c}}`) {
		t.Errorf("BibTeX:\n%s", c.BibTeX)
	}
}
