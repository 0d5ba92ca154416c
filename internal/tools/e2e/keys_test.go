package e2e

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// echoed is a key with characters that every coding spells in its own way.
const echoed = "sk-echo/aB3+x9~0123456789"

// echo is a provider that repeats the caller's key, in the spelling that the path
// names.
func echo(t *testing.T) string {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		key := strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")
		how := strings.Split(r.URL.Path, "/")[1]
		w.Header().Set("X-Your-Key", key)
		say := func(out io.Writer, parts ...string) {
			for _, p := range parts {
				fmt.Fprintf(out, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"%s\"}}]}\n\n", p)
				if f, ok := out.(http.Flusher); ok {
					f.Flush()
				}
			}
			fmt.Fprint(out, "data: {\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":5,\"completion_tokens\":6,\"total_tokens\":11}}\n\ndata: [DONE]\n\n")
		}
		w.Header().Set("Content-Type", "text/event-stream")
		switch how {
		case "plain":
			say(w, "your key is "+key, " is it?")
		case "slashes":
			say(w, "your key is "+strings.ReplaceAll(key, "/", `\/`))
		case "escapes":
			say(w, "your key is "+strings.Replace(key, "echo", `ec\u0068o`, 1))
		case "base64":
			say(w, "your key is "+base64.StdEncoding.EncodeToString([]byte("user:"+key)))
		case "percent":
			say(w, "https://x.example/?k="+url.QueryEscape(key))
		case "pieces":
			say(w, "your key is "+key[:5], key[5:11], key[11:20], key[20:]+" is it?")
		case "zip":
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			say(z, "your key is "+key)
			z.Close()
		default:
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(401)
			json.NewEncoder(w).Encode(map[string]any{"error": map[string]string{"message": "bad key " + key, "type": key}})
		}
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// A key that providers repeat in every spelling is in no frame, event, answer,
// export or page.
func TestEchoedKeys(t *testing.T) {
	dir := t.TempDir()
	address := echo(t)
	ways := []string{"plain", "slashes", "escapes", "base64", "percent", "pieces", "zip", "error"}
	plan := "trials: 2\nwarmup: 0\ntargets:\n"
	for _, how := range ways {
		plan += fmt.Sprintf("  - {provider: %s, model: m, base_url: %s/%s, key_env: K}\n", how, address, how)
	}
	write(t, filepath.Join(dir, "plan.yaml"), plan+"scenarios: [{name: s, messages: [{role: user, content: hi}], params: {max_tokens: 9}}]\n")
	env := []string{"K=" + echoed}
	said := must(t, dir, env, "record", "run", "plan.yaml", "--to", "traces")
	must(t, dir, nil, "record", "verify", "traces")
	said += must(t, dir, nil, "analyze", "build", "traces", "--events", "--all")
	said += must(t, dir, nil, "analyze", "export", "traces", "--to", "out")
	must(t, dir, nil, "report", "traces", "--to", "site")
	for _, query := range []string{"FROM answers", "FROM events", "FROM chunks", "FROM requests", "FROM results", "FROM runs", "FROM errors"} {
		said += must(t, dir, nil, "analyze", "sql", "traces", query, "--format", "json")
	}
	// What shows a key or most of one, as it is or in base64.
	marks := []string{"sk-echo", "aB3+x9", "0123456789", "aB3%2Bx9", "c2stZWNoby", "NrLWVjaG8v", "zay1lY2hvL", "MDEyMzQ1Njc4"}
	look := func(where, text string) {
		for _, m := range marks {
			if at := strings.Index(text, m); at >= 0 {
				t.Errorf("%s shows %q: …%s…", where, m, text[max(0, at-80):min(len(text), at+80)])
			}
		}
	}
	look("a command", said)
	if n := strings.Count(said, "compressed body held a key"); n == 0 {
		t.Error("nobody says that the bytes of compressed bodies are not kept")
	}
	for _, root := range []string{"traces", "out", "site"} {
		for _, name := range files(t, filepath.Join(dir, root)) {
			data, err := os.ReadFile(filepath.Join(dir, root, name))
			if err != nil {
				t.Fatal(err)
			}
			look(name, string(data))
		}
	}
	// All the same every answer is one.
	got := must(t, dir, nil, "analyze", "sql", "traces", "SELECT provider, count(*) FILTER (outcome = 'ok') AS ok FROM results GROUP BY provider HAVING ok <> 2 ORDER BY provider", "--format", "csv")
	if got != "provider,ok\nerror,0\n" {
		t.Errorf("got %s", got)
	}
}

// What is measured with content: hash and none is what is measured with full, as
// far as it needs no text.
func TestContent(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "fleet.yaml"), "behaviour: {first_token: 5ms, gap: 2ms, answer: {tokens: 40}}\nmodels:\n  m: {faults: [{kind: cut, on: 3}, {kind: rate_limited, on: 5}]}\n  think: {thinking: {tokens: 12}}\nproviders: [{name: north, models: [{name: m}, {name: think}]}]\n")
	want := ""
	for _, mode := range []string{"full", "hash", "none"} {
		address, stop := fleet(t, dir, "fleet.yaml")
		write(t, filepath.Join(dir, "plan.yaml"), "content: "+mode+"\ntrials: 8\nwarmup: 0\ntargets: [{provider: north, model: m, base_url: 'http://"+address+"/north/v1'}, {provider: north, model: think, base_url: 'http://"+address+"/north/v1'}]\n"+
			"scenarios: [{name: s, messages: [{role: user, content: Tell me of the lighthouse}], params: {max_tokens: 200}}]\n")
		must(t, dir, nil, "record", "run", "plan.yaml", "--to", mode)
		stop()
		must(t, dir, nil, "record", "verify", mode)
		failed := "outcome"
		if mode == "none" { // a row without frames says that it failed, not in which way
			failed = "CASE outcome WHEN 'reported_error' THEN 'cut' ELSE outcome END"
		}
		got := must(t, dir, nil, "analyze", "sql", mode, "SELECT model, "+failed+" AS outcome, count(*) AS n, sum(input_tokens) FILTER (finish_reason IS NOT NULL)::BIGINT AS input, sum(output_tokens) FILTER (finish_reason IS NOT NULL)::BIGINT AS output, count(ttft_ms) AS first, count(finish_reason) AS finish FROM results GROUP BY ALL ORDER BY ALL", "--format", "csv")
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("content %s:\n%swant\n%s", mode, got, want)
		}
		if frames := must(t, dir, nil, "analyze", "sql", mode, "SELECT count(*) AS n, sum(octet_length(raw))::BIGINT > 1000 AS sized, count(*) FILTER (contains(decode(raw, 'replace'), 'lighthouse') OR contains(decode(raw, 'replace'), 'The')) AS words FROM chunks", "--format", "csv"); mode != "full" && !strings.HasSuffix(frames, ",true,0\n") {
			t.Errorf("content %s: frames %s", mode, frames)
		}
	}
}
