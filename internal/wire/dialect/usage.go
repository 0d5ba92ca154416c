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
	s.decideCost()
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
		case "num_search_queries", "web_search_requests", "num_sources_used", "grounding_requests":
			s.number(&u.Searches, m.val)
		case "search_context_size":
			u.SearchContext = s.str(m.val)
		case "speed", "service_tier", "serviceTier", "trafficType", "traffic_type":
			s.tier(m.val)
		case "inference_geo":
			s.note(&s.served.geo, m.val)
		case "cache_creation":
			s.number(&u.CacheWrite1h, get(m.val, "ephemeral_1h_input_tokens"))
		case "claude_cache_creation_1_h_tokens":
			s.number(&u.CacheWrite1h, m.val)
		case "cacheDetails":
			s.cacheDetails(m.val)
		case "promptTokensDetails", "prompt_tokens_by_modality", "input_tokens_by_modality":
			s.modalities(m.val, &u.AudioInputTokens, &u.ImageInputTokens)
		case "candidatesTokensDetails", "candidates_tokens_details", "output_tokens_by_modality":
			s.modalities(m.val, &u.AudioTokens, &u.ImageTokens)
		case "is_byok":
			s.byok = string(m.val) == "true"
		case "cost_details":
			s.costDetails(m.val)
		case "server_side_tool_usage_details", "server_side_tool_usage":
			s.serverTools(m.val)
		case "raw_prompt_token", "raw_prompt_tokens": // the input count again
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
				s.number(&u.CodeExecutions, get(m.val, "code_execution_requests"))
			}
		case "queue_time", "prompt_time", "completion_time", "total_time", "latency", "time_to_first_token", "e2e_latency",
			"output_tokens_per_second", "tokens_per_second", "prompt_tokens_per_second", "time_to_first_token_ms",
			"time_per_output_token_ms", "avg_tok_per_sec", "avg_prompt_tok_per_sec", "avg_compl_tok_per_sec",
			"total_time_sec", "total_prompt_time_sec", "total_completion_time_sec":
			s.usageTimed = true
		case "prompt_cache_miss_tokens", "citation_tokens",
			"prompt_audio_seconds", "market_cost", "fallback_credit", "copilot_usage", "pricing",
			"iterations", "request_count", "cacheTokensDetails", "toolUsePromptTokensDetails",
			"thoughtsTokensDetails", "cache_tokens_details", "tool_use_prompt_tokens_details", "num_server_side_tools_used",
			"cached_tokens_by_modality", "tool_use_tokens_by_modality", "grounding_tool_count", "context_details",
			"claude_cache_creation_5_m_tokens", "kv_cache_tokens", "images_tokens", "image_tokens", "text_tokens":
		default:
			s.unknown(path, m.key, m.val)
		}
	}
}

