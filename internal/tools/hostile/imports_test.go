package hostile

import (
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Files that grow, nest and refer to each other: each is named with its bound, the
// sound one beside it is imported, and memory stays what the bounds allow.
func TestImports(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	long := 70 // megabytes of one line: a record may have 64
	if *full {
		long = 2500
	}
	dir := t.TempDir()
	file := func(name string, write func(w io.Writer)) {
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if strings.HasSuffix(name, ".gz") {
			z, _ := gzip.NewWriterLevel(f, 1)
			defer z.Close()
			write(z)
			return
		}
		write(f)
	}
	text := func(s string) func(io.Writer) { return func(w io.Writer) { io.WriteString(w, s) } }
	piece := strings.Repeat("x", 1<<20)
	file("line.jsonl.gz", func(w io.Writer) {
		io.WriteString(w, `{"p":"`)
		for range long {
			io.WriteString(w, piece)
		}
		io.WriteString(w, "\"}\n")
	})
	file("deep.json", text(strings.Repeat("[", 1<<22)))
	bomb := "a: &a [x, x, x, x, x, x, x, x, x]\n"
	for c := 'a'; c < 'm'; c++ {
		bomb += string(c+1) + ": &" + string(c+1) + " [" + strings.TrimSuffix(strings.Repeat("*"+string(c)+", ", 9), ", ") + "]\n"
	}
	file("bomb.yaml", text(bomb+"interactions: *m\n"))
	file("good.jsonl", text("{\"p\":\"a\",\"m\":\"x\",\"t\":1}\n"))
	file("map.yaml", text("name: own\nfields:\n  provider: p\n  model: m\n  reported_ttft_ns: {path: t, unit: s}\n"))
	const most = 512 << 20 // a record of 64 MiB, read, decoded and checked
	for _, c := range []struct {
		args   []string
		status int
		says   string
	}{
		{[]string{"import", "table", "--map", "map.yaml", "line.jsonl.gz", "good.jsonl", "--to", "t1"}, 1, "a line of more than 64 MiB"},
		{[]string{"import", "table", "--map", "map.yaml", "deep.json", "good.jsonl", "--to", "t2"}, 1, "not JSON"},
		{[]string{"import", "vcr", "bomb.yaml", "--to", "t3"}, 1, "aliases stand for more than"},
	} {
		r := record(t, dir, c.args...)
		t.Logf("%s: %d MB", c.args[len(c.args)-3], r.peak>>20)
		if r.status != c.status && !(c.status == 1 && r.status == 2) || !strings.Contains(r.out+r.err, c.says) {
			t.Errorf("%v: status %d\n%s%s", c.args, r.status, r.out, r.err)
		}
		if r.peak > most {
			t.Errorf("%v: %d MB were resident", c.args, r.peak>>20)
		}
		if c.args[1] == "table" {
			if all, _ := rows(t, filepath.Join(dir, c.args[len(c.args)-1])); len(all) != 1 {
				t.Errorf("%v: %d rows", c.args, len(all))
			}
		}
	}
}
