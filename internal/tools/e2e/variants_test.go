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
// kind of line ends, comments between events, where reads were cut, or what a body
// is kept in: a file of its own, reads, a cassette, an archive of a browser.
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

// containers are what a body can be kept in, by the format that reads them.
var containers = map[string]func(*rand.Rand, []byte) []byte{"reads": cut, "vcr": cassette, "har": archive}

// varied is nil for what has no other spelling.
func varied(t *testing.T, r *rand.Rand, dir string, c wireCase) *variant {
	lines := strings.HasPrefix(c.args, "table ") && strings.HasSuffix(c.files[0], ".jsonl")
	if !strings.HasPrefix(c.args, "sse ") && !lines || strings.Contains(c.name, "streamed") {
		return nil
	}
	v := &variant{c, t.TempDir()}
	v.files = nil
	container := ""
	if len(c.files) == 1 && !strings.Contains(c.args, "--status") && strings.HasSuffix(c.files[0], ".sse") {
		container = []string{"", "reads", "vcr", "har"}[r.IntN(4)]
	}
	for _, f := range c.files {
		data, err := os.ReadFile(filepath.Join(dir, f))
		if err != nil {
			t.Fatal(err)
		}
		switch filepath.Ext(f) {
		case ".sse":
			data = respelled(r, data)
		case ".jsonl":
			data = relined(r, data)
		}
		name := fmt.Sprintf("f%d%s", r.IntN(1e6), filepath.Ext(f))
		if container != "" {
			name, data = name+".json", containers[container](r, data)
		}
		if err := os.WriteFile(filepath.Join(v.dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
		v.files = append(v.files, name)
	}
	r.Shuffle(len(v.files), func(i, j int) { v.files[i], v.files[j] = v.files[j], v.files[i] })
	if container != "" {
		v.args = container + " " + strings.TrimPrefix(c.args, "sse ")
	}
	for _, rules := range []string{"prices.yaml", "log-map.yaml", "log-map-ids.yaml"} {
		data, err := os.ReadFile(filepath.Join(dir, rules))
		if err == nil {
			err = os.WriteFile(filepath.Join(v.dir, rules), data, 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return v
}

// relined writes lines of JSON in another order, with their keys in another order.
func relined(r *rand.Rand, data []byte) []byte {
	lines := bytes.Split(bytes.TrimSpace(data), []byte("\n"))
	for i := range lines {
		lines[i] = reordered(r, lines[i])
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return append(bytes.Join(lines, []byte("\n")), '\n')
}

// keptURL tells nothing of a dialect: what was sent and what came must do.
const keptURL = "https://api.example.com/"

// cassette keeps a body as vcrpy does.
func cassette(_ *rand.Rand, data []byte) []byte {
	return kept(map[string]any{"version": 1, "interactions": []any{map[string]any{
		"request":  map[string]any{"method": "POST", "uri": keptURL, "headers": map[string]any{}, "body": ""},
		"response": map[string]any{"status": map[string]any{"code": 200, "message": "OK"}, "headers": map[string]any{"Content-Type": []string{"text/event-stream"}}, "body": map[string]any{"string": string(data)}}}}})
}

// archive keeps a body as a browser does.
func archive(_ *rand.Rand, data []byte) []byte {
	return kept(map[string]any{"log": map[string]any{"creator": map[string]any{"name": "a browser"}, "entries": []any{map[string]any{
		"startedDateTime": "2026-01-02T03:04:05Z", "time": 1,
		"request": map[string]any{"method": "POST", "url": keptURL, "headers": []any{}},
		"response": map[string]any{"status": 200, "headers": []any{map[string]any{"name": "Content-Type", "value": "text/event-stream"}},
			"content": map[string]any{"mimeType": "text/event-stream", "text": string(data)}}}}}})
}

func kept(v any) []byte {
	b, _ := json.Marshal(v) // words alone: cannot fail
	return b
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
	return kept(map[string]any{
		"request":  map[string]any{"method": "POST", "url": keptURL},
		"response": map[string]any{"status": 200, "headers": map[string]string{"Content-Type": "text/event-stream"}}, "chunks": reads})
}
