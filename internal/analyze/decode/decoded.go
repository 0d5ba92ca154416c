// Package decode turns the frames of a run into the decoded tables: events,
// what a response says, and what is counted in passing. It needs no engine.
package decode

import (
	"fmt"
	"path/filepath"
	"slices"

	"aircheck/internal/analyze/derived"
	"aircheck/internal/kit/columnar"
	"aircheck/internal/wire/dialect"
)

// The decoded tables, written once per run and decoder version. Events are as
// many as frames, so what every event has (event) is apart from what few have
// (detail).

// event is one part of one frame.
type event struct {
	RequestID int64  `col:"request_id" doc:"the request"`
	Seq       int32  `col:"seq" doc:"number of the frame in its response, from 0"`
	Part      int32  `col:"part" doc:"number of the event in its frame, from 0"`
	ReadSeq   int32  `col:"read_seq" doc:"number of the read that completed the frame"`
	TNs       *int64 `col:"t_ns" unit:"ns" doc:"arrival of the frame's last byte, offset from the request's start"`
	Kind      int32  `col:"kind" doc:"code of dialect.Kind"`
	Choice    int32  `col:"choice" doc:"index of the choice (candidate)"`
	Bytes     int32  `col:"bytes" unit:"bytes" doc:"size of the decoded text"`
	Chars     int32  `col:"chars" unit:"characters" doc:"Unicode characters of the decoded text"`
	Lead      int32  `col:"lead" doc:"3 the first content of its read, 2 the first content of its frame, 1 further content, 0 no content"`
	GapNs     *int64 `col:"gap_ns" unit:"ns" doc:"time since the read before it that brought content; on the first content of each read but the first"`
}

// storedEvent is how the file has an event: numbers that hardly ever change, or
// change together, share a column, since what a column costs to write it costs
// for every frame.
type storedEvent struct {
	RequestID int64  `col:"request_id"`
	Place     int64  `col:"place"` // seq above, read_seq in the lower 32 bits
	TNs       *int64 `col:"t_ns"`
	Part      int64  `col:"parts"` // choice above, part in the lower 32 bits
	Tags      int32  `col:"tags"`  // lead above, kind in the lower 8 bits
	Size      int64  `col:"size"`  // bytes − chars above, chars in the lower 32 bits
	GapNs     *int64 `col:"gap_ns"`
}

// EventColumnsSQL gives the columns of event that a file has in another form.
var EventColumnsSQL = map[string]string{
	"seq":      "(place >> 32)::INTEGER",
	"read_seq": "try_cast(place & 4294967295 AS INTEGER)",
	"choice":   "(parts >> 32)::INTEGER",
	"part":     "(parts & 4294967295)::INTEGER",
	"lead":     "tags >> 8",
	"kind":     "tags & 255",
	"chars":    "(size & 4294967295)::INTEGER",
	"bytes":    "((size & 4294967295) + (size >> 32))::INTEGER",
}

// detail is what an event says beside its text. Usage values are cumulative.
type detail struct {
	RequestID    int64   `col:"request_id" doc:"the request"`
	Seq          int32   `col:"seq" doc:"number of the frame"`
	Part         int32   `col:"part" doc:"number of the event in its frame"`
	Choice       int32   `col:"choice" doc:"index of the choice (candidate)"`
	FinishReason *string `col:"finish_reason" doc:"finish reason as the provider spells it"`
	Finish       *string `col:"finish" doc:"the same in one spelling: stop, length, tool, filter, error, pause or other"`
	stated
	ListedTokens   *int64  `col:"listed_tokens" unit:"tokens" doc:"tokens that the frame lists one by one"`
	Media          *string `col:"media" doc:"image, audio or video: a piece of generated output that is no text"`
	HiddenThinking *bool   `col:"hidden_thinking" doc:"true: thinking that is sent redacted, encrypted or empty"`
	Unmarked       *bool   `col:"unmarked" doc:"true: the dialect has no end marker, so the clean end of the body is that of the answer"`
	Path           *string `col:"path" doc:"field that an undecoded or meta event stands for"`
}

