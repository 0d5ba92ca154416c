package imports

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/record/imports/mapping"
)

// Auto stands for a format that is told by the content of each file.
const Auto = "auto"

// sample is as much of a file as its format is told by.
type sample struct {
	mapping.Sample
	head []byte // its first bytes, inflated
}

const sampleBytes = 256 << 10

// look takes a sample of a file.
func look(f *input.File) (*sample, error) {
	kind, err := mapping.Kind(f.Name, f.Path)
	if err != nil {
		return nil, err
	}
	s := &sample{Sample: mapping.Sample{Kind: kind}}
	in, err := input.Open(f.Path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s.head, err = io.ReadAll(io.LimitReader(in, sampleBytes))
	if err != nil {
		return nil, err
	}
	s.Docs, s.Broken = mapping.Shapes(kind, f.Path)
	return s, nil
}

// doc is the one document of a file, or the first of its lines.
func (s *sample) doc() any {
	if len(s.Docs) == 0 {
		return nil
	}
	return s.Docs[0]
}

// recognise tells the format of a file by its content. Where it fits none, or
// several, the error says so.
func recognise(f *input.File) (string, error) {
	s, err := look(f)
	if err != nil {
		return "", err
	}
	fits := s.formats()
	switch len(fits) {
	case 1:
		return fits[0], nil
	case 0:
		if what := s.ofTool(); what != "" {
			return "", &beside{what}
		}
		return "", &notThis{0, s.nothingKnown()}
	}
	return "", &notThis{0, "fits several formats, so name one: " + strings.Join(fits, ", ")}
}

// beside says that a file is none of results, but one that a tool writes beside
// them.
type beside struct{ what string }

func (e *beside) Error() string { return e.what }

func (s *sample) ofTool() string {
	for _, name := range presetNames() {
		if m, err := Preset(name); err == nil {
			if what := m.OfTool(&s.Sample); what != "" {
				return what
			}
		}
	}
	return ""
}

// formats lists what a file may be.
func (s *sample) formats() []string {
	var out []string
	if len(bytes.TrimSpace(s.head)) == 0 {
		return nil
	}
	for _, name := range presetNames() {
		m, err := Preset(name)
		if err == nil && m.Fits(&s.Sample) {
			out = append(out, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(chunkFormats)) {
		// The body of a response has no mark of its own: it is what nothing else is.
		if c := chunkFormats[name]; c.fits(s) && (name != "sse" || len(out) == 0) {
			out = append(out, name)
		}
	}
	return out
}

// nothingKnown says why a file is none of what is known.
func (s *sample) nothingKnown() string {
	var placed *jsonstream.Error
	switch {
	case len(bytes.TrimSpace(s.head)) == 0:
		return "empty"
	case bytes.HasPrefix(s.head, []byte("SQLite format 3\x00")):
		return "a SQLite database, which is not read: write its rows as JSON, such as by sqlite3 -json FILE 'SELECT * FROM result' for one of evalscope"
	case looksHTML(s.head):
		return "a web page, which fits no format"
	case s.Kind == "json" && errors.As(s.Broken, &placed) && s.doc() != nil && bytes.ContainsAny(s.head[:1], "{["):
		return fmt.Sprintf("fits no format, and is not JSON: line %d: %v", placed.Line, placed.Err)
	}
	if m, is := s.doc().(map[string]any); is && len(m) > 0 {
		names := slices.Sorted(maps.Keys(m))
		more := ""
		if len(names) > 6 {
			names, more = names[:6], ", ..."
		}
		return fmt.Sprintf("fits no format (it has %s%s): name its format, or describe it in a mapping file", strings.Join(names, ", "), more)
	}
	return fmt.Sprintf("fits no format: it begins with %q", clip(s.head))
}

// topKeys are the names at the outermost level of YAML, as far as the sample
// goes.
func (s *sample) topKeys() map[string]bool {
	keys := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(s.head))
	lines.Buffer(nil, len(s.head)+1)
	for lines.Scan() {
		key, _, ok := strings.Cut(lines.Text(), ":")
		if ok && key != "" && !strings.ContainsAny(key, " \t{[#-") {
			keys[strings.Trim(key, `"'`)] = true
		}
	}
	return keys
}

// has says whether the sample's document, JSON or YAML, has all these members.
func (s *sample) has(names ...string) bool {
	m, is := s.doc().(map[string]any)
	keys := map[string]bool{}
	if is {
		for k := range m {
			keys[k] = true
		}
	} else if s.Kind == "json" {
		keys = s.topKeys()
	}
	for _, n := range names {
		if !keys[n] {
			return false
		}
	}
	return true
}

func fitsHAR(s *sample) bool { return at(s.doc(), "log", "entries") != nil || s.harYAML() }

func (s *sample) harYAML() bool {
	_, is := s.doc().(map[string]any)
	return !is && s.has("log") && bytes.Contains(s.head, []byte("entries:"))
}

func fitsReads(s *sample) bool { return s.has("request", "chunks") }

func fitsCassette(s *sample) bool {
	switch {
	case bytes.HasPrefix(s.head, []byte("httprr trace v1\n")), bytes.HasPrefix(s.head, []byte(`{"version":"LLM_PROXY`)):
		return true
	case fitsHAR(s), fitsReads(s):
		return false
	}
	for _, members := range [][]string{{"interactions"}, {"http_interactions"}, {"requests", "responses"}, {"when", "then"}} {
		if s.has(members...) {
			return true
		}
	}
	// Pairs that a client library kept.
	doc := s.doc()
	return s.has("request", "response") && (at(doc, "request", "url") != nil || at(doc, "request", "endpoint") != nil || at(doc, "request", "body") != nil)
}

func fitsBody(s *sample) bool { return isBody(s.head, s.Kind == "csv" || s.Kind == "parquet") }
