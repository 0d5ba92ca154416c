package inference

import "testing"

// Excel leads a CSV file with a mark of UTF-8, which is no part of the header.
func TestScoresFromExcel(t *testing.T) {
	f, err := ReadScores([]byte("\xEF\xBB\xBFrequest_id,score\n7,0.5\n"), "scores.csv")
	if err != nil || f.ByID[7].value != 0.5 {
		t.Errorf("got %+v, %v", f, err)
	}
}
