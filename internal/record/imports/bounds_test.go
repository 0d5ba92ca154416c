package imports

import (
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/imports/mapping"
)

// What a file makes of memory and time is bounded, and the bound is named; the
// files beside it are imported.
func TestBounds(t *testing.T) {
	dir := t.TempDir()
	file := func(name string, write func(*os.File)) string {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		write(f)
		return f.Name()
	}
	text := func(s string) func(*os.File) { return func(f *os.File) { f.WriteString(s) } }
	long := func(w interface{ Write([]byte) (int, error) }, head, tail string, n int) {
		w.Write([]byte(head))
		piece := []byte(strings.Repeat("x", 1<<20))
		for range n {
			w.Write(piece)
		}
		w.Write([]byte(tail))
	}
	var bomb strings.Builder
	bomb.WriteString("a0: &a0 [x, x, x, x, x, x, x, x, x]\n")
	for i := range 12 {
		n, m := string(rune('a'+i)), string(rune('a'+i+1))
		bomb.WriteString(m + "0: &" + m + "0 [" + strings.TrimSuffix(strings.Repeat("*"+n+"0, ", 9), ", ") + "]\n")
	}
	bomb.WriteString("interactions: *m0\n")
	good := file("good.jsonl", text("{\"p\":\"a\",\"m\":\"x\",\"t\":1}\n"))
	m, err := mapping.Parse([]byte("name: own\nfields:\n  provider: p\n  model: m\n  reported_ttft_ns: {path: t, unit: s}\n"), "own.yaml")
	if err != nil {
		t.Fatal(err)
	}
	gz := func(w func(*gzip.Writer)) func(*os.File) {
		return func(f *os.File) { z, _ := gzip.NewWriterLevel(f, 1); w(z); z.Close() }
	}
	const mib = limits.ImportRecord >> 20
	for _, c := range []struct{ format, file, want string }{
		{Table, file("line.jsonl.gz", gz(func(z *gzip.Writer) { long(z, `{"p":"`, "\"}\n{\"p\":\"b\",\"m\":\"x\"}\n", mib+2) })), "line.jsonl.gz:1: a line of more than 64 MiB"},
		{Table, file("record.json.gz", gz(func(z *gzip.Writer) { long(z, `[{"p":"`, `"}]`, mib+2) })), "record.json.gz:1: cannot be read: a record of more than 64 MiB"},
		{Table, file("field.csv.gz", gz(func(z *gzip.Writer) { long(z, "p,m\n\"", "\n", mib+2) })), "a record of more than 64 MiB"},
		{Table, file("deep.json", text(strings.Repeat("[", 1<<20))), "not JSON"},
		{Table, file("deep.jsonl", text(strings.Repeat("[", 1<<20)+"\n")), "not JSON"},
		{"vcr", file("bomb.yaml", text(bomb.String())), "its aliases stand for more than 1000000 values"},
		{"vcr", file("body.yaml.gz", gz(func(z *gzip.Writer) { long(z, "a: ", "\n", limits.ImportWhole>>20+1) })), "more than 256 MiB"},
		{Table, file("ratio.jsonl.zst", func(f *os.File) {
			z, _ := zstd.NewWriter(f)
			blank := []byte(strings.Repeat(" ", 1<<20-1) + "\n")
			for range limits.ImportWhole>>20 + 8 {
				z.Write(blank)
			}
			z.Close()
		}), "inflates to more than 2000 times its size"},
	} {
		to := filepath.Join(t.TempDir(), "traces")
		opt := Options{Format: c.format, Files: []string{c.file}, To: to, Map: m}
		if c.format == Table {
			opt.Files = append(opt.Files, good)
		}
		res := importFilesLoose(t, opt)
		var said []string
		for _, f := range res.Faults() {
			said = append(said, f.String())
		}
		if !strings.Contains(strings.Join(said, "\n"), c.want) {
			t.Errorf("%s: faults %q, want %q", filepath.Base(c.file), said, c.want)
		}
		want := 0
		if c.format == Table {
			want++
		}
		if strings.HasPrefix(filepath.Base(c.file), "line") {
			want++ // the line after the long one
		}
		if res.Rows() != want {
			t.Errorf("%s: %d rows, want %d", filepath.Base(c.file), res.Rows(), want)
		}
	}
}

func importFilesLoose(t testing.TB, opt Options) *Result {
	t.Helper()
	res, err := Import(t.Context(), opt)
	if err != nil {
		t.Fatalf("%v: %v", opt.Files, err)
	}
	return res
}