func (s *stream) inputDetails(path string, val []byte) {
	if isNull(val) {
		return
	}
	u := &s.usage
	if kindOf(val) == '[' { // a list splits the count by modality
		s.modalities(val, &u.AudioInputTokens, &u.ImageInputTokens)
		return
	}
	for m := s.object(path, val); m.next(); {
		switch string(m.key) {
		case "cached_tokens", "cache_read_tokens", "cache_read_input_tokens":
			s.number(&u.CachedTokens, m.val)
		case "cache_write_tokens", "cache_creation_tokens", "cache_creation_input_tokens", "cached_creation_tokens":
			s.number(&u.CacheWriteTokens, m.val)
		case "audio_tokens":
			s.number(&u.AudioInputTokens, m.val)
		case "image_tokens":
			s.number(&u.ImageInputTokens, m.val)
		case "cache_creation":
			s.number(&u.CacheWrite1h, get(m.val, "ephemeral_1h_input_tokens"))
		case "text_tokens", "video_tokens", "file_tokens", "cached_tokens_details", "cache_type", "cached_tokens_internal":
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
		case "image_tokens":
			s.number(&u.ImageTokens, m.val)
		case "text_tokens", "video_tokens":
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
	s.outputCost(get(val, "output_tokens_cost"))
	if text := s.str(get(val, "request_cost")); isAmount(text) {
		s.usage.RequestCostUSD = text
	}
	for _, name := range []string{"total_cost", "total"} {
		if v := get(val, name); v != nil {
			s.setCost(v)
			return
		}
	}
}

// costDetails: what a router paid upstream, by its parts.
func (s *stream) costDetails(val []byte) {
	if kindOf(val) == '{' {
		s.outputCost(get(val, "upstream_inference_completions_cost"))
		s.upstream = s.str(get(val, "upstream_inference_cost"))
	}
}

func (s *stream) outputCost(val []byte) {
	if text := s.str(val); isAmount(text) {
		s.usage.OutputCostUSD = text
	}
}

// decideCost: with the caller's own key a router takes nothing, or its fee
// alone, and what was spent is what its upstream took.
func (s *stream) decideCost() {
	u := &s.usage
	if s.byok && isAmount(u.ReportedCostUSD) {
		fee, _ := strconv.ParseFloat(u.ReportedCostUSD, 64)
		up, err := strconv.ParseFloat(s.upstream, 64)
		switch {
		case err == nil && fee == 0:
			u.ReportedCostUSD = s.upstream
		case err == nil && up >= 0:
			u.ReportedCostUSD = strconv.FormatFloat(fee+up, 'f', -1, 64)
		default:
			u.ReportedCostUSD = ""
		}
	}
	s.byok, s.upstream = false, ""
}

func isAmount(text string) bool {
	f, err := strconv.ParseFloat(text, 64)
	return err == nil && f >= 0 && f < 1e9
}

// tier keeps the tier that was served. Usage may name it under two keys
// (Anthropic's service_tier and speed): the one that is billed apart counts.
func (s *stream) tier(val []byte) {
	if kindOf(val) != '"' {
		return
	}
	switch strings.ToLower(s.str(val)) {
	case "", "none", "null", "traffic_type_unspecified":
	case "standard", "default", "auto", "on_demand", "on-demand":
		if s.served.tier == "" {
			s.note(&s.served.tier, val)
		}
	default:
		s.note(&s.served.tier, val)
	}
}

// modalities reads a count split by modality: [{"modality": "AUDIO", "tokenCount": 3}].
func (s *stream) modalities(val []byte, audio, image **int64) {
	if kindOf(val) != '[' {
		return
	}
	for e := s.array("", val); e.next(); {
		count := get(e.val, "tokenCount")
		for _, name := range []string{"token_count", "tokens"} {
			if count == nil {
				count = get(e.val, name)
			}
		}
		switch strings.ToUpper(s.str(get(e.val, "modality"))) {
		case "AUDIO":
			s.number(audio, count)
		case "IMAGE":
			s.number(image, count)
		}
	}
}

// cacheDetails reads Bedrock's list of cache writes by their lifetime.
func (s *stream) cacheDetails(val []byte) {
	if kindOf(val) != '[' {
		return
	}
	for e := s.array("", val); e.next(); {
		if s.str(get(e.val, "ttl")) == "1h" {
			s.number(&s.usage.CacheWrite1h, get(e.val, "inputTokens"))
		}
	}
}

// serverTools reads xAI's counts of tools that the server ran.
func (s *stream) serverTools(val []byte) {
	if kindOf(val) != '{' {
		return
	}
	sum := func(dst **int64, names ...string) {
		var total int64
		seen := false
		for _, name := range names {
			for _, key := range []string{name, strings.ToUpper("server_side_tool_" + strings.TrimSuffix(name, "_calls"))} {
				if n, ok := integer(get(val, key)); ok {
					total, seen = total+n, true
				}
			}
		}
		if seen {
			*dst = &total
		}
	}
	sum(&s.usage.Searches, "web_search_calls", "x_search_calls")
	sum(&s.usage.CodeExecutions, "code_interpreter_calls", "code_execution_calls")
	sum(&s.usage.FileSearches, "file_search_calls", "document_search_calls", "collections_search_calls")
}

func (s *stream) setCost(val []byte) {
	if text := s.str(val); isAmount(text) {
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
	for _, n := range []*int64{u.InputTokens, u.OutputTokens, u.TotalTokens, u.ReasoningTokens, u.CachedTokens, u.CacheWriteTokens, u.CacheWrite1h,
		u.ToolInputTokens, u.AudioInputTokens, u.ImageInputTokens, u.AudioTokens, u.ImageTokens, u.AcceptedTokens, u.RejectedTokens,
		u.Searches, u.CodeExecutions, u.FileSearches, u.MeteredInput, u.MeteredOutput} {
		if n != nil {
			return false
		}
	}
	return u.ReportedCostUSD == ""
}
