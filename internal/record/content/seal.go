package content

import (
	"fmt"

	"aircheck/internal/record/capture"
	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// Seal hides in a whole response the keys that no single frame shows. Where
// nothing but sizes can be kept, the row states what the answer reported.
//
// A response that is too large for memory comes in stretches: more says that another
// follows. Of a compressed one nothing can be read that way, and nothing is kept.
func Seal(s *capture.Secrets, row *schema.Request, frames [][]byte, more bool) (note string) {
	switch {
	case s.None() || row.HTTPStatus == nil:
		return ""
	case row.ContentEncoding != nil && row.Detail != "chunks":
		capture.Withhold(frames) // the rest of one of which nothing is kept
		return ""
	case row.Detail != "chunks":
		return ""
	case row.ContentEncoding == nil:
		return s.Pieces(row, frames)
	case more:
		capture.Withhold(frames)
		row.Detail = "requests"
		return fmt.Sprintf("request %d: its compressed body is too large to be searched for keys: sizes and times of its frames are kept, and no bytes", row.RequestID)
	}
	report := NewReport(row)
	for _, raw := range frames {
		report.Frame(&journal.Frame{Raw: raw})
	}
	if note = s.Pieces(row, frames); note != "" {
		report.Fill(row)
		// The times of tokens are those of compressed blocks, and not known here.
		row.ReportedTTFTNs, row.ReportedLastTokenNs, row.ReportedGapsNs = nil, nil, nil
	}
	return note
}
