package queries_test

import (
	"context"
	"strings"
	"sync"
	"testing"

	"aircheck/internal/analyze/build"
	"aircheck/internal/tools/sqltest"
	"aircheck/queries"
)

func TestSQL(t *testing.T) { sqltest.Run(t, "testdata") }

// catalogue is the schema of all files, which takes a second to load.
var catalogue = sync.OnceValues(func() (*build.Schema, error) { return build.LoadSchema(context.Background()) })

// Each file loads with only what it declares that it needs: LoadSchema does it.
func TestEachFileLoadsWithWhatItNeeds(t *testing.T) {
	if _, err := catalogue(); err != nil {
		t.Fatal(err)
	}
}

func TestNoFileNeedsAHigherTier(t *testing.T) {
	files, err := queries.Files()
	if err != nil {
		t.Fatal(err)
	}
	tier := map[string]int{}
	for _, f := range files {
		if f.Place() < 0 {
			t.Errorf("queries/%s: its folder is not listed", f.Path)
		}
		tier[f.Name] = f.Tier()
	}
	for _, f := range files {
		for _, need := range f.Needs {
			if at, isFile := tier[need]; isFile && at > tier[f.Name] {
				t.Errorf("queries/%s needs %s of the tier above", f.Path, need)
			}
		}
	}
}

func TestFilesOnlyDefine(t *testing.T) {
	files, err := queries.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		for statement := range strings.SplitSeq(withoutComments(f.SQL), ";") {
			s := strings.ToUpper(strings.TrimSpace(statement))
			ok := s == ""
			for _, allowed := range []string{"CREATE OR REPLACE VIEW ", "CREATE OR REPLACE MACRO ", "COMMENT ON "} {
				ok = ok || strings.HasPrefix(s, allowed)
			}
			if !ok {
				t.Errorf("queries/%s: a file only defines, this does not: %.60s", f.Path, s)
			}
		}
	}
}

// withoutComments drops comments and string contents, so that a semicolon in
// one ends no statement.
func withoutComments(sql string) string {
	var b strings.Builder
	for i := 0; i < len(sql); i++ {
		switch {
		case strings.HasPrefix(sql[i:], "--"):
			n := strings.IndexByte(sql[i:], '\n')
			if n < 0 {
				return b.String()
			}
			i += n
		case sql[i] == '\'':
			n := strings.IndexByte(sql[i+1:], '\'')
			i += n + 1
			b.WriteString("''")
			continue
		}
		b.WriteByte(sql[i])
	}
	return b.String()
}

// Every public view and each of its columns says what it means.
func TestEveryPublicColumnIsExplained(t *testing.T) {
	s, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range s.Public() {
		if len(s.Columns(f.Name)) == 0 {
			continue // macros
		}
		doc := s.Doc(f.Name)
		if doc.Comment == "" {
			t.Errorf("queries/%s: no COMMENT ON VIEW %s", f.Path, f.Name)
		}
		for _, c := range s.Columns(f.Name) {
			if doc.Columns[c.Name] == "" {
				t.Errorf("queries/%s: no COMMENT ON COLUMN %s.%s", f.Path, f.Name, c.Name)
			}
		}
	}
}

// A definition is a file without its comments: none is left, and nothing else
// goes.
func TestDefinitionsHaveNoComments(t *testing.T) {
	files, err := queries.Files()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		statements := strings.Count(f.SQL, "\nCREATE ") - strings.Count(f.Definition(), "\nCREATE ")
		if strings.Contains(f.Definition(), "COMMENT ON") || statements != 0 || !strings.HasSuffix(strings.TrimSpace(f.Definition()), ";") {
			t.Errorf("%s: %d statements lost, or comments left:\n%s", f.Path, statements, f.Definition())
		}
	}
}
