package nearest

import "testing"

func TestLikely(t *testing.T) {
	for _, c := range []struct {
		word  string
		known []string
		want  string
	}{
		{"providr", []string{"provider", "model", "model_id"}, "provider"},
		{"modelid", []string{"provider", "model", "model_id"}, "model_id"},
		{"base-url", []string{"provider", "base_url"}, "base_url"},
		{"biuld", []string{"build", "sql"}, "build"},
		// Parts that are the same tell more than letters that are.
		{"ttft_ms", []string{"sent_ns", "reported_ttft_ns"}, "reported_ttft_ns"},
		{"input_tokens", []string{"dns_ns", "reported_input_tokens", "prompt_tokens_planned"}, "reported_input_tokens"},
		{"finish_reason", []string{"end_reason", "reported_finish_reason"}, "reported_finish_reason"},
		{"anthropic", []string{"gemini", "anthropic-messages"}, "anthropic-messages"},
		{"output", []string{"id", "output_reasoning_mtok", "output_mtok"}, "output_mtok"},
		// What is far, or alike in its unit alone, is no suggestion.
		{"zebra", []string{"run", "plan"}, ""},
		{"limits", []string{"name", "title", "decides"}, ""},
		{"xy_ms", []string{"idle_before_ms"}, ""},
		{"a", nil, ""},
	} {
		if got := Likely(c.word, c.known); got != c.want {
			t.Errorf("%s: got %q, want %q", c.word, got, c.want)
		}
	}
	if edits([]rune("ab"), []rune("ba")) != 1 || edits([]rune("kitten"), []rune("sitting")) != 3 {
		t.Error("edit distance is wrong")
	}
}

func TestOr(t *testing.T) {
	if got := Or("key", "limits", []string{"name", "title"}); got != "known: name, title" {
		t.Error(got)
	}
	if got := Or("key", "nmae", []string{"name", "title"}); got != `the nearest known key is "name"` {
		t.Error(got)
	}
}
