package page

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aircheck/internal/report/words"
)

// editionsGenerator marks the index of editions, which no report replaces.
const editionsGenerator = `<meta name="generator" content="aircheck editions">`

// latest is the directory of the newest edition.
const latest = "latest"

// edition is what the index says of one, kept beside it as edition.json.
type edition struct {
	Name     string `json:"name"`
	Title    string `json:"title"`
	Kicker   string `json:"about"`
	Last     string `json:"last"` // day of the last request
	Checksum string `json:"checksum"`
}

var editionName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// ErrFrozen says that an edition stands and is another one.
type ErrFrozen struct{ Dir string }

func (e *ErrFrozen) Error() string {
	return e.Dir + ": this edition stands, and holds other numbers: an edition is never changed"
}

// CheckEdition says whether an edition of that name may be written to dir, which
// is new, empty, or holds editions.
func CheckEdition(dir, name string) error {
	if !editionName.MatchString(name) || name == latest || strings.HasSuffix(name, ".html") {
		return &ErrKind{name, "no name of an edition: want letters, digits, dots and hyphens, and not " + latest}
	}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	index, err := os.ReadFile(filepath.Join(dir, "index.html"))
	switch head := index[:min(len(index), 4096)]; {
	case err != nil:
		return &ErrForeign{dir}
	case bytes.Contains(head, []byte(editionsGenerator)):
		return nil
	case bytes.Contains(head, []byte(generator)):
		return &ErrKind{dir, "one report, and no folder of editions: name another folder"}
	}
	return &ErrForeign{dir}
}

// WriteEdition writes a report as dir/NAME, which is frozen from then on, and as
// dir/latest, with an index of all editions. The same edition again changes
// nothing.
func (r *Report) WriteEdition(dir, name string) (int, error) {
	if err := CheckEdition(dir, name); err != nil {
		return 0, err
	}
	files, err := r.Site()
	if err != nil {
		return 0, err
	}
	e := edition{Name: name, Title: plain(r.options.Title), Kicker: plain(r.kicker), Last: r.last, Checksum: r.citation.Checksum}
	data, err := json.MarshalIndent(e, "", "  ")
	if err != nil {
		return 0, err
	}
	files = append(files, File{"edition.json", append(data, '\n')})
	frozen := filepath.Join(dir, name)
	if old, err := readEdition(frozen); err == nil {
		if old.Checksum != e.Checksum {
			return 0, &ErrFrozen{frozen}
		}
	} else if err := WriteSite(frozen, files); err != nil {
		return 0, err
	}
	if err := WriteSite(filepath.Join(dir, latest), files); err != nil {
		return 0, err
	}
	index, err := editionsIndex(r.options.Language, dir)
	if err != nil {
		return 0, err
	}
	return len(files), WriteSingle(filepath.Join(dir, "index.html"), index)
}

func readEdition(dir string) (edition, error) {
	var e edition
	data, err := os.ReadFile(filepath.Join(dir, "edition.json"))
	if err != nil {
		return e, err
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return e, fmt.Errorf("%s: edition.json: %w", dir, err)
	}
	return e, nil
}

// editionsIndex lists the editions in a directory, the one with the newest data
// first.
func editionsIndex(l *words.Language, dir string) ([]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []edition
	for _, at := range entries {
		if at.Name() == latest || !at.IsDir() || !editionName.MatchString(at.Name()) {
			continue
		}
		e, err := readEdition(filepath.Join(dir, at.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		e.Name = at.Name() // the link leads there, whatever the file says
		all = append(all, e)
	}
	slices.SortFunc(all, func(a, b edition) int { return cmp.Or(cmp.Compare(b.Last, a.Last), cmp.Compare(b.Name, a.Name)) })
	var out bytes.Buffer
	err = template.Must(templates.Clone()).Funcs(functions(l)).ExecuteTemplate(&out, "editions.html", map[string]any{
		"Lang": l.Tag, "Generator": template.HTML(editionsGenerator), "CSS": template.CSS(styleSheet), "Icon": template.HTML(icon), "All": all,
		"CSP": template.HTMLAttr(`content="default-src 'none'; img-src data:; style-src ` + digest(styleSheet) + `; base-uri 'none'; form-action 'none'"`),
	})
	return out.Bytes(), err
}
