package imports

import (
	"compress/gzip"
	"encoding/json"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"aircheck/internal/record/imports/mapping"
	"aircheck/internal/tools/corpus"
	"aircheck/schema"
)

// samples are files as each source writes them, cut to what matters, and what the
// rows of them say. Those of sources in the collection are beside it; these also
// hold the cases that it lacks: failures, retries, cancellations.
var samples = map[string]struct {
	name, text string
	rows       []string // provider model phase started ttft end in out error, "-" for none
}{
	"vllm": {"run.json", `{"date":"20260102-030405","backend":"vllm","model_id":"org/m-7b","tokenizer_id":"org/m-7b","num_prompts":3,"request_rate":"inf","max_concurrency":2,"duration":2.0,"completed":2,
"input_lens":[10,11,12],"output_lens":[3,0,0],"ttfts":[0.1,0.0,0.3],"itls":[[0.01,0.03],[],[]],"generated_texts":["a b c","",""],"errors":["","","Bad gateway"]}`,
		[]string{"unstated m-7b measure - 100000000 140000000 10 3 -", "unstated m-7b measure - - - 11 0 -", "unstated m-7b measure - - - - - Bad gateway"}},
	"sglang": {"s.jsonl", `{"tag":null,"backend":"sglang-oai","dataset_name":"random","request_rate":4.0,"max_concurrency":2,"server_info":{"model_path":"org/m-8b"},"total_output_tokens":3,"total_output_tokens_retokenized":3,"input_lens":[10,11],"output_lens":[3,0],"ttfts":[0.1,0.0],"itls":[[0.01,0.03],[]],"generated_texts":["a b c",""],"errors":["","boom"]}`,
		[]string{"unstated m-8b measure - 100000000 140000000 10 3 -", "unstated m-8b measure - - - - - boom"}},
	"guidellm": {"g.json", `{"benchmarks":[{"config":{"run_id":"r","run_index":0,"strategy":{"type_":"concurrent","streams":2},"backend":{"target":"http://10.0.0.1:8000","model":"m"}},"requests":{
"successful":[{"request_id":"1","info":{"status":"completed","timings":{"request_start":1767323045.0,"first_token_iteration":1767323045.25,"last_token_iteration":1767323046.0,"request_end":1767323046.5}},"input_metrics":{"text_tokens":9},"output_metrics":{"text_tokens":40},"output":"x"}],
"errored":[{"request_id":"2","info":{"status":"errored","error":"HTTP 500","timings":{"request_start":1767323045.0,"request_end":1767323045.5}},"input_metrics":{"text_tokens":9},"output_metrics":{"text_tokens":40}}],
"incomplete":[{"request_id":"3","info":{"status":"cancelled","error":"cancelled","timings":{"request_start":1767323045.0,"first_token_iteration":1767323045.25,"request_end":1767323045.5}},"output_metrics":{"text_tokens":40}}]}}]}`,
		[]string{"10.0.0.1:8000 m measure 1767323045000000000 250000000 1500000000 9 40 -", "10.0.0.1:8000 m measure 1767323045000000000 - 500000000 - - HTTP 500", "10.0.0.1:8000 m measure 1767323045000000000 250000000 500000000 - - stopped by the benchmark"}},
	"aiperf": {"profile_export.jsonl", `{"metadata":{"x_request_id":"a","request_start_ns":1767323045000000000,"request_end_ns":1767323046000000000,"benchmark_phase":"warmup","was_cancelled":false},"metrics":{"time_to_first_token":{"value":30.5,"unit":"ms"},"request_latency":{"value":900.0,"unit":"ms"},"inter_chunk_latency":{"value":[10.0,20.0],"unit":"ms"},"output_sequence_length":{"value":7,"unit":"tokens"},"usage_completion_tokens":{"value":5,"unit":"tokens"}},"error":null}
{"metadata":{"x_request_id":"b","request_start_ns":1767323045000000000,"request_end_ns":1767323046000000000,"benchmark_phase":"profiling","was_cancelled":false},"metrics":{},"error":{"code":503,"type":"HTTPError","message":"busy"}}`,
		[]string{"unstated unstated warmup 1767323045000000000 30500000 1000000000 - 5 -", "unstated unstated measure 1767323045000000000 - 1000000000 - - HTTPError: busy"}},
	"inference-perf": {"per_request_lifecycle_metrics.json", `[{"start_time":100.0,"end_time":101.5,"request":"{\"model\": \"org/m\", \"prompt\": \"x\"}","response":"","info":{"input_tokens":9,"response_metrics":{"output_tokens":4,"output_token_times":[100.2,100.4,100.6,100.8]},"retries_attempted":1},"error":null},
{"start_time":100.0,"end_time":101.5,"request":"{\"model\": \"org/m\"}","info":{"input_tokens":9},"error":{"error_type":"Timeout","error_msg":"slow"}}]`,
		[]string{"unstated m measure - 200000000 1500000000 9 4 -", "unstated m measure - - 1500000000 - - Timeout: slow"}},
	"genai-bench": {"D_text-to-text_org_m_num_concurrency_2_time_1s.json", `{"aggregated_metrics":{"scenario":"D(1,1)","num_concurrency":2},"individual_request_metrics":[{"ttft":0.2,"tpot":0.01,"e2e_latency":1.0,"num_input_tokens":5,"num_output_tokens":9,"error_code":null,"error_message":null},{"ttft":null,"e2e_latency":null,"num_input_tokens":null,"num_output_tokens":null,"error_code":429,"error_message":"busy"}]}`,
		[]string{"unstated m measure - 200000000 1000000000 5 9 -", "unstated m measure - - - - - busy"}},
	"llmeter": {"responses.jsonl", `{"response_text":"hi","input_payload":{"messages":[],"model":"m"},"id":"1","time_to_first_token":0.5,"time_to_last_token":0.75,"num_tokens_input":9,"num_tokens_output":4,"error":null,"retries":null,"request_time":"2026-01-02T03:04:05Z"}
{"response_text":null,"input_payload":{"model":"m"},"id":"2","time_to_first_token":null,"time_to_last_token":null,"num_tokens_output":null,"error":"boom","request_time":"2026-01-02T03:04:05Z"}`,
		[]string{"unstated m measure 1767323045000000000 500000000 750000000 9 4 -", "unstated m measure 1767323045000000000 - - - - boom"}},
	"evalscope": {"rows.json", `[{"request":"{\"model\": \"m\", \"stream\": true}","start_time":2606.9,"inter_token_latencies":"[0.01, 0.02]","success":1,"response_messages":"gASV","completed_time":2607.1,"latency":0.25,"first_chunk_latency":0.05,"prompt_tokens":9,"completion_tokens":4,"is_stream":1},
{"request":"{\"model\": \"m\"}","start_time":2606.9,"inter_token_latencies":"[]","success":0,"latency":0.25,"first_chunk_latency":0.0,"prompt_tokens":null,"completion_tokens":null,"is_stream":1}]`,
		[]string{"unstated m measure - 50000000 250000000 9 4 -", "unstated m measure - - - - - failed, the source does not say why"}},
	"epoch": {"e.jsonl", `{"type":"session","session":"s","network_label":"toronto"}
{"type":"sample","session":"s","timestamp":"2026-01-02T03:04:06+00:00","provider":"anthropic","model":"m","mode":"uncached","kind":"measured","valid":true,"ttft_ns":500000000,"headers_ns":400000000,"total_ns":1000000000,"status_code":200,"total_input_tokens":100,"output_tokens":8,"error":null,"estimated_cost_usd":0.5}`,
		[]string{"anthropic m measure 1767323045000000000 500000000 1000000000 100 8 -"}},
	"langfuse": {"t.json", `{"trace":{"id":"t"},"observations":[{"id":"o1","type":"GENERATION","startTime":"2026-01-02T03:04:05.000Z","completionStartTime":"2026-01-02T03:04:05.300Z","endTime":"2026-01-02T03:04:06.000Z","model":"m","level":"DEFAULT","usageDetails":{"input":5,"output":9},"metadata":{"attributes":{"gen_ai.system":"openai"}}},{"id":"o2","type":"SPAN","startTime":"2026-01-02T03:04:05.000Z"},{"id":"o3","type":"GENERATION","startTime":"2026-01-02T03:04:05.000Z","endTime":"2026-01-02T03:04:06.000Z","model":"m","level":"ERROR","statusMessage":"no","usageDetails":{"input":0,"output":0}}]}`,
		[]string{"openai m live 1767323045000000000 300000000 1000000000 5 9 -", "unstated m live 1767323045000000000 - 1000000000 - - no"}},
	"litellm": {"spend.jsonl", `{"id":"1","call_type":"acompletion","stream":true,"status":"success","custom_llm_provider":"groq","startTime":1767323045.0,"completionStartTime":1767323045.25,"endTime":1767323046.0,"response_time":0.25,"model":"groq/llama","prompt_tokens":5,"completion_tokens":9,"response_cost":0.001,"cache_hit":null}
{"id":"2","call_type":"acompletion","stream":false,"status":"success","custom_llm_provider":"openai","startTime":1767323045.0,"completionStartTime":1767323046.0,"endTime":1767323046.0,"response_time":1.0,"model":"gpt","prompt_tokens":5,"completion_tokens":9,"cache_hit":false}
{"id":"3","call_type":"acompletion","status":"failure","custom_llm_provider":"openai","startTime":1767323045.0,"completionStartTime":1767323045.0,"endTime":1767323045.0,"model":"gpt","prompt_tokens":0,"completion_tokens":0,"error_str":"slow down","error_information":{"error_code":"429"}}
{"id":"4","call_type":"acompletion","status":"success","custom_llm_provider":"openai","startTime":1767323045.0,"completionStartTime":1767323046.0,"endTime":1767323047.0,"model":"gpt","prompt_tokens":5,"completion_tokens":9,"metadata":{"attempted_fallbacks":1}}
{"id":"5","call_type":"acompletion","status":"success","custom_llm_provider":"openai","startTime":1767323045.0,"endTime":1767323045.1,"model":"gpt","cache_hit":true}
{"id":"6","call_type":"aembedding","status":"success","custom_llm_provider":"openai","startTime":1767323045.0,"endTime":1767323045.1,"model":"embed"}`,
		[]string{"groq llama live 1767323045000000000 250000000 1000000000 5 9 -", "openai gpt live 1767323045000000000 - 1000000000 5 9 -", "openai gpt live 1767323045000000000 - - - - slow down", "openai gpt live 1767323045000000000 - - 5 9 -"}},
	"helicone": {"h.jsonl", `{"request_id":"1","request_created_at":"2026-01-02T03:04:05+00:00","response_id":"r","response_status":200,"delay_ms":900,"time_to_first_token":120,"prompt_tokens":5,"completion_tokens":9,"provider":"OPENAI","request_model":"gpt","costUSD":0.001}
{"request_id":"2","request_created_at":"2026-01-02T03:04:05+00:00","response_id":"r","response_status":-3,"delay_ms":900,"provider":"OPENAI","request_model":"gpt"}
{"request_id":"3","request_created_at":"2026-01-02T03:04:05+00:00","response_id":"r","response_status":500,"delay_ms":900,"provider":"ANTHROPIC","request_model":"claude"}`,
		[]string{"openai gpt live 1767323045000000000 120000000 900000000 5 9 -", "openai gpt live 1767323045000000000 - 900000000 - - cancelled", "anthropic claude live 1767323045000000000 - 900000000 - - status 500"}},
	"openrouter": {"activity.csv", "generation_id,created_at,cost_total,tokens_prompt,tokens_completion,tokens_reasoning,model_permaslug,provider_name,variant,cancelled,streamed,finish_reason_normalized,generation_time_ms,time_to_first_token_ms,app_name\ngen-1,2026-01-02 03:04:05.000,0.001,5,9,0,meta/llama:free,Groq,free,false,true,stop,800,200,app\ngen-2,2026-01-02 03:04:05.000,0,5,0,0,meta/llama,Groq,,true,true,,800,200,app\n",
		[]string{"Groq llama live 1767323045000000000 200000000 1000000000 5 9 -", "Groq llama live 1767323045000000000 200000000 1000000000 5 - cancelled"}},
	"langsmith": {"batch.json", `{"post":[{"id":"1","run_type":"llm","start_time":"2026-01-02T03:04:05.000000+00:00","inputs":{"model":"m","messages":[],"stream":true},"extra":{"metadata":{"ls_provider":"openai","ls_model_name":"m"}},"dotted_order":"d1"},{"id":"2","run_type":"chain","start_time":"2026-01-02T03:04:05.000000+00:00","inputs":{},"dotted_order":"d2"}],"patch":[{"dotted_order":"d1","end_time":"2026-01-02T03:04:06.000000+00:00","events":[{"name":"new_token","time":"2026-01-02T03:04:05.250000+00:00"}],"outputs":{"choices":[{"message":{"content":"hi"},"finish_reason":"stop"}],"usage_metadata":{"input_tokens":5,"output_tokens":9}}}]}`,
		[]string{"openai m live 1767323045000000000 250000000 1000000000 5 9 -"}},
	"otel": {"otlp.json", `{"resourceSpans":[{"resource":{"attributes":[{"key":"service.name","value":{"stringValue":"app"}}]},"scopeSpans":[{"spans":[{"traceId":"t","spanId":"s","name":"chat m","startTimeUnixNano":"1767323045000000000","endTimeUnixNano":"1767323046000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.provider.name","value":{"stringValue":"openai"}},{"key":"gen_ai.request.model","value":{"stringValue":"m"}},{"key":"gen_ai.usage.input_tokens","value":{"intValue":"5"}},{"key":"gen_ai.usage.output_tokens","value":{"intValue":"9"}}],"events":[{"name":"First Token Stream Event","timeUnixNano":"1767323045250000000"}],"status":{}},{"traceId":"t","spanId":"u","name":"execute_tool x","startTimeUnixNano":"1767323045000000000","endTimeUnixNano":"1767323046000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"execute_tool"}}]},{"traceId":"t","spanId":"v","name":"chat m","startTimeUnixNano":"1767323045000000000","endTimeUnixNano":"1767323046000000000","attributes":[{"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},{"key":"gen_ai.request.model","value":{"stringValue":"m"}},{"key":"error.type","value":{"stringValue":"timeout"}}],"status":{"code":2,"message":"too slow"}}]}]}]}`,
		[]string{"openai m live 1767323045000000000 250000000 1000000000 5 9 -", "unstated m live 1767323045000000000 - 1000000000 - - too slow"}},
	"thefastest": {"latest.json", `[{"time":"2026-01-02T03:04:05","region":"cdg","cmd":"x --max-tokens=20","results":[{"model":"groq.com/llama3-70b-8192","ttr":0.1,"ttft":0.2,"total_time":1.0,"num_tokens":20,"tps":24.0,"output":"x"}]}]`,
		[]string{"groq llama-3-70b-instruct measure 1767323045000000000 200000000 1000000000 - 20 -"}},
	"llmperf": {"anyscale_7b.json", `[{"error_code":null,"ttft_s":0.2,"end_to_end_latency_s":1.0,"number_input_tokens":5,"number_output_tokens":9},{"error_code":429,"error_msg":"","ttft_s":0,"end_to_end_latency_s":0,"number_input_tokens":5,"number_output_tokens":1}]`,
		[]string{"anyscale llama-2-7b-chat measure - 200000000 1000000000 5 9 -", "anyscale llama-2-7b-chat measure - - - 5 - 429"}},
}

