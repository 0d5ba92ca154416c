package dialect

import (
	"strconv"
	"strings"
)

// usageObject reads a usage object in any provider's spelling and gives it
// out. Null and negative numbers are no values.
func (s *stream) usageObject(path string, val []byte) {
	if s.readUsage(path, val) {
		s.giveUsage(val)
	}
}

// readUsage reads the object into s.usage without giving it out, so that a
// dialect can add what it keeps elsewhere. It reports whether there was any.
func (s *stream) readUsage(path string, val []byte) bool {
	s.usage = Usage{}
	if isNull(val) || kindOf(val) == '{' && len(val) == 2 {
		return false
	}
	s.usageFields(path, val)
	return true
}

// giveUsage gives s.usage. An object without any number is no usage.
func (s *stream) giveUsage(raw []byte) {
	if s.usage.empty() {
		s.metaAt("usage", 0)
		return
	}
	s.usage.Raw = raw
	s.blank(KindUsage, 0).Usage = &s.usage
	s.give()
	if s.usageTimed {
		s.timings("usage", raw)
		s.usageTimed = false
	}
}

// usageFields walks the object. What is known of usage but no count of tokens
// (prices beside the cost, durations, tiers) is kept in the raw object.
func (s *stream) usageFields(path string, val []byte) {
	u := &s.usage
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "prompt_tokens", "input_tokens", "inputTokens", "promptTokenCount", "prompt_token_count", "inputTokenCount",
			"prompt_eval_count", "total_input_tokens":
			s.number(&u.InputTokens, m.val)
		case "completion_tokens", "output_tokens", "outputTokens", "candidatesTokenCount", "candidates_token_count", "outputTokenCount",
			"eval_count", "generated_tokens", "total_output_tokens":
			s.number(&u.OutputTokens, m.val)
		case "total_tokens", "totalTokens", "totalTokenCount", "total_token_count":
			s.number(&u.TotalTokens, m.val)
		case "reasoning_tokens", "thoughtsTokenCount", "thoughts_token_count", "reasoningTokens", "total_thought_tokens", "thinking_tokens":
			s.number(&u.ReasoningTokens, m.val)
		case "cached_tokens", "cache_read_input_tokens", "prompt_cache_hit_tokens", "cachedContentTokenCount", "cached_content_token_count",
			"cacheReadInputTokens", "cacheReadInputTokenCount", "cached_input_tokens", "cache_read_tokens", "num_cached_tokens",
			"total_cached_tokens":
			s.number(&u.CachedTokens, m.val)
		case "cache_creation_input_tokens", "cacheWriteInputTokens", "cacheWriteInputTokenCount",
			"cache_write_tokens", "cache_creation_tokens":
			s.number(&u.CacheWriteTokens, m.val)
		case "toolUsePromptTokenCount", "tool_use_prompt_token_count", "total_tool_use_tokens":
			s.number(&u.ToolInputTokens, m.val)
		case "accepted_prediction_tokens":
			s.number(&u.AcceptedTokens, m.val)
		case "rejected_prediction_tokens":
			s.number(&u.RejectedTokens, m.val)
		case "num_search_queries", "web_search_requests", "num_sources_used":
			s.number(&u.Searches, m.val)
		case "cost":
			s.cost(m.val)
		case "total_cost", "estimated_cost":
			s.setCost(m.val)
		case "cost_in_usd_ticks":
			s.costTicks(m.val)
		case "prompt_tokens_details", "input_tokens_details", "prompt_token_details":
			s.inputDetails(path+"."+string(m.key), m.val)
		case "completion_tokens_details", "output_tokens_details", "completion_token_details":
			s.outputDetails(path+"."+string(m.key), m.val)
		case "server_tool_use", "serverToolUsage":
			if !empty(m.val) {
				s.number(&u.Searches, get(m.val, "web_search_requests"))
			}
		case "queue_time", "prompt_time", "completion_time", "total_time", "latency", "time_to_first_token", "e2e_latency",
			"output_tokens_per_second", "tokens_per_second", "prompt_tokens_per_second", "time_to_first_token_ms",
			"time_per_output_token_ms", "avg_tok_per_sec", "avg_prompt_tok_per_sec", "avg_compl_tok_per_sec",
			"total_time_sec", "total_prompt_time_sec", "total_completion_time_sec":
			s.usageTimed = true
		case "prompt_cache_miss_tokens", "citation_tokens", "search_context_size", "cost_details", "is_byok",
			"prompt_audio_seconds", "market_cost", "fallback_credit", "copilot_usage", "pricing",
			"cache_creation", "inference_geo", "service_tier", "serviceTier", "speed", "iterations", "request_count",
			"promptTokensDetails", "candidatesTokensDetails", "cacheTokensDetails", "toolUsePromptTokensDetails",
			"thoughtsTokensDetails", "candidates_tokens_details", "cache_tokens_details", "tool_use_prompt_tokens_details",
			"trafficType", "traffic_type", "server_side_tool_usage_details", "server_side_tool_usage", "num_server_side_tools_used",
			"cacheDetails", "input_tokens_by_modality", "output_tokens_by_modality", "cached_tokens_by_modality",
			"tool_use_tokens_by_modality", "grounding_tool_count", "prompt_tokens_by_modality", "context_details",
			"claude_cache_creation_1_h_tokens", "claude_cache_creation_5_m_tokens", "kv_cache_tokens",
			"images_tokens", "image_tokens", "text_tokens":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

func (s *stream) inputDetails(path string, val []byte) {
	if isNull(val) || kindOf(val) == '[' { // a list splits the count by modality
		return
	}
	u := &s.usage
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "cached_tokens", "cache_read_tokens", "cache_read_input_tokens":
			s.number(&u.CachedTokens, m.val)
		case "cache_write_tokens", "cache_creation_tokens", "cache_creation_input_tokens", "cached_creation_tokens":
			s.number(&u.CacheWriteTokens, m.val)
		case "audio_tokens":
			s.number(&u.AudioInputTokens, m.val)
		case "text_tokens", "image_tokens", "video_tokens", "file_tokens", "cached_tokens_details", "cache_type",
			"cache_creation", "cached_tokens_internal":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

func (s *stream) outputDetails(path string, val []byte) {
	if isNull(val) {
		return
	}
	u := &s.usage
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "reasoning_tokens", "thinking_tokens":
			s.number(&u.ReasoningTokens, m.val)
		case "audio_tokens":
			s.number(&u.AudioTokens, m.val)
		case "accepted_prediction_tokens":
			s.number(&u.AcceptedTokens, m.val)
		case "rejected_prediction_tokens":
			s.number(&u.RejectedTokens, m.val)
		case "text_tokens", "image_tokens", "video_tokens":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

// cost is a number, or an object of prices whose total counts.
func (s *stream) cost(val []byte) {
	if kindOf(val) != '{' {
		s.setCost(val)
		return
	}
	for _, name := range []string{"total_cost", "total"} {
		if v := get(val, name); v != nil {
			s.setCost(v)
			return
		}
	}
}

func (s *stream) setCost(val []byte) {
	text := s.str(val)
	if f, err := strconv.ParseFloat(text, 64); err == nil && f >= 0 && f < 1e9 {
		s.usage.ReportedCostUSD = text
	}
}

// costTicks: a tick is 1e-10 US dollars.
func (s *stream) costTicks(val []byte) {
	n, ok := integer(val)
	if !ok {
		return
	}
	digits := strconv.FormatInt(n, 10)
	if pad := 11 - len(digits); pad > 0 {
		digits = strings.Repeat("0", pad) + digits
	}
	point := len(digits) - 10
	s.usage.ReportedCostUSD = digits[:point] + "." + digits[point:]
}

func (u *Usage) empty() bool {
	for _, n := range []*int64{u.InputTokens, u.OutputTokens, u.TotalTokens, u.ReasoningTokens, u.CachedTokens, u.CacheWriteTokens,
		u.ToolInputTokens, u.AudioInputTokens, u.AudioTokens, u.AcceptedTokens, u.RejectedTokens, u.Searches} {
		if n != nil {
			return false
		}
	}
	return u.ReportedCostUSD == ""
}
