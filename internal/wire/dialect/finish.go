package dialect

import "strings"

// finishReasons brings the providers' spellings, in lower case, together.
var finishReasons = map[string]Finish{
	"stop": FinishStop, "end_turn": FinishStop, "stop_sequence": FinishStop, "eos": FinishStop,
	"eos_token": FinishStop, "complete": FinishStop, "completed": FinishStop, "finish": FinishStop,
	"endoftext": FinishStop, "end": FinishStop, "finished": FinishStop, "done": FinishStop, "stop_criteria_met": FinishStop,

	"length": FinishLength, "max_tokens": FinishLength, "max_output_tokens": FinishLength,
	"model_length": FinishLength, "model_context_window_exceeded": FinishLength, "context_length": FinishLength,
	"context_window_exceeded": FinishLength, "error_limit": FinishLength, "incomplete": FinishLength,

	"tool_calls": FinishTool, "tool_use": FinishTool, "tool_call": FinishTool, "function_call": FinishTool,
	"requires_action": FinishTool,

	"pause_turn": FinishPause,

	"content_filter": FinishFilter, "content_filtered": FinishFilter, "safety": FinishFilter,
	"recitation": FinishFilter, "prohibited_content": FinishFilter, "blocklist": FinishFilter, "spii": FinishFilter,
	"image_safety": FinishFilter, "refusal": FinishFilter, "guardrail_intervened": FinishFilter, "intervened": FinishFilter, "sensitive": FinishFilter,
	"error_toxic": FinishFilter, "language": FinishFilter, "blocked": FinishFilter, "model_armor": FinishFilter,

	"error": FinishError, "malformed_function_call": FinishError, "unexpected_tool_call": FinishError,
	"network_error": FinishError, "insufficient_system_resource": FinishError, "abort": FinishError,
	"malformed_model_output": FinishError, "malformed_tool_use": FinishError, "failed": FinishError, "cancelled": FinishError,
	"timeout": FinishError, "user_cancel": FinishError,
}

// finishOf puts a provider's finish reason into the common spelling.
func finishOf(reason string) Finish {
	if reason == "" {
		return FinishNone
	}
	if f, ok := finishReasons[strings.ToLower(reason)]; ok {
		return f
	}
	return FinishOther
}
