package imports

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/record/imports/ledger"
	"aircheck/internal/tools/corpus"
	"aircheck/schema"
)

var update = flag.Bool("update", false, "write the golden tables again")

// Every file of the collection, with no format named: what it is taken for and
// what of it is taken, or the reason why not.
func TestGoldenCounts(t *testing.T) {
	for _, part := range []string{"history", "streams"} {
		root := filepath.Join(corpus.Dir(t), part)
		var table bytes.Buffer
		w := &table
		fmt.Fprintln(w, "file\tformat\trows\tframes\tfirst tokens\tgaps\tends\tstarts\tin\tout\tfailed\twords")
		dir, set := filepath.Join(t.TempDir(), "to"), Declared{}
		if part == "streams" {
			set.Provider = "p" // bodies of responses name none
		}
		res := importFiles(t, Options{Files: []string{root}, To: dir, Set: set})
		rows, _ := load(t, dir)
		frames := framesOf(t, dir)
		// Rows of a format stand in the order of its files.
		byFormat := map[string][]schema.Request{}
		for _, q := range rows {
			byFormat[q.Origin] = append(byFormat[q.Origin], q)
		}
		var said []string
		for _, f := range res.Files {
			origin := "imported:" + f.Format
			mine := byFormat[origin][:f.Rows]
			byFormat[origin] = byFormat[origin][f.Rows:]
			said = append(said, f.Name+"\t"+counted(f, mine, frames))
		}
		for _, k := range res.Known {
			said = append(said, k.File+"\t-\t0\t0\t0\t0\t0\t0\t0\t0\t0\tthe same file as another one")
		}
		for _, name := range res.Other {
			said = append(said, name+"\t-\t0\t0\t0\t0\t0\t0\t0\t0\t0\tof no known format")
		}
		slices.Sort(said)
		for _, l := range said {
			fmt.Fprintln(w, l)
		}
		golden := filepath.Join("testdata", part+".tsv")
		if *update {
			if err := os.WriteFile(golden, table.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(golden)
		if err != nil {
			t.Fatal(err)
		}
		got, lines := strings.Split(table.String(), "\n"), strings.Split(string(want), "\n")
		if len(got) != len(lines) {
			t.Errorf("%s: %d lines, want %d", golden, len(got), len(lines))
		}
		for i := range min(len(got), len(lines)) {
			if got[i] != lines[i] {
				t.Errorf("%s:%d:\n got %s\nwant %s", golden, i+1, got[i], lines[i])
			}
		}
	}
}

func framesOf(t *testing.T, dir string) map[int64]int {
	d, err := schema.OpenDataset(dir)
	if err != nil {
		t.Fatal(err)
	}
	runs, err := d.Runs()
	if err != nil {
		t.Fatal(err)
	}
	out := map[int64]int{}
	for _, run := range runs {
		if err := d.EachResponse(t.Context(), run, func(id int64, frames []schema.Chunk) error { out[id] = len(frames); return nil }); err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// counted tells what came of one file.
func counted(f *ledger.File, rows []schema.Request, framesOf map[int64]int) string {
	var frames, ttft, gaps, ends, starts, failed int
	var in, out int64
	for _, q := range rows {
		frames += framesOf[q.RequestID]
		if q.ReportedTTFTNs != nil {
			ttft++
		}
		gaps += len(q.ReportedGapsNs)
		if q.EndNs != nil {
			ends++
		}
		if q.StartedAtNs != nil {
			starts++
		}
		if q.ReportedInputTokens != nil {
			in += *q.ReportedInputTokens
		}
		if q.ReportedOutputTokens != nil {
			out += *q.ReportedOutputTokens
		}
		if q.ReportedError != nil {
			failed++
		}
	}
	var words []string
	for _, fault := range f.Faults {
		words = append(words, strings.TrimPrefix(fault.String(), f.Name+":"))
	}
	one := &Result{Files: []*ledger.File{f}}
	for _, c := range one.Skipped() {
		words = append(words, fmt.Sprintf("%d left out: %s", c.N, c.Reason))
	}
	for _, c := range one.Nulled() {
		words = append(words, fmt.Sprintf("%d no value: %s", c.N, c.Reason))
	}
	for _, c := range one.Doubted() {
		words = append(words, fmt.Sprintf("%d in doubt: %s", c.N, c.Reason))
	}
	if f.Repeats > 0 {
		words = append(words, fmt.Sprintf("%d repeats", f.Repeats))
	}
	format := f.Format
	if format == "" {
		format = "-"
	}
	return fmt.Sprintf("%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%d\t%s", format, len(rows), frames, ttft, gaps, ends, starts, in, out, failed, strings.Join(words, "; "))
}
