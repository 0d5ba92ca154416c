package words

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// said collects every text that the report says: the literal arguments of Say
// and its kin in Go, of say in templates, and the headers and headings of the
// pages' queries.
func said(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		switch filepath.Ext(path) {
		case ".go":
			if filepath.Base(path) == "language.go" {
				return nil // it says needed
			}
			return saidInGo(path, all)
		case ".html":
			data, err := os.ReadFile(path)
			for _, m := range regexp.MustCompile(`\bsay ("(?:[^"\\]|\\.)*")`).FindAllStringSubmatch(string(data), -1) {
				text, _ := strconv.Unquote(m[1])
				all[text], formatted[text] = path, true
			}
			return err
		case ".sql":
			data, err := os.ReadFile(path)
			for _, m := range regexp.MustCompile(`(?m)^-- (?:title|sub|empty): (.*)$`).FindAllStringSubmatch(string(data), -1) {
				all[m[1]] = path
			}
			if filepath.Base(filepath.Dir(path)) == "pages" {
				for _, m := range regexp.MustCompile(`AS "([^"\[]*?) ?(?:\[\w+\])?"`).FindAllStringSubmatch(string(data), -1) {
					if m[1] != "" {
						all[m[1]] = path
					}
				}
			}
			return err
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// formatted are those with verbs, where a percent sign is written twice.
var formatted = map[string]bool{}

func saidInGo(path string, all map[string]string) error {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path, nil, 0)
	if err != nil {
		return err
	}
	literals := func(e ast.Expr) (out []string) {
		ast.Inspect(e, func(n ast.Node) bool {
			if l, ok := n.(*ast.BasicLit); ok && l.Kind == token.STRING {
				text, _ := strconv.Unquote(l.Value)
				out = append(out, text)
			}
			return true
		})
		return out
	}
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		name := ""
		switch f := call.Fun.(type) {
		case *ast.SelectorExpr:
			if x, ok := f.X.(*ast.Ident); ok && x.Name == "strings" {
				return true
			}
			name = f.Sel.Name
		case *ast.Ident:
			name = f.Name
		}
		at := fset.Position(call.Pos()).String()
		switch arg := func(i int) []string { return literals(call.Args[i]) }; {
		case name == "Say" && len(call.Args) > 0:
			for _, text := range arg(0) {
				all[text], formatted[text] = at, true
			}
		case (name == "Term" || name == "Later" || name == "joined") && len(call.Args) > 0:
			for _, text := range arg(0) {
				if !(name == "Term" && (text == "_" || text == " " || text == "-")) && text != "BCP 47" {
					all[text] = at
				}
			}
		case name == "SayAs" && len(call.Args) > 1:
			all[arg(1)[0]+" ¦"], formatted[arg(1)[0]] = at, true
		case name == "Count" && len(call.Args) == 2:
			for _, noun := range arg(1) {
				if noun != "" {
					all["%s "+noun] = at
				}
			}
		case name == "Date" && len(call.Args) == 2:
			all[arg(1)[0]] = at
		}
		return true
	})
	return nil
}

// needed are texts that are put together: units, and what data of ours say.
var needed = []string{"%s ms", "%s s", "%s min", "%s×", "%s tokens/s", "%s chars/s", "%s and %s", "%s, %s", "%s; %s", "%s %s", "%s."}

