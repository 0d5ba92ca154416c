package corpus_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aircheck/internal/kit/duck"
)

var update = flag.Bool("update", false, "rewrite the golden tables of the recordings")

const columns = `outcome, finish_reason, terminator, input_tokens, cached_tokens, output_tokens, reasoning_tokens, token_source,
	frames, answer_chars, reasoning_chars, tool_chars, undecoded_frames`

// TestStreams: what each recorded call came to. The table was read through
// against the recordings; a change of it is to be explained as well.
func TestStreams(t *testing.T) {
	ds := open(t)
	var lines []string
	calls := map[*file]int{}
	query := `SELECT q.run_id, q.order_index, r.api, r.http_status, ` + columns + `,
			concat_ws(chr(0), a.text, a.refusal), concat_ws(chr(0), a.reasoning, a.tool_calls, a.other_choices)
		FROM results r JOIN requests q USING (request_id) LEFT JOIN answers a USING (request_id)`
	ds.rows(t, query, func(c call, v []any) {
		calls[c.file]++
		cells := []string{c.file.name, fmt.Sprint(c.n)}
		for _, value := range v[:len(v)-2] {
			cells = append(cells, cell(value))
		}
		lines = append(lines, strings.Join(append(cells, sum(v[len(v)-2]), sum(v[len(v)-1])), "\t"))
		review(t, c, v)
	})
	for _, f := range ds.files {
		if f.sameAs != "" {
			lines = append(lines, f.name+"\t=\t"+f.sameAs)
			continue
		}
		if calls[f] == 0 && !refused(f.name) {
			t.Errorf("%s: no call in it", f.name)
		}
		for _, why := range slices.Sorted(maps.Keys(f.account.Skipped)) {
			lines = append(lines, fmt.Sprintf("%s\t-\t%d %s", f.name, f.account.Skipped[why], why))
		}
	}
	slices.SortFunc(lines, natural)
	head := "file\tcall\tapi\tstatus\t" + strings.Join(strings.Fields(strings.ReplaceAll(columns, ",", "")), "\t") + "\ttext\trest"
	golden(t, "streams.tsv", head+"\n"+strings.Join(lines, "\n")+"\n")
	reviewed(t)
}

func cell(v any) string {
	if s := duck.Text(v, ""); s != "" {
		return s
	}
	return "."
}

// sum is a short hash of what a call brought, "." where it brought nothing.
func sum(v any) string {
	s, _ := v.(string)
	if s == "" {
		return "."
	}
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:6])
}

// natural orders lines by file, then by the number of the call.
func natural(a, b string) int {
	x, y := strings.SplitN(a, "\t", 3), strings.SplitN(b, "\t", 3)
	for i := range 2 {
		if c := len(x[i]) - len(y[i]); i == 1 && c != 0 {
			return c
		}
		if c := strings.Compare(x[i], y[i]); c != 0 {
			return c
		}
	}
	return strings.Compare(a, b)
}

// golden compares a text with a file of testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v; -update writes it", err)
	}
	if bytes.Equal(want, []byte(got)) {
		return
	}
	old, now := strings.Split(string(want), "\n"), strings.Split(got, "\n")
	for _, l := range old {
		if !slices.Contains(now, l) {
			t.Errorf("%s: no more: %s", path, l)
		}
	}
	for _, l := range now {
		if !slices.Contains(old, l) {
			t.Errorf("%s: now: %s", path, l)
		}
	}
	t.Errorf("%s differs; -update writes it again", path)
}

// TestDialects: what the recordings of each dialect hold, in sum.
func TestDialects(t *testing.T) {
	ds := open(t)
	var out strings.Builder
	for _, q := range []struct{ title, query string }{
		{"calls, frames and tokens", `SELECT coalesce(api, '?') AS api, count(*) AS calls, sum(frames)::BIGINT AS frames, sum(input_tokens)::BIGINT AS input,
			sum(cached_tokens)::BIGINT AS cached, sum(cache_write_tokens)::BIGINT AS cache_write, sum(output_tokens)::BIGINT AS output, sum(reasoning_tokens)::BIGINT AS reasoning,
			sum(answer_chars)::BIGINT AS answer_chars, sum(reasoning_chars)::BIGINT AS reasoning_chars, sum(tool_chars)::BIGINT AS tool_chars FROM results GROUP BY ALL ORDER BY ALL`},
		{"events by kind", `SELECT coalesce(q.api, '?') AS api, e.kind, count(*) AS events, count(DISTINCT e.request_id) AS calls FROM events e JOIN requests q USING (request_id) GROUP BY ALL ORDER BY ALL`},
		{"outcomes", `SELECT coalesce(api, '?') AS api, outcome, count(*) AS calls FROM results GROUP BY ALL ORDER BY ALL`},
		{"endings", `SELECT coalesce(api, '?') AS api, terminator, finish, count(*) AS calls FROM results GROUP BY ALL ORDER BY ALL`},
		{"where token counts come from", `SELECT coalesce(api, '?') AS api, token_source, count(*) AS calls, count(reasoning_tokens) AS with_reasoning, count(cached_tokens) AS with_cached FROM results GROUP BY ALL ORDER BY ALL`},
		{"what stays undecoded", `SELECT coalesce(q.api, '?') AS api, e.path, count(*) AS events FROM events e JOIN requests q USING (request_id) WHERE e.kind = 'undecoded' GROUP BY ALL ORDER BY ALL`},
	} {
		table, err := duck.Query(t.Context(), ds, q.title, q.query)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&out, "# %s\n%s\n", q.title, strings.Join(table.Columns, "\t"))
		for _, row := range table.Rows {
			var cells []string
			for _, v := range row {
				cells = append(cells, cell(v))
			}
			fmt.Fprintln(&out, strings.Join(cells, "\t"))
		}
		fmt.Fprintln(&out)
	}
	golden(t, "dialects.tsv", out.String())
}

// TestInvariants: what cannot be, in no recording.
func TestInvariants(t *testing.T) {
	ds := open(t)
	for _, impossible := range []string{
		"reasoning_tokens > output_tokens",
		"cached_tokens > input_tokens",
		"visible_tokens < 0 OR output_tokens < 0 OR input_tokens < 0",
		"token_source IS NOT NULL AND output_tokens IS NULL",
		"complete AND answer_chars = 0 AND tool_chars = 0",
		"outcome = 'starved' AND answer_chars + tool_chars > 0",
		"content_frames > frames",
		// No recording has times, and none may get them from anywhere.
		"ttft_ms IS NOT NULL AND evidence = 'chunks'",
		"tokens_per_s IS NOT NULL OR max_stall_ms IS NOT NULL OR tpot_ms IS NOT NULL",
	} {
		ds.rows(t, "SELECT q.run_id, q.order_index FROM results r JOIN requests q USING (request_id) WHERE "+impossible, func(c call, _ []any) {
			t.Errorf("%s, call %d: %s", c.file.name, c.n, impossible)
		})
	}
}
