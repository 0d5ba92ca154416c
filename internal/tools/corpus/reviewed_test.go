package corpus_test

import (
	"strings"
	"testing"

	"aircheck/internal/kit/duck"
)

// surprises are the recordings that come to something else than a complete
// answer with an ending, or hold a frame that stays undecoded: by the end of
// their name, what comes of them, and why that is right. Each was looked up in
// its bytes.
var surprises = []struct{ file, outcome, why string }{
	// Without the record of its steps, nothing marks the end of what an agent of
	// Bedrock's says but the clean end of the body.
	{"agentinstrumentation-integration-agent-attributes-and_3073832749~recording.har", "ok", "an agent's stream"},
	{"bedrockagentinstrumentation-with-a-custom-tracer-prov_1528379976~recording.har", "ok", "an agent's stream"},
	{"bedrock-agent-custom-trace-provider-unnamed-test_3593248847~recording.har", "ok", "an agent's stream"},
	{"test_retrieve_and_generate_stream.yaml", "ok", "an agent's stream"},
	{"attributes-and-api-recording-should-re_4151747984~recording.har", "ok", "an agent's answer in one body, which ends with itself"},

	{"streaming-failure-empty-content.txt", "cut", "one candidate without content or finish reason"},
	{"streaming-failure-malformed-content.txt", "cut", "malformed on purpose: content without parts, no finish reason"},
	{"streaming-failure-unknown-model.txt", "unavailable", "an error body that says 404 and that the model is not found"},
	{"streaming-failure-prompt-blocked-safety-with-message.txt", "filtered", "the prompt was blocked: no candidate"},
	{"test_writer_async_streaming_completions_with_events_with_content.yaml", "ok", "pieces of text to the body's end: the dialect has neither finish reason nor [DONE]"},
	{"openai-phase.1.chunks.txt", "ok", "its maker left deltas out: the text that ends differs from them"},
	{"test_tools_streaming_variant_c.yaml", "ok", "its maker put a space before the first event, which holds no content"},

	{"test_anthropic_empty_response.yaml", "empty", "a text block that opens and closes, end_turn"},
	{"reasoningRequestTruncated~chat-completions~response-streaming.json", "starved", "finish reason length and no character: the budget went into thinking"},
	{"systemMessageArrayContent~responses~response-streaming.json", "starved", "256 of 256 output tokens are thinking"},
	{"openai_gpt_oss_20b_1_0~streaming.json", "starved", "thinking in tags until the limit"},
	{"codex_mini~object_streaming.json", "starved", "all output tokens are thinking"},
	{"deepseek_r1_0528~streaming.json", "starved", "reasoning_content until the limit"},

	{"anthropic-refusal.chunks.txt", "filtered", "stop_reason refusal"},
	{"stream-a-toolrefusal.sse", "filtered", "stop_reason refusal after text and part of a tool call"},
	{"173417d553406f034f643e5db3f8d591fb691ebac56f5ae39a22cc7d455c5353.bin", "filtered", "delta.refusal and no content"},
	{"test_nova_converse_stream.yaml", "filtered", "guardrail_intervened"},
	{"test_titan_converse_stream.yaml", "filtered", "guardrail_intervened"},
	{"test_guardrail_invoke_stream.yaml", "filtered", "amazon-bedrock-guardrailAction INTERVENED"},
	{"test_titan_invoke_stream.yaml", "filtered", "amazon-bedrock-guardrailAction INTERVENED"},

	{"stream-unknown-error-responses-1.json", "stream_error", "an error event and response.failed"},
	{"rewrite-query_2689977722~recording.har.yaml", "rejected", "406, unsupported API version"},
	{"rewrite-query_2689977722~recording.har.yaml", "stream_error", "event: error inside a 200"},
}

var met = map[int]bool{}

// review asks whether a call's outcome needs no word, or has one. values are
// those of the columns, after api and status.
func review(t *testing.T, c call, values []any) {
	t.Helper()
	text := func(i int) string { return duck.Text(values[i], "") }
	outcome, finish, terminator, undecoded := text(2), text(3), text(4), text(14)
	for i, s := range surprises {
		if strings.HasSuffix(c.file.name, s.file) && s.outcome == outcome {
			met[i] = true
			return
		}
	}
	switch {
	case undecoded != "" && undecoded != "0":
		t.Errorf("%s, call %d: %s undecoded frames", c.file.name, c.n, undecoded)
	case outcome == "ok" && (finish != "" || terminator == "done"):
	case outcome == "truncated": // as the finish reason says, else it would be another outcome
	default:
		t.Errorf("%s, call %d: %s (finish reason %q, terminator %s) is no surprise that was looked up", c.file.name, c.n, outcome, finish, terminator)
	}
}

// reviewed asks whether every surprise still is one.
func reviewed(t *testing.T) {
	t.Helper()
	for i, s := range surprises {
		if !met[i] {
			t.Errorf("%s: not %s any more (%s)", s.file, s.outcome, s.why)
		}
	}
}
