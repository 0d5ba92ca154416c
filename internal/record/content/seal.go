package content

import (
	"aircheck/internal/record/capture"
	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// Seal hides in a whole response the keys that no single frame shows. Where
// nothing but sizes can be kept, the row states what the answer reported.
func Seal(s *capture.Secrets, row *schema.Request, frames [][]byte) (note string) {
	if s.None() || row.HTTPStatus == nil || row.Detail != "chunks" {
		return ""
	}
	if row.ContentEncoding == nil {
		return s.Pieces(row, frames)
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
