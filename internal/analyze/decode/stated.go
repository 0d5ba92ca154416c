package decode

import "aircheck/internal/wire/dialect"

// stated is what a provider states beside the text: usage, errors, and who served
// the response. A row of an event holds what that event states, a row of a
// response what all its events state in the end.
type stated struct {
	InputTokens      *int64  `col:"input_tokens" unit:"tokens" doc:"input tokens reported so far"`
	OutputTokens     *int64  `col:"output_tokens" unit:"tokens" doc:"output tokens reported so far"`
	TotalTokens      *int64  `col:"total_tokens" unit:"tokens" doc:"total tokens reported so far"`
	ReasoningTokens  *int64  `col:"reasoning_tokens" unit:"tokens" doc:"thinking tokens reported so far, inside or beside output_tokens"`
	CachedTokens     *int64  `col:"cached_tokens" unit:"tokens" doc:"input tokens read from a cache"`
	CacheWriteTokens *int64  `col:"cache_write_tokens" unit:"tokens" doc:"input tokens written to a cache"`
	CacheWrite1h     *int64  `col:"cache_write_1h_tokens" unit:"tokens" doc:"of these, kept for an hour"`
	ToolInputTokens  *int64  `col:"tool_input_tokens" unit:"tokens" doc:"input tokens from tools that the server ran, beside input_tokens"`
	AudioInputTokens *int64  `col:"audio_input_tokens" unit:"tokens" doc:"audio among the input tokens"`
	ImageInputTokens *int64  `col:"image_input_tokens" unit:"tokens" doc:"images among the input tokens"`
	AudioTokens      *int64  `col:"audio_tokens" unit:"tokens" doc:"audio among the output tokens"`
	ImageTokens      *int64  `col:"image_tokens" unit:"tokens" doc:"images among the output tokens"`
	AcceptedTokens   *int64  `col:"accepted_tokens" unit:"tokens" doc:"tokens of a sent prediction that were used"`
	RejectedTokens   *int64  `col:"rejected_tokens" unit:"tokens" doc:"tokens of a sent prediction that were not used, billed all the same"`
	Searches         *int64  `col:"searches" doc:"web searches billed apart"`
	CodeExecutions   *int64  `col:"code_executions" doc:"runs of code on the server, billed apart"`
	FileSearches     *int64  `col:"file_searches" doc:"searches in stored files, billed apart"`
	MeteredInput     *int64  `col:"metered_input_tokens" unit:"tokens" doc:"input tokens as a host counts them, beside what its model reports"`
	MeteredOutput    *int64  `col:"metered_output_tokens" unit:"tokens" doc:"output tokens as a host counts them, beside what its model reports"`
	SearchContext    *string `col:"search_context" doc:"size of the search that sets the fee of a request: low, medium or high"`
	CachedDisjoint   *bool   `col:"cached_disjoint" doc:"whether cached tokens stand beside input_tokens rather than inside"`
	ReportedCostUSD  *string `col:"reported_cost_usd" unit:"USD" doc:"cost as the provider states it, a decimal number"`
	OutputCostUSD    *string `col:"reported_output_cost_usd" unit:"USD" doc:"the part of it for output, where the provider itemises it"`
	RequestCostUSD   *string `col:"reported_request_cost_usd" unit:"USD" doc:"the part of it for the request as such, where the provider itemises it"`
	ErrorType        *string `col:"error_type" doc:"type of the error as the body words it"`
	ErrorCode        *string `col:"error_code" doc:"code of the error as the body words it"`
	ErrorMessage     *string `col:"error_message" doc:"message of the error as the body words it"`
	ServedModel      *string `col:"served_model" doc:"model that the response says it comes from"`
	ServedProvider   *string `col:"served_provider" doc:"provider that a router says it used"`
	Fingerprint      *string `col:"system_fingerprint" doc:"fingerprint of the serving configuration"`
	ServedTier       *string `col:"served_tier" doc:"service tier that the response states"`
	ServedGeo        *string `col:"served_geo" doc:"where the provider says that it computed, where it bills by that"`
	ResponseID       *string `col:"response_id" doc:"the provider's id of the response"`
	Timings          *string `col:"timings" doc:"the provider's own timing report (JSON)"`
}

// take adds what an event states. Usage is cumulative, so the last value of a
// field counts; of errors the first.
func (s *stated) take(e *dialect.Event) {
	if u := e.Usage; u != nil {
		number(&s.InputTokens, u.InputTokens)
		number(&s.OutputTokens, u.OutputTokens)
		number(&s.TotalTokens, u.TotalTokens)
		number(&s.ReasoningTokens, u.ReasoningTokens)
		number(&s.CachedTokens, u.CachedTokens)
		number(&s.CacheWriteTokens, u.CacheWriteTokens)
		number(&s.CacheWrite1h, u.CacheWrite1h)
		number(&s.ToolInputTokens, u.ToolInputTokens)
		number(&s.AudioInputTokens, u.AudioInputTokens)
		number(&s.ImageInputTokens, u.ImageInputTokens)
		number(&s.AudioTokens, u.AudioTokens)
		number(&s.ImageTokens, u.ImageTokens)
		number(&s.AcceptedTokens, u.AcceptedTokens)
		number(&s.RejectedTokens, u.RejectedTokens)
		number(&s.Searches, u.Searches)
		number(&s.CodeExecutions, u.CodeExecutions)
		number(&s.FileSearches, u.FileSearches)
		number(&s.MeteredInput, u.MeteredInput)
		number(&s.MeteredOutput, u.MeteredOutput)
		words(&s.SearchContext, u.SearchContext)
		words(&s.ReportedCostUSD, u.ReportedCostUSD)
		words(&s.OutputCostUSD, u.OutputCostUSD)
		words(&s.RequestCostUSD, u.RequestCostUSD)
		if s.CachedDisjoint == nil {
			s.CachedDisjoint = new(false)
		}
		*s.CachedDisjoint = *s.CachedDisjoint || u.CachedDisjoint
	}
	if e.Error != nil {
		firstWords(&s.ErrorType, e.Error.Type)
		firstWords(&s.ErrorCode, e.Error.Code)
		firstWords(&s.ErrorMessage, e.Error.Message)
	}
	words(&s.ServedModel, e.ServedModel)
	words(&s.ServedProvider, e.ServedProvider)
	words(&s.Fingerprint, e.Fingerprint)
	words(&s.ServedTier, e.ServiceTier)
	words(&s.ServedGeo, e.Geo)
	words(&s.ResponseID, e.ResponseID)
	if len(e.Timings) > 0 {
		s.Timings = text(e.Timings)
	}
}