// stream is what is known of one response as a whole.
type stream struct {
	RequestID      int64  `col:"request_id" doc:"the request"`
	Frames         int32  `col:"frames" doc:"frames received"`
	Reads          int32  `col:"reads" doc:"reads that completed a frame"`
	Coalesced      int32  `col:"coalesced_frames" doc:"frames that came with others in one read"`
	Incomplete     int32  `col:"incomplete_frames" doc:"frames flagged incomplete"`
	LagNs          *int64 `col:"recorder_lag_ns" unit:"ns" doc:"largest time between the kernel's stamp and the recorder's read; NULL where no stamp says"`
	Choices        int32  `col:"choices" doc:"choices that brought content or an ending"`
	ContentFrames  int32  `col:"content_frames" doc:"frames with generated content"`
	ContentReads   int32  `col:"content_reads" doc:"reads with generated content"`
	AnswerReads    int32  `col:"answer_reads" doc:"of these, those whose first content is answer"`
	Undecoded      int32  `col:"undecoded_frames" doc:"frames with a field that the decoder does not know"`
	TextChars      int64  `col:"text_chars" unit:"characters" doc:"characters of visible text"`
	RefusalChars   int64  `col:"refusal_chars" unit:"characters" doc:"characters of a refusal in its own field"`
	ToolChars      int64  `col:"tool_chars" unit:"characters" doc:"characters of tool calls"`
	ReasoningChars int64  `col:"reasoning_chars" unit:"characters" doc:"characters of thinking, as far as shown"`
	DoneSeq        *int32 `col:"done_seq" doc:"frame of the stream's own end marker"`
	ErrorSeq       *int32 `col:"error_seq" doc:"frame of the first error"`

	FirstFrameNs     *int64 `col:"first_frame_ns" unit:"ns" doc:"earliest time of a frame"`
	LastFrameNs      *int64 `col:"last_frame_ns" unit:"ns" doc:"latest time of a frame"`
	FirstEventNs     *int64 `col:"first_event_ns" unit:"ns" doc:"earliest time of a frame that is more than a comment or a ping"`
	FirstTextNs      *int64 `col:"first_text_ns" unit:"ns" doc:"earliest time of visible text"`
	LastTextNs       *int64 `col:"last_text_ns" unit:"ns" doc:"latest time of visible text"`
	FirstReasoningNs *int64 `col:"first_reasoning_ns" unit:"ns" doc:"earliest time of thinking"`
	LastReasoningNs  *int64 `col:"last_reasoning_ns" unit:"ns" doc:"latest time of thinking"`
	FirstToolNs      *int64 `col:"first_tool_ns" unit:"ns" doc:"earliest time of a tool call"`
	LastToolNs       *int64 `col:"last_tool_ns" unit:"ns" doc:"latest time of a tool call"`
	FirstRefusalNs   *int64 `col:"first_refusal_ns" unit:"ns" doc:"earliest time of a refusal in its own field"`
	LastRefusalNs    *int64 `col:"last_refusal_ns" unit:"ns" doc:"latest time of a refusal in its own field"`

	LongestNs      *int64   `col:"longest_ns" unit:"ns" doc:"longest gap between reads with content; a stamp before an earlier one leaves a gap of 0"`
	LongestAfterNs *int64   `col:"longest_after_ns" unit:"ns" doc:"time of the read before the longest gap, the first of equal ones"`
	GapP50Ns       *float64 `col:"gap_p50_ns" unit:"ns" doc:"median of these gaps, linearly interpolated"`
	GapP99Ns       *float64 `col:"gap_p99_ns" unit:"ns" doc:"99th percentile of these gaps, linearly interpolated"`

	FirstChars     *int64 `col:"first_chars" unit:"characters" doc:"characters of content in the first read that brought any"`
	FirstTokens    *int64 `col:"first_tokens" unit:"tokens" doc:"tokens in that read, where its frames tell"`
	FirstAnsChars  *int64 `col:"first_answer_chars" unit:"characters" doc:"characters of answer in the first read that brought any"`
	FirstAnsTokens *int64 `col:"first_answer_tokens" unit:"tokens" doc:"tokens in that read, where its frames tell"`
	AnswerBlank    bool   `col:"answer_blank" doc:"no visible text but white space"`
	ShownO200k     *int64 `col:"shown_o200k" unit:"tokens" doc:"o200k tokens of text, refusal and tool calls; NULL where texts were not kept"`
	AnswerO200k    *int64 `col:"answer_o200k" unit:"tokens" doc:"the same, where no usage that can be believed is reported"`
	UsageFinal     *bool  `col:"usage_final" doc:"whether output was counted with the last content or after it; NULL where it was not counted"`
	ReasoningO200k *int64 `col:"reasoning_o200k" unit:"tokens" doc:"o200k tokens of the thinking shown"`

	stated
	Media          *string `col:"media" doc:"image, audio or video: what of the output is no text; the last of several"`
	HiddenThinking bool    `col:"hidden_thinking" doc:"thinking was sent redacted, encrypted or empty"`
	Unmarked       bool    `col:"unmarked" doc:"the dialect has no end marker, so the clean end of the body is that of the answer"`
	ListedTokens   *int64  `col:"listed_tokens" unit:"tokens" doc:"tokens that frames list one by one, in all"`

	// A choice ends with its last finish reason: some say stop in every frame, and
	// the real one at the end. The response has the worst of its choices', in
	// whatever order they came.
	FinishedChoices *int64  `col:"finished_choices" doc:"choices that ended; NULL where nothing was reported"`
	FinishSeq       *int32  `col:"finish_seq" doc:"frame of the ending"`
	FinishReason    *string `col:"finish_reason" doc:"finish reason as the provider spells it"`
	Finish          *string `col:"finish" doc:"the same in one spelling: stop, length, tool, filter, error or other"`
}

