package schema

// Request is one row of the table requests: one request attempted, whatever
// became of it. A nil pointer is NULL, "unknown"; there are no sentinels.
//
// The struct is the table's only definition. Tag col names the column, doc says
// what it means; writer, reader, documentation and views all read these tags.
// A field that is no pointer is never NULL. Offsets are nanoseconds on the
// recorder's monotonic clock from the request's start.
type Request struct {
	// Identity.
	RunID           string  `col:"run_id" doc:"the run; sorts by start time"`
	Campaign        *string `col:"campaign" doc:"name that several runs of one plan share"`
	RequestID       int64   `col:"request_id" doc:"unique over runs, below 2^53, rises with time"`
	OrderIndex      int32   `col:"order_index" doc:"place in the run's sending order, from 0"`
	CallerRequestID *string `col:"caller_request_id" doc:"the id that the caller or the source gave the request"`
	SessionID       *string `col:"session_id" doc:"conversation or session that the request belongs to"`
	Attempt         int32   `col:"attempt" doc:"1 for the first try; the recorder itself never sends again"`

	// Cell.
	Provider    string  `col:"provider" doc:"who serves the model"`
	Model       string  `col:"model" doc:"canonical model name: what rankings compare"`
	ModelID     *string `col:"model_id" doc:"model name as sent"`
	API         *string `col:"api" doc:"dialect spoken: openai-chat, anthropic-messages, ..."`
	Host        *string `col:"host" doc:"host and port of the endpoint"`
	Region      *string `col:"region" doc:"region of the endpoint, as declared"`
	Vantage     *string `col:"vantage" doc:"where the client stood"`
	Scenario    *string `col:"scenario" doc:"name of the plan's scenario, or the declared slice of an import"`
	Workload    *string `col:"workload" doc:"kind of use: chat, batch, rag, agent, reasoning, bursty"`
	Concurrency *int32  `col:"concurrency" doc:"streams that the plan keeps open for this cell"`

	// Place in the plan.
	Phase      string  `col:"phase" doc:"warmup, measure, cold, burst, probe or live"`
	Window     *string `col:"window" doc:"the round of the plan, the calendar hour of live rows, or the run of an import: the unit of independence"`
	Trial      *int32  `col:"trial" doc:"number of the request within cell, window and phase, from 0"`
	BurstIndex *int32  `col:"burst_index" doc:"place in the burst, from 0"`
	InFlight   *int32  `col:"in_flight" doc:"streams open in the recorder when this one started, itself left out"`
	Probe      *string `col:"probe" doc:"name of the conformance probe, phase probe only"`
	ProbeArm   *string `col:"probe_arm" doc:"control or treatment, phase probe only"`

	// Meta, as declared in the plan or by headers.
	Precision    *string `col:"precision" doc:"declared weight precision, such as fp8"`
	Architecture *string `col:"architecture" doc:"dense or moe, as declared"`
	Reasoning    *bool   `col:"reasoning" doc:"whether the model is declared to think"`
	ServiceTier  *string `col:"service_tier" doc:"declared service tier"`
	Residency    *string `col:"residency" doc:"declared data residency"`
	Labels       *string `col:"labels" doc:"JSON object of further labels"`

	// Sent.
	RequestBody *string `col:"request_body" doc:"exact body sent (JSON)"`
	Params      *string `col:"params" doc:"JSON object of the parameters the plan declares for the cell"`
	PromptHash  *string `col:"prompt_hash" doc:"hash of the prompt before any nonce: equal prompts have equal hashes"`
	PromptIndex *int32  `col:"prompt_index" doc:"number of the prompt within the scenario, from 0"`
	PromptSize  *int32  `col:"prompt_tokens_planned" doc:"input length that the plan asked the prompt to be filled up to, in o200k tokens"`
	Checks      *string `col:"checks" doc:"JSON array of the checks that make an answer useful"`
	Ends        *string `col:"ends" doc:"natural: ending by length is truncation; length: it is the plan"`

	// Clock.
	ScheduledAtNs *int64  `col:"scheduled_at_ns" unit:"ns" doc:"when an open-loop schedule wanted the start, UTC epoch"`
	StartedAtNs   *int64  `col:"started_at_ns" unit:"ns" doc:"start of the request, UTC epoch; NULL only where a source has no time"`
	DNSNs         *int64  `col:"dns_ns" unit:"ns" doc:"duration of the name look-up"`
	ConnectNs     *int64  `col:"connect_ns" unit:"ns" doc:"duration of the TCP connect"`
	TLSNs         *int64  `col:"tls_ns" unit:"ns" doc:"duration of the TLS handshake"`
	SentNs        *int64  `col:"sent_ns" unit:"ns" doc:"offset at which the last request byte went to the kernel"`
	HeadersNs     *int64  `col:"headers_ns" unit:"ns" doc:"offset at which the response's head was complete"`
	EndNs         *int64  `col:"end_ns" unit:"ns" doc:"offset at which the request was over, however it ended"`
	CallerNs      *int64  `col:"caller_ns" unit:"ns" doc:"offset at which a proxy had got the request from its caller; not above 0"`
	CallerEndNs   *int64  `col:"caller_end_ns" unit:"ns" doc:"offset at which a proxy had handed the last byte to its caller"`
	IdleBeforeMs  *int64  `col:"idle_before_ms" unit:"ms" doc:"time since the recorder's last request to this provider and model ended"`
	ConnReused    *bool   `col:"conn_reused" doc:"whether an open connection served the request"`
	HTTPVersion   *string `col:"http_version" doc:"protocol of the response, such as HTTP/1.1"`

	// Received.
	Streamed        *bool   `col:"streamed" doc:"whether a stream was asked for"`
	HTTPStatus      *int32  `col:"http_status" doc:"status code; NULL when no response arrived"`
	ResponseHeaders *string `col:"response_headers" doc:"JSON object of lists, credentials and cookies dropped"`
	ContentEncoding *string `col:"content_encoding" doc:"encoding of the body as received; NULL for identity"`
	BytesReceived   *int64  `col:"bytes_received" unit:"bytes" doc:"body bytes received"`
	EndReason       *string `col:"end_reason" doc:"eof, unexpected_eof, reset, timeout_connect, timeout_first_byte, timeout_idle, timeout_total, refused, dns, tls, cancelled or limit"`
	ResetCode       *int32  `col:"reset_code" doc:"HTTP/2 error code of a reset stream"`
	ErrorText       *string `col:"error_text" doc:"the transport's own words on what went wrong"`

	// Origin.
	Origin string `col:"origin" doc:"recorded, proxied, simulated or imported:<format>"`
	Detail string `col:"detail" doc:"chunks: raw frames back this row; requests: the source has one record a request"`

	// Reported: what an imported source states itself and no chunk backs.
	ReportedTTFTNs          *int64   `col:"reported_ttft_ns" unit:"ns" doc:"time to first token, as the source states it"`
	ReportedLastTokenNs     *int64   `col:"reported_last_token_ns" unit:"ns" doc:"offset of the last token, as the source states it"`
	ReportedInputTokens     *int64   `col:"reported_input_tokens" unit:"tokens" doc:"input tokens, as the source states them"`
	ReportedOutputTokens    *int64   `col:"reported_output_tokens" unit:"tokens" doc:"output tokens, as the source states them"`
	ReportedReasoningTokens *int64   `col:"reported_reasoning_tokens" unit:"tokens" doc:"thinking tokens, as the source states them"`
	ReportedTokensPerS      *float64 `col:"reported_tokens_per_s" unit:"tokens/s" doc:"output speed, as the source states it, where its parts are not given"`
	ReportedGapsNs          []int64  `col:"reported_gaps_ns" unit:"ns" doc:"gaps between tokens, as the source states them; an empty list is NULL"`
	ReportedFinishReason    *string  `col:"reported_finish_reason" doc:"finish reason, as the source states it"`
	ReportedError           *string  `col:"reported_error" doc:"error, as the source states it"`
	ReportedText            *string  `col:"reported_text" doc:"answer text, as the source states it"`
	ReportedCostUSD         *float64 `col:"reported_cost_usd" unit:"USD" doc:"cost, as the source states it"`
}