func sampleFile(t testing.TB, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func told(q *schema.Request) string {
	var out []string
	for _, c := range []string{"provider", "model", "phase", "started_at_ns", "reported_ttft_ns", "end_ns", "reported_input_tokens", "reported_output_tokens", "reported_error"} {
		v := mapping.Get(q, c)
		if v == "" {
			v = "-"
		}
		out = append(out, v)
	}
	return strings.Join(out, " ")
}

func TestPresets(t *testing.T) {
	for _, name := range presetNames() {
		s, ok := samples[name]
		if !ok {
			t.Errorf("no sample of %s", name)
			continue
		}
		to := filepath.Join(t.TempDir(), "to")
		file := sampleFile(t, t.TempDir(), s.name, s.text)
		res := importFiles(t, Options{Files: []string{file}, To: to})
		if f := res.Faults(); len(f) > 0 || len(res.Runs) != 1 || res.Runs[0].Format != name {
			t.Errorf("%s: %v, taken for %+v", name, f, res.Runs)
			continue
		}
		rows, _ := load(t, to)
		for i := range max(len(rows), len(s.rows)) {
			got, want := "", ""
			if i < len(rows) {
				got = told(&rows[i])
			}
			if i < len(s.rows) {
				want = s.rows[i]
			}
			if got != want {
				t.Errorf("%s row %d:\n got %s\nwant %s", name, i, got, want)
			}
		}
		again := importFiles(t, Options{Files: []string{file}, To: to})
		if again.Rows() != 0 || len(again.Known) != 1 {
			t.Errorf("%s: imported again: %d rows", name, again.Rows())
		}
	}
}

// A damaged file of each format is named with its reason, and a good one beside
// it is imported.
func TestDamagedFilesOfEachFormat(t *testing.T) {
	good := samples["llmperf"]
	for _, name := range presetNames() {
		s := samples[name]
		other := "llmperf"
		if name == other {
			other = "thefastest"
		}
		for _, c := range []struct {
			what, text string
			rows       int // of the damaged file; -1 for any
			want       string
		}{
			{"empty", "", 0, "empty|holds no re|not JSON|not CSV"},
			{"truncated", s.text[:len(s.text)*6/10], -1, "not JSON|ends in the middle|fits no format|not a row|cannot be read|"},
			{"with a BOM", "\xEF\xBB\xBF" + s.text, len(s.rows), ""},
			{"of another format", samples[other].text, 0, "not a file of|holds no re|no format|lack|not JSON|not CSV|of another|list of objects|sums|states no|not a|want"},
			{"nested", strings.Repeat("[", 20_000), 0, "not JSON|not CSV|holds no re|no format"},
			{"of a version to come", `{"schema":"v99","payload":{"items":[]}}`, 0, "not a file of|holds no re|sums|no start|states no|not CSV|left out|"},
		} {
			for _, format := range []string{name, Auto} {
				dir := t.TempDir()
				// Both under names of their own, or their checksums tell them apart.
				file := sampleFile(t, dir, s.name, c.text)
				beside := sampleFile(t, dir, "fireworks_70b.json", good.text+"\n ")
				files := []string{file}
				if format == Auto {
					files = append(files, beside)
				}
				res := importFilesLoose(t, Options{Format: format, Files: files, To: filepath.Join(dir, "to")})
				rows := 0
				for _, f := range res.Files {
					if f.Name == s.name {
						rows += f.Rows
					} else if format == Auto && f.Rows != len(good.rows) {
						t.Errorf("%s %s: %d rows of the good file beside it", name, c.what, f.Rows)
					}
				}
				if c.rows >= 0 && rows != c.rows && !(c.what == "of another format" && format == Auto) && !(c.what == "of another format" && rows == 0) {
					t.Errorf("%s (%s) %s: %d rows, want %d; faults %v", name, format, c.what, rows, c.rows, res.Faults())
				}
				if rows == 0 && len(res.Faults()) == 0 && len(res.Skipped()) == 0 {
					t.Errorf("%s (%s) %s: nothing came of it, and nothing is said", name, format, c.what)
				}
				said := ""
				for _, f := range res.Faults() {
					said += f.String()
				}
				if c.want != "" && rows == 0 && said != "" {
					found := false
					for _, w := range strings.Split(c.want, "|") {
						found = found || strings.Contains(said, w)
					}
					if !found {
						t.Errorf("%s (%s) %s: said %q", name, format, c.what, said)
					}
				}
			}
		}
	}
}

// What a tool publishes of its own run comes out of the imported rows.
func TestPublishedSummaries(t *testing.T) {
	dir := filepath.Join(corpus.Dir(t), "history")
	read := func(path string) (doc map[string]any) {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		var in io.Reader = f
		if strings.HasSuffix(path, ".gz") {
			if in, err = gzip.NewReader(f); err != nil {
				t.Fatal(err)
			}
		}
		if err := json.NewDecoder(in).Decode(&doc); err != nil {
			t.Fatal(err)
		}
		return doc
	}
	at := func(doc any, path ...string) float64 {
		for _, p := range path {
			m, _ := doc.(map[string]any)
			doc = m[p]
		}
		f, ok := doc.(float64)
		if !ok {
			t.Fatalf("no number at %v", path)
		}
		return f
	}
	rowsOf := func(path string) []schema.Request {
		to := filepath.Join(t.TempDir(), "to")
		importFiles(t, Options{Files: []string{path}, To: to})
		rows, _ := load(t, to)
		return rows
	}
	mean := func(x []float64) float64 {
		sum := 0.0
		for _, v := range x {
			sum += v
		}
		return sum / float64(len(x))
	}
	same := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6*math.Max(1, math.Abs(want)) {
			t.Errorf("%s: %v, the tool says %v", what, got, want)
		}
	}
	for _, f := range glob(t, filepath.Join(dir, "vllm", "*16.0qps*.json.gz")) {
		doc := read(f)
		var ttft, gaps []float64
		tokens := 0.0
		for _, q := range rowsOf(f) {
			// An answer without a token counts as one after 0 s there.
			v := 0.0
			if q.ReportedTTFTNs != nil {
				v = float64(*q.ReportedTTFTNs) / 1e6
			}
			ttft = append(ttft, v)
			for _, g := range q.ReportedGapsNs {
				gaps = append(gaps, float64(g)/1e6)
			}
			if q.ReportedOutputTokens != nil {
				tokens += float64(*q.ReportedOutputTokens)
			}
		}
		name := filepath.Base(f)
		same(name+" mean_ttft_ms", mean(ttft), at(doc, "mean_ttft_ms"))
		same(name+" median_ttft_ms", quantile(ttft, .5), at(doc, "median_ttft_ms"))
		same(name+" p99_ttft_ms", quantile(ttft, .99), at(doc, "p99_ttft_ms"))
		same(name+" median_itl_ms", quantile(gaps, .5), at(doc, "median_itl_ms"))
		same(name+" output_throughput", tokens/at(doc, "duration"), at(doc, "output_throughput"))
	}
	for _, f := range glob(t, filepath.Join(dir, "genai-bench", "*.json")) {
		doc := read(f)
		var ttft, e2e []float64
		for _, q := range rowsOf(f) {
			ttft, e2e = append(ttft, float64(*q.ReportedTTFTNs)/1e9), append(e2e, float64(*q.EndNs)/1e9)
		}
		for _, p := range []struct {
			name string
			at   float64
		}{{"p50", .5}, {"p95", .95}, {"p99", .99}} {
			same(filepath.Base(f)+" ttft "+p.name, quantile(ttft, p.at), at(doc, "aggregated_metrics", "stats", "ttft", p.name))
			same(filepath.Base(f)+" e2e_latency "+p.name, quantile(e2e, p.at), at(doc, "aggregated_metrics", "stats", "e2e_latency", p.name))
		}
	}
	f := filepath.Join(dir, "guidellm", "example_output~benchmarks.json")
	var ttft, latency, tokens []float64
	for _, q := range rowsOf(f) {
		if q.ReportedError == nil {
			ttft, latency, tokens = append(ttft, float64(*q.ReportedTTFTNs)/1e6), append(latency, float64(*q.EndNs)/1e9), append(tokens, float64(*q.ReportedOutputTokens))
		}
	}
	metrics := read(f)["benchmarks"].([]any)[0].(map[string]any)["metrics"]
	same("guidellm ttft", mean(ttft), at(metrics, "time_to_first_token_ms", "successful", "mean"))
	same("guidellm latency", mean(latency), at(metrics, "request_latency", "successful", "mean"))
	same("guidellm tokens", mean(tokens), at(metrics, "output_token_count", "successful", "mean"))
}

// Whatever a file holds, a mapping reads it to its end: rows, or words on why not.
func FuzzPresets(f *testing.F) {
	for _, name := range presetNames() {
		f.Add(name, []byte(samples[name].text))
	}
	f.Add("vllm", []byte(`{"tokenizer_id":"x","num_prompts":1,"ttfts":[[]],"itls":[1],"errors":[{}]}`))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		s, ok := samples[name]
		if !ok {
			return
		}
		dir := t.TempDir()
		path := sampleFile(t, dir, s.name, string(data))
		for _, format := range []string{name, Auto} {
			res, err := Import(t.Context(), Options{Format: format, Files: []string{path}, To: filepath.Join(dir, format)})
			if err != nil {
				t.Fatal(err)
			}
			if res.Rows() == 0 && len(res.Faults()) == 0 && len(res.Skipped()) == 0 {
				t.Errorf("%s: nothing came of it, and nothing is said: %q", format, data)
			}
		}
	})
}
