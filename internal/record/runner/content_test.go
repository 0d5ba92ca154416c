package runner

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/record/journal"
	"aircheck/schema"
)

const pieceKey = "sk-pieces-0123456789abcd"

// Keys that a server repeats in pieces, in escapes, or compressed are nowhere in
// the sealed files, whether the run seals itself or is recovered.
func TestKeyInPieces(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		if strings.HasPrefix(r.URL.Path, "/zip") {
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			defer z.Close()
			fmt.Fprintf(z, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":1,\"completion_tokens\":9,\"total_tokens\":10}}\n\n", pieceKey)
			return
		}
		for _, part := range []string{pieceKey[:5], pieceKey[5:15], `\u00` + fmt.Sprintf("%x", pieceKey[15]) + pieceKey[16:]} {
			fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\n", part)
			w.(http.Flusher).Flush()
		}
		fmt.Fprint(w, "data: [DONE]\n\n")
	})
	text := "trials: 2\nwarmup: 0\ntargets: [" + target("a", url, "key_env: K") + "," + target("zip", url+"/zip", "key_env: K") + "]\n" + hello
	lacks := func(dir string, notes []string) {
		t.Helper()
		rows, frames := read(t, dir)
		for _, r := range rows {
			said := ""
			for _, c := range frames[r.RequestID] {
				var f struct {
					Choices []struct{ Delta struct{ Content string } }
				}
				if json.Unmarshal([]byte(strings.TrimPrefix(string(c.Raw), "data: ")), &f) == nil && len(f.Choices) > 0 {
					said += f.Choices[0].Delta.Content
				}
			}
			if r.Provider == "a" && said != strings.Repeat("*", len(pieceKey)+5) {
				t.Errorf("the answer says %q", said)
			}
			if r.Provider == "zip" && (r.Detail != "requests" || *r.ReportedOutputTokens != 9 || *r.ReportedFinishReason != "stop" || *r.BytesReceived == 0) {
				t.Errorf("%+v", r)
			}
			if r.Provider == "zip" {
				for _, c := range frames[r.RequestID] {
					if strings.Trim(string(c.Raw), "\x00") != "" {
						t.Errorf("of the compressed body %q is kept", c.Raw)
					}
				}
			}
		}
		if n := strings.Count(strings.Join(notes, "\n"), "compressed body held a key"); n != 2 {
			t.Errorf("notes %q", notes)
		}
	}
	r, dir := newRecorder(t, text, "K="+pieceKey)
	result, err := r.Run(context.Background(), context.Background())
	if err != nil {
		t.Fatal(err)
	}
	lacks(dir, result.Run.Notes)

	// The same from the journal, with the key in the environment again.
	env := func(string) string { return pieceKey }
	r, dir = newRecorder(t, text, "K="+pieceKey)
	r.stop, r.halt = func() {}, func() {}
	r.send(context.Background(), context.Background())
	if err := r.journal.Close(); err != nil {
		t.Fatal(err)
	}
	filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if info, e := d.Info(); e == nil && strings.HasSuffix(path, ".journal") && info.Mode().Perm() != 0o600 {
			t.Errorf("%s may be read by others: %v", path, info.Mode())
		}
		return err
	})
	recovered, err := journal.Recover(dir, MaskOf(env, nil))
	if err != nil || len(recovered) != 1 {
		t.Fatal(recovered, err)
	}
	lacks(dir, recovered[0].Run.Notes)
	var run schema.Run
	run.Plan = "targets: [{key_env: \"OTHER\"}]"
	MaskOf(func(string) string { return "" }, nil)(&run)
	if len(run.Notes) != 1 || !strings.Contains(run.Notes[0], "OTHER not set") {
		t.Errorf("notes %q", run.Notes)
	}
}

// What a plan asks not to keep is in no file: not in rows, frames, the plan's text
// or the run's record.
func TestContentModes(t *testing.T) {
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/bad") {
			refuse(w, 400, "cannot say anything of Anna")
			return
		}
		answer(w, 0)
	})
	for _, mode := range []string{"hash", "none"} {
		text := "content: " + mode + "\ntrials: 6\nwarmup: 0\ntargets: [" + target("a", url) + "," + target("b", url+"/bad") + "]\nscenarios: [{name: s, messages: [{role: user, content: Who is Anna}], checks: [{contains: Anna}]}]\n"
		r, dir := newRecorder(t, text)
		result, err := r.Run(context.Background(), context.Background())
		if err != nil {
			t.Fatal(err)
		}
		rows, frames := read(t, dir)
		for _, row := range rows {
			everything, _ := json.Marshal(row)
			for _, c := range frames[row.RequestID] {
				everything = append(everything, c.Raw...)
			}
			if strings.Contains(string(everything), "Anna") || row.Checks != nil || len(*row.PromptHash) != 32 {
				t.Errorf("%s: %s", mode, everything)
			}
			if good := row.Provider == "a"; mode == "none" && (row.ReportedTTFTNs != nil) != good || good && result.Status.SpentNano != 0 {
				t.Errorf("%s: %s", mode, everything)
			}
		}
		filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if data, e := os.ReadFile(path); e == nil && strings.Contains(string(data), "Anna") {
				t.Errorf("%s: %s says it: %s", mode, path, data)
			}
			return err
		})
		if !strings.Contains(strings.Join(result.Run.Notes, "\n"), "content: "+mode) || result.Run.PlanSHA256 != r.plan.Hash() {
			t.Errorf("%q", result.Run.Notes)
		}
	}
}
