package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var variantSeeds = flag.Int("variants", 0, "seeds to try every case with, in other bytes that mean the same; 0: a few cases, with one seed")

// What a case shows does not hang on the spelling of its bytes: on the names of
// its files and their order, the order of keys and the white space of JSON, the
// kind of line ends, comments between events, or where reads were cut.
func TestCasesInOtherBytes(t *testing.T) {
	dir := filepath.Join("testdata", "cases")
	cases := casesOf(t, dir)
	seeds := max(1, *variantSeeds)
	for seed := range seeds {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		for i, c := range cases {
			v := varied(t, r, dir, c)
			if v == nil || *variantSeeds == 0 && i%6 != 0 {
				continue
			}
			t.Run(fmt.Sprintf("%s/%d", c.name, seed), func(t *testing.T) {
				t.Parallel()
				g := v.run(t, v.dir)
				for _, want := range c.right {
					if g.agrees(want) {
						return
					}
				}
				t.Errorf("%s: got %v (%d requests, import status %d: %s)\nwant one of %v", v.args, g.row, g.imported, g.status, g.said, c.right)
			})
		}
	}
}

// variant is a case whose files are others that mean the same.
type variant struct {
	wireCase
	dir string
}

// varied is nil for what is no stream.
func varied(t *testing.T, r *rand.Rand, dir string, c wireCase) *variant {
	if !strings.HasPrefix(c.args, "sse ") || strings.Contains(c.name, "streamed") {
		return nil
	}
	v := &variant{c, t.TempDir()}
	v.files = nil
	reads := len(c.files) == 1 && !strings.Contains(c.args, "--status") && strings.HasSuffix(c.files[0], ".sse") && r.IntN(2) == 0
	for _, f := range c.files {
		data, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(f, ".sse") {
			data = respelled(r, data)
		}
		name := fmt.Sprintf("f%d%s", r.IntN(1e6), filepath.Ext(f))
		if reads {
			name, data = name+".json", cut(r, data)
		}
		if err := os.WriteFile(filepath.Join(v.dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
		v.files = append(v.files, name)
	}
	r.Shuffle(len(v.files), func(i, j int) { v.files[i], v.files[j] = v.files[j], v.files[i] })
	if reads {
		v.args = "reads " + strings.TrimPrefix(c.args, "sse ")
	}
	const prices = "prices.yaml"
	data, err := os.ReadFile(filepath.Join(dir, prices))
	if err == nil {
		err = os.WriteFile(filepath.Join(v.dir, prices), data, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// respelled writes a stream in other bytes that mean the same.
func respelled(r *rand.Rand, data []byte) []byte {
	end, space := []string{"\n", "\r\n"}[r.IntN(2)], []string{"", " "}[r.IntN(2)]
	var out strings.Builder
	for i, line := range strings.Split(strings.ReplaceAll(string(data), "\r\n", "\n"), "\n") {
		if i > 0 {
			out.WriteString(end)
		}
		if line == "" && i > 0 && r.IntN(4) == 0 {
			out.WriteString(end + ": still here" + end)
		}
		if value, ok := strings.CutPrefix(line, "data:"); ok {
			line = "data:" + space + string(reordered(r, []byte(strings.TrimPrefix(value, " "))))
		}
		out.WriteString(line)
	}
	return []byte(out.String())
}

// reordered writes JSON with its keys in another order; scalars keep their bytes,
// and what is no JSON stays.
func reordered(r *rand.Rand, data []byte) []byte {
	data = bytes.TrimSpace(data)
	if !json.Valid(data) || len(data) == 0 {
		return data
	}
	switch data[0] {
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(data, &list) != nil {
			return data
		}
		for i := range list {
			list[i] = reordered(r, list[i])
		}
		return []byte("[" + string(bytes.Join(raw(list), []byte(", "))) + "]")
	case '{':
		d := json.NewDecoder(bytes.NewReader(data))
		d.Token()
		var parts [][]byte
		for d.More() {
			key, err := d.Token()
			var value json.RawMessage
			if err != nil || d.Decode(&value) != nil {
				return data
			}
			name, _ := json.Marshal(key)
			parts = append(parts, append(append(name, ": "...), reordered(r, value)...))
		}
		r.Shuffle(len(parts), func(i, j int) { parts[i], parts[j] = parts[j], parts[i] })
		return []byte("{" + string(bytes.Join(parts, []byte(","))) + "}")
	}
	return data
}

func raw(list []json.RawMessage) (out [][]byte) {
	for _, v := range list {
		out = append(out, v)
	}
	return out
}

// cut keeps a body as reads that end anywhere.
func cut(r *rand.Rand, data []byte) []byte {
	type read struct {
		Data string `json:"b64"`
	}
	var reads []read
	for len(data) > 0 {
		n := min(len(data), 1+r.IntN(400))
		reads = append(reads, read{base64.StdEncoding.EncodeToString(data[:n])})
		data = data[n:]
	}
	b, _ := json.Marshal(map[string]any{ // words alone: cannot fail
		"request":  map[string]any{"method": "POST", "url": "https://api.example.com/"},
		"response": map[string]any{"status": 200, "headers": map[string]string{"Content-Type": "text/event-stream"}}, "chunks": reads})
	return b
}
