package corpus_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/record/imports"
	"aircheck/internal/record/imports/ledger"
	"aircheck/internal/tools/corpus"
)

// scratch is removed when all tests are over.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "aircheck-corpus-"); err != nil {
		panic(err)
	}
	status := m.Run()
	os.RemoveAll(scratch)
	os.Exit(status)
}

// dataset is every recording of streams in one dataset, built once.
type dataset struct {
	dir   string // of the dataset
	files []*file
	*build.Reader
}

// file is what became of one recording.
type file struct {
	corpus.Stream
	name    string // of the table of all files
	sameAs  string // another file with the same bytes, which stands for it
	account *ledger.File
}

// call is one request of the dataset.
type call struct {
	file *file
	n    int // within the file
}

var imported struct {
	once  sync.Once
	ds    *dataset
	calls map[string]map[int]call // run → order in it
	err   error
}

func open(t *testing.T) *dataset {
	t.Helper()
	dir, streams := corpus.Streams(t)
	imported.once.Do(func() { imported.err = load(dir, streams) })
	if imported.err != nil {
		t.Fatal(imported.err)
	}
	return imported.ds
}

// load imports and builds. One run a format; the same file is imported once.
func load(dir string, streams []corpus.Stream) error {
	ds := &dataset{dir: filepath.Join(scratch, "traces")}
	byFormat := map[string][]*file{}
	byHash := map[[sha256.Size]byte]*file{}
	for _, s := range streams {
		f := &file{Stream: s, name: strings.TrimPrefix(s.File, "streams/")}
		ds.files = append(ds.files, f)
		body, err := os.ReadFile(s.Path(dir))
		if err != nil {
			return err
		}
		sum := sha256.Sum256(body)
		if other := byHash[sum]; other != nil {
			f.sameAs = other.name
			continue
		}
		byHash[sum] = f
		byFormat[s.Format()] = append(byFormat[s.Format()], f)
	}
	imported.calls = map[string]map[int]call{}
	ctx := context.Background()
	for _, format := range []string{"sse", "reads", "har", "vcr"} {
		files := byFormat[format]
		opt := imports.Options{Format: format, To: ds.dir, Set: imports.Declared{Provider: "collection", Model: "any"}}
		for _, f := range files {
			opt.Files = append(opt.Files, f.Path(dir))
		}
		res, err := imports.Import(ctx, opt)
		if err != nil {
			return err
		}
		var faults []error
		for _, f := range res.Faults() {
			if refused(f.File) {
				continue
			}
			faults = append(faults, errors.New(f.String()))
		}
		if len(faults) > 0 {
			return errors.Join(faults...)
		}
		byOrder := map[int]call{}
		for i, account := range res.Files {
			files[i].account = account
			for n := range account.Rows {
				byOrder[len(byOrder)] = call{files[i], n}
			}
		}
		imported.calls[res.Runs[0].RunID] = byOrder
	}
	var err error
	ds.Reader, err = build.Open(ctx, build.Options{Dir: ds.dir})
	imported.ds = ds
	return err
}

// refused says whether a recording holds no answer of a model: it is invalid on
// purpose, or in a dialect that is not read.
func refused(file string) bool {
	return strings.HasSuffix(file, "streaming-failure-invalid-json.txt") || strings.HasSuffix(file, "openai-realtime-speech-translation.chunks.txt")
}

// rows gives a query's rows with the call that each is about: its first two
// columns are run_id and order_index.
func (ds *dataset) rows(t *testing.T, query string, row func(c call, values []any)) {
	t.Helper()
	table, err := duck.Query(t.Context(), ds, "query", query)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table.Rows {
		c, ok := imported.calls[r[0].(string)][int(r[1].(int32))]
		if !ok {
			t.Fatalf("no file of run %v, request %v", r[0], r[1])
		}
		row(c, r[2:])
	}
}
