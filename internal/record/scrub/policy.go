package scrub

import (
	"encoding/base64"
	"regexp"
	"strings"

	"aircheck/internal/kit/jsonscan"
)

// What becomes of a string: unless its key says otherwise it is text, and filled.
type treatment uint8

const (
	text     treatment = iota
	word               // one of a dialect's own words: stays, without names of providers
	number             // an id: hashed
	fault              // words on what went wrong: stay, without names, hosts, ids and keys
	provider           // a router's word on who served
	nested             // JSON in base64
)

// keys lists the members whose strings are no text.
var keys = map[string]treatment{}

func init() {
	for t, list := range map[treatment]string{
		word: `type object role model modelversion model_version finish_reason finishreason stop_reason stopreason native_finish_reason
			done_reason status event event_type service_tier servicetier tier reason code blockreason block_reason category probability severity
			modality format encoding action guardrailaction amazon-bedrock-guardrailaction completionreason finish_reasons outcome
			 language effort detail_type phase kind level created_at createdat created timestamp time quality
			jsonpath search_context_size inference_geo region traffictype traffic_type performanceconfig latency latencymode`,
		number: `id request_id requestid response_id responseid message_id messageid item_id itemid call_id callid tool_call_id tool_use_id
			tooluseid previous_response_id generation_id generationid container_id containerid event_id eventid session_id sessionid
			conversation_id conversationid trace_id traceid invocation_id batch_id x_request_id system_fingerprint systemfingerprint
			safety_identifier user user_id userid organization organization_id account account_id project project_id prompt_cache_key`,
		provider: `provider provider_name served_by`,
		nested:   `bytes`,
	} {
		for _, k := range strings.Fields(list) {
			keys[k] = t
		}
	}
}

// wordPattern is what a dialect's own word looks like. What stands under its key
// and looks otherwise is text.
var wordPattern = regexp.MustCompile(`^[A-Za-z0-9_.:/@+$\[\] -]{0,96}$`)

func treat(p *jsonscan.Place, literal []byte) treatment {
	key := strings.ToLower(p.Key)
	if p.Within("error") || p.Within("errors") || key == "error" || key == "__type" {
		return fault
	}
	t := keys[key]
	switch {
	case t == word && !wordPattern.Match(literal):
		return text
	case t == nested:
		if _, err := base64.StdEncoding.DecodeString(string(literal)); err != nil {
			return text
		}
	}
	return t
}

// ownNames: members here have names that the user, or the model, made up.
func ownNames(p *jsonscan.Place) bool {
	for _, k := range []string{"args", "arguments", "properties", "$defs", "definitions", "logit_bias"} {
		if p.Inside(k) {
			return true
		}
	}
	return p.Inside("input") && !inputNames[strings.ToLower(p.Key)] && keys[strings.ToLower(p.Key)] == text
}

// inputNames are members of the inputs that dialects define themselves.
var inputNames = map[string]bool{
	"content": true, "text": true, "arguments": true, "output": true, "summary": true, "name": true, "annotations": true, "logprobs": true,
	"image_url": true, "file_data": true, "detail": true, "usage": true, "metadata": true, "toolresult": true,
}
