package runner

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
)

// An answer that claims what cannot be costs what it may cost at most, is noted
// once, and the run goes on.
func TestImpossibleCounts(t *testing.T) {
	for usage, want := range map[string]string{
		`"prompt_tokens":10000000000000,"completion_tokens":20`:                                           "10000000000000 input tokens",
		`"prompt_tokens":10,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":9000000}`:     "9000000 cached tokens",
		`"prompt_tokens":90000000,"completion_tokens":20`:                                                 "tokens for $13.5",
		`"prompt_tokens":10,"completion_tokens":20,"prompt_tokens_details":{"cached_tokens":5,"more":77}`: "",
	} {
		url := server(t, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: {\"choices\":[],\"usage\":{%s}}\n\ndata: [DONE]\n\n", usage)
		})
		result, rows, _ := record(t, "trials: 5\nwarmup: 0\nbudget: {usd: 5}\ntargets: [{provider: openai, model: gpt-4o-mini, base_url: "+url+"}]\n"+hello)
		notes := strings.Join(result.Run.Notes, "\n")
		if len(rows) != 5 || result.OverBudget || result.Status.SpentNano > 5*61_000 || strings.Contains(notes, "cannot be") != (want != "") || !strings.Contains(notes, want) || len(result.Run.Notes) > 1 {
			t.Errorf("%s: %d rows, %d nano-dollars, %q", usage, len(rows), result.Status.SpentNano, notes)
		}
	}
	url := server(t, func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"type":"message","role":"assistant","content":[{"type":"text","text":"Hi"}],"stop_reason":"end_turn","usage":{"input_tokens":10,"output_tokens":50000}}`)
	})
	result, _, _ := record(t, "trials: 1\nwarmup: 0\ntargets: [{provider: anthropic, model: claude-haiku-4-5, api: anthropic-messages, base_url: "+url+", params: {stream: false}}]\n"+hello)
	if notes := strings.Join(result.Run.Notes, "\n"); !strings.Contains(notes, "50000 output tokens of the 50 allowed") {
		t.Errorf("notes %q", notes)
	}
}