// input is read from requests whose responses leave their tokens in doubt.
type input struct {
	RequestID  int64  `col:"request_id" doc:"the request"`
	InputO200k *int64 `col:"input_o200k" unit:"tokens" doc:"o200k tokens of the texts of the request"`
	MaxTokens  *int64 `col:"max_tokens" unit:"tokens" doc:"output that the request allows"`
}

// answer is what a response says. Text, Reasoning and Refusal are those of the
// first choice; ToolCalls covers all.
type answer struct {
	RequestID int64   `col:"request_id" doc:"the request"`
	Text      *string `col:"text" doc:"visible text of the first choice"`
	Reasoning *string `col:"reasoning" doc:"thinking of the first choice, as far as shown"`
	Refusal   *string `col:"refusal" doc:"text of a refusal that has its own field"`
	ToolCalls *string `col:"tool_calls" doc:"JSON list of tool calls: choice, index, id, name, arguments (as sent, a string), ambiguous where fragments could not be told apart"`
	Others    *string `col:"other_choices" doc:"JSON list of the texts of further choices"`
}

var (
	eventTable  = columnar.NewTable[event]()
	storedTable = columnar.NewTable[storedEvent](slices.Concat(columnar.Fast(), columnar.Plain("t_ns", "gap_ns"), columnar.Searched("request_id"))...)
	detailTable = columnar.NewTable[detail](columnar.Fast()...)
	streamTable = columnar.NewTable[stream](columnar.Fast("response_id", "error_message", "timings", "reported_cost_usd")...)
	inputTable  = columnar.NewTable[input](columnar.Fast()...)
	answerTable = columnar.NewTable[answer](columnar.Fast("text", "reasoning", "refusal", "tool_calls", "other_choices")...)
)

// Table is a decoded table: its file in a piece's directory is NAME.parquet.
type Table struct {
	Name    string
	Columns []columnar.Column
	Events  bool // decoded when a query needs events
}

// Tables lists the decoded tables. The run is not in their files: the
// directory's name says it, and a column of one repeated string would cost as
// much time to write as a real one.
func Tables() []Table {
	return []Table{
		{"events", eventTable.Columns(), true},
		{"details", detailTable.Columns(), true},
		{"streams", streamTable.Columns(), false},
		{"inputs", inputTable.Columns(), false},
		{"answers", answerTable.Columns(), false},
	}
}

// Paths are the files of a job's directory.
func Paths(dir string, events bool) (out []string) {
	for _, t := range Tables() {
		if t.Events == events {
			out = append(out, filepath.Join(dir, t.Name+".parquet"))
		}
	}
	return out
}

// Whole reports whether dir holds all tables of a job.
func Whole(dir string, events bool) bool {
	var files []string
	for _, t := range Tables() {
		if t.Events == events {
			files = append(files, t.Name+".parquet")
		}
	}
	return derived.Whole(dir, files...)
}

// TablesVersion is the version of the decoded tables beside the decoders' own.
const TablesVersion = 10

// DirName is the directory of the cache that holds what these decoders and
// tables make.
func DirName(events bool) string {
	name := "decoded"
	if events {
		name = "events"
	}
	return fmt.Sprintf("%s-d%d.%d", name, Decoders.Version, TablesVersion)
}

// Decoders make the events; their version names what was made of these. A test
// puts older ones in their place.
var Decoders = struct {
	Version int
	Of      func(api string, m dialect.Meta) dialect.Decoder
}{dialect.Version, dialect.New}