// Chunk is one row of the table chunks: one frame as it arrived. Rows are
// ordered by (request_id, seq); concatenating Raw in that order gives the
// response body back, byte for byte.
type Chunk struct {
	RunID     string `col:"run_id" doc:"the run"`
	RequestID int64  `col:"request_id" doc:"the request"`
	Seq       int32  `col:"seq" doc:"number of the frame in its response, from 0"`
	ReadSeq   int32  `col:"read_seq" doc:"number of the read that completed the frame: frames of one read share it, and its time"`
	TNs       *int64 `col:"t_ns" unit:"ns" doc:"best known arrival of the frame's last byte, offset from the request's start; NULL where a source has no times"`
	TReadNs   *int64 `col:"t_read_ns" unit:"ns" doc:"return of the read that completed the frame"`
	TLoNs     *int64 `col:"t_lo_ns" unit:"ns" doc:"earliest that t_ns can have been; NULL unless the read brought several frames"`
	TOutNs    *int64 `col:"t_out_ns" unit:"ns" doc:"when a proxy began to hand the frame's last byte to its caller, offset from the request's start; NULL without a proxy"`
	Clock     string `col:"clock" doc:"what t_ns is: kernel, tap or read; none where a source has no times"`
	Complete  bool   `col:"complete" doc:"false for trailing bytes that ended without a frame's end"`
	Raw       []byte `col:"raw" doc:"the frame's exact bytes, as received"`
}
