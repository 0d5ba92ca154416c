package page

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"aircheck/internal/report/words"
)

// Difference is a place where a published page says something else than the data
// beside it.
type Difference struct {
	Page, Near string // file, and the anchor before the place
	Says, Data string
}

// Checked is what a check of a site finds.
type Checked struct {
	Pages, Numbers int // compared
	Differences    []Difference
	Skipped        []string // pages that need the frames
	Foreign        []string // files that a report of these data does not have
	Tool           string   // that wrote the site
}

// ErrNoData says that a site has no data beside it to check it by.
var ErrNoData = errors.New("no " + sheetPath + ": the site was written without its data")

// EmptyFrames makes the tables of frames that a site without a proof lacks.
var EmptyFrames = map[string]string{
	"events": "CREATE TABLE events (request_id BIGINT, seq INTEGER, part INTEGER, kind VARCHAR, t_ns BIGINT, text_chars INTEGER, reasoning_chars INTEGER, tool_chars INTEGER);\n",
	"chunks": "CREATE TABLE chunks (request_id BIGINT, seq INTEGER, t_ns BIGINT, raw BLOB);\n",
}

// Check computes a published site again from the data beside it. Open makes a
// source of Parquet files, by the name of the view that each holds.
func Check(ctx context.Context, dir string, catalogue []View, open func(files map[string]string) (Source, error)) (*Checked, error) {
	text, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(sheetPath)))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoData
	}
	if err != nil {
		return nil, err
	}
	var s sheet
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, fmt.Errorf("%s: %w", sheetPath, err)
	}
	files := map[string]string{}
	for _, view := range s.Views {
		if besides(s.Data)[view] == "" && view != "events" && view != "chunks" {
			return nil, fmt.Errorf("%s: no view %q", sheetPath, view)
		}
		files[view] = filepath.Join(dir, "data", view+".parquet")
		if _, err := os.Stat(files[view]); err != nil {
			return nil, fmt.Errorf("%s lists it: %w", sheetPath, err)
		}
	}
	src, err := open(files)
	if err != nil {
		return nil, err
	}
	opt := Options{Publication: s.Publication, Data: s.Data, Pins: s.Pins, Baseline: s.Baseline, Catalogue: catalogue, Checksum: s.Checksum, Tool: s.Tool, LeftOut: s.LeftOut}
	for _, name := range words.LanguageNames() {
		if l, _ := words.LanguageFor(name); l.Tag == s.Language {
			opt.Language = l
		}
	}
	r, err := Build(ctx, src, opt)
	if err != nil {
		return nil, err
	}
	again, err := r.Site()
	if err != nil {
		return nil, err
	}
	out := &Checked{Tool: s.Tool, Skipped: fromFrames}
	known := map[string]bool{sheetPath: true, "edition.json": true}
	for _, f := range again {
		known[f.Path] = true
		if slices.Contains(fromFrames, f.Path) || !strings.HasSuffix(f.Path, ".html") && !strings.HasSuffix(f.Path, ".csv") {
			continue
		}
		published, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if errors.Is(err, fs.ErrNotExist) {
			out.Differences = append(out.Differences, Difference{Page: f.Path, Says: "no such file", Data: "a file"})
			continue
		}
		if err != nil {
			return nil, err
		}
		out.Pages++
		n, found := differences(f.Path, published, f.Data)
		out.Numbers, out.Differences = out.Numbers+n, append(out.Differences, found...)
	}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if rel = filepath.ToSlash(rel); !known[rel] {
			out.Foreign = append(out.Foreign, rel)
		}
		return err
	})
	return out, err
}

var (
	// pieces of a page that say something: text between tags, and the values of
	// attributes that are read out, shown, or draw.
	piece   = regexp.MustCompile(`(?s)<style>.*?</style>|<script>.*?</script>|\sid="([^"]*)"|\s(?:data-tip|title|aria-label|href|d|x|y|width|height|cx|cy|transform|points)="([^"]*)"|>([^<]+)<`)
	number_ = regexp.MustCompile(`\d[\d.,]*`)
)

// said is a piece with the anchor that it stands after.
type said struct{ text, near string }

func pieces(page []byte) (out []said) {
	near := ""
	rest := page
	for {
		m := piece.FindSubmatchIndex(rest)
		if m == nil {
			return out
		}
		end := m[1]
		switch {
		case m[2] >= 0:
			near = string(rest[m[2]:m[3]])
			out = append(out, said{"#" + near, near})
		case m[4] >= 0:
			out = append(out, said{string(rest[m[4]:m[5]]), near})
		case m[6] >= 0:
			if t := strings.Join(strings.Fields(html.UnescapeString(string(rest[m[6]:m[7]]))), " "); t != "" {
				out = append(out, said{t, near})
			}
			end-- // the next tag begins where the text ends
		}
		rest = rest[end:]
	}
}

// differences compares a published file with what its data give, piece by piece.
func differences(path string, published, data []byte) (numbers int, out []Difference) {
	var a, b []said
	if strings.HasSuffix(path, ".csv") {
		a, b = lines(published), lines(data)
	} else {
		a, b = pieces(published), pieces(data)
	}
	for _, p := range a {
		numbers += len(number_.FindAllString(p.text, -1))
	}
	if bytes.Equal(published, data) {
		return numbers, nil
	}
	for len(a) > 0 && len(b) > 0 {
		if a[0].text == b[0].text {
			a, b = a[1:], b[1:]
			continue
		}
		// The shortest way back to equal pieces: one changed, added or left out.
		i, j := meet(a, b)
		out = append(out, Difference{path, a[0].near, joined(a[:i]), joined(b[:j])})
		a, b = a[i:], b[j:]
	}
	if len(a)+len(b) > 0 {
		near := ""
		if len(a) > 0 {
			near = a[0].near
		}
		out = append(out, Difference{path, near, joined(a), joined(b)})
	}
	return numbers, out
}

// meet is how many pieces to skip on either side until both say the same again.
func meet(a, b []said) (int, int) {
	const far = 200
	for total := 1; total <= far; total++ {
		for i := 0; i <= min(total, len(a)-1); i++ {
			if j := total - i; j < len(b) && a[i].text == b[j].text {
				return i, j
			}
		}
	}
	return len(a), len(b)
}

func joined(all []said) string {
	var texts []string
	for _, s := range all[:min(len(all), 6)] {
		texts = append(texts, s.text)
	}
	return strings.Join(texts, " ")
}

func lines(data []byte) (out []said) {
	for i, line := range strings.Split(string(data), "\n") {
		out = append(out, said{line, fmt.Sprintf("line %d", i+1)})
	}
	return out
}