// Every sentence is in every language, with the verbs of the English one; and a
// file holds no other.
func TestEverySentenceIsInEveryLanguage(t *testing.T) {
	all := said(t)
	for _, n := range needed {
		all[n] = "needed"
	}
	verb := regexp.MustCompile(`%(?:\[(\d+)\])?[-+.0-9]*([a-zA-Z])`)
	for name, l := range languages {
		if l.texts == nil {
			continue
		}
		var missing []string
		for _, text := range slices.Sorted(maps.Keys(all)) {
			if kinds, found := strings.CutSuffix(text, " ¦"); found {
				if !slices.ContainsFunc(slices.Collect(maps.Keys(l.texts)), func(k string) bool { return strings.HasPrefix(k, kinds+" ¦ ") }) {
					missing = append(missing, text+"\t"+all[text])
				}
				continue
			}
			if _, ok := l.texts[text]; !ok {
				missing = append(missing, text+"\t"+all[text])
			}
		}
		if len(missing) > 0 {
			t.Errorf("languages/%s.txt lacks %d sentences; write each on a line and its translation, indented by a tab, on the next:\n%s", name, len(missing), strings.Join(missing, "\n"))
		}
		for english, text := range l.texts {
			said := all[english] != ""
			if base, _, found := strings.Cut(english, " ¦ "); found {
				said, english = all[base+" ¦"] != "", base
			}
			if strings.HasPrefix(english, "metric ") || english == "BCP 47" || l.words[english] {
				continue
			}
			if !said {
				t.Errorf("languages/%s.txt: nothing says %q", name, english)
			}
			want := verb.FindAllStringSubmatch(strings.ReplaceAll(english, "%%", ""), -1)
			if said && formatted[english] && strings.Contains(verb.ReplaceAllString(strings.ReplaceAll(text, "%%", ""), ""), "%") {
				t.Errorf("languages/%s.txt: %q: a single %%; write %%%%", name, text)
			}
			next := 0
			for _, m := range verb.FindAllStringSubmatch(strings.ReplaceAll(text, "%%", ""), -1) {
				if m[1] != "" {
					next, _ = strconv.Atoi(m[1])
					next--
				}
				if next >= len(want) || want[next][2] != m[2] {
					t.Errorf("languages/%s.txt: %q: verb %s has no match in %q", name, text, m[0], english)
					break
				}
				next++
			}
		}
	}
}

// What is said with verbs of one language comes out whole in each.
func TestSay(t *testing.T) {
	zh, err := LanguageFor("zh")
	if err != nil {
		t.Fatal(err)
	}
	en, _ := LanguageFor("en")
	for _, c := range [][2]string{
		{fmt.Sprint(zh.Millis(240), zh.Millis(1400), zh.Ratio(4.5)), "240 毫秒1.4 秒4.5 倍"},
		{plainText(zh.Names([]string{"A", "B", "C"})), "A、B 和 C"},
		{plainText(en.Names([]string{"A", "B", "C"})), "A, B and C"},
		{zh.Count(1440, "request"), "1,440 次请求"},
		{en.Count(1, "window"), "1 window"},
		{en.Name("a\x00\u202eb\xff"), "\u2068a␀\ufffdb\ufffd\u2069"},
		{zh.Clauses([]string{"甲", "乙"}), "甲；乙。"},
	} {
		if c[0] != c[1] {
			t.Errorf("%q, want %q", c[0], c[1])
		}
	}
	if _, err := LanguageFor("xx"); err == nil || !strings.Contains(err.Error(), "en, zh") {
		t.Errorf("an unknown language: %v", err)
	}
	if _, err := parseLanguage("one\nanother\n\tx"); err == nil {
		t.Error("a text without a translation is accepted")
	}
}

func plainText(s string) string {
	return strings.NewReplacer(firstIsolate, "", popIsolate, "").Replace(s)
}

// A language file holds each sentence once.
func TestEachSentenceOnce(t *testing.T) {
	entries, err := languageFiles.ReadDir("languages")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		data, _ := languageFiles.ReadFile("languages/" + e.Name())
		sentences, _, _ := strings.Cut(string(data), "\n## words\n")
		seen := map[string]bool{}
		for line := range strings.SplitSeq(sentences, "\n") {
			if line == "" || line[0] == '\t' || line[0] == '#' {
				continue
			}
			if seen[line] {
				t.Errorf("languages/%s: %q is there twice", e.Name(), line)
			}
			seen[line] = true
		}
	}
}

// A name of a megabyte shows its beginning and its length, and is cut between
// letters.
func TestNamesAreReadable(t *testing.T) {
	got := Visible(strings.Repeat("名", 1<<20))
	if !utf8.ValidString(got) || strings.ContainsRune(got, utf8.RuneError) || len(got) > longest+30 || !strings.HasSuffix(got, "… [3,145,728 B]") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	if got := Visible(strings.Repeat("a", longest)); len(got) != longest {
		t.Errorf("a name of %d bytes became %d", longest, len(got))
	}
}
