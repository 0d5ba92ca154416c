package duck

import (
	"fmt"
	"testing"
)

// What a statement asks of events is known only where it says so itself.
func TestRestricted(t *testing.T) {
	db, err := Open(t.Context(), Options{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for query, want := range map[string]string{
		"FROM events WHERE request_id = 5":                                          "[5]",
		"SELECT * FROM events e WHERE kind = 'text' AND 7 = e.request_id":           "[7]",
		"FROM events WHERE request_id IN (6, 5, 6)":                                 "[5 6]",
		"FROM results JOIN events USING (request_id) WHERE request_id = 5":          "[5]",
		"FROM definitions(9)":                                                       "[9]",
		"SELECT (SELECT count(*) FROM events WHERE request_id = 5) FROM results":    "[5]",
		"SELECT count(*) FROM results":                                              "[]",
		"FROM events":                                                               "[]",
		"FROM events WHERE request_id = 5 OR seq = 0":                               "[]",
		"FROM events WHERE request_id > 5":                                          "[]",
		"FROM events WHERE seq = 5":                                                 "[]",
		"FROM results r JOIN events e ON true WHERE r.request_id = 5":               "[]",
		"FROM events WHERE request_id = 5 UNION ALL FROM events":                    "[]",
		"FROM events WHERE request_id = (SELECT min(request_id) FROM results)":      "[]",
		"FROM events WHERE request_id IN (5, seq)":                                  "[]",
		"FROM definitions(9) UNION ALL SELECT * FROM definitions(3)":                "[3 9]",
		"FROM definitions(9 + 1)":                                                   "[]",
		"WITH one AS (FROM events WHERE request_id = 4) SELECT * FROM one, results": "[4]",
		"FROM events a JOIN events b USING (seq) WHERE a.request_id = 1":            "[]",
	} {
		named, err := NamesIn(t.Context(), db, query)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(named.Restricted("request_id", []string{"events"}, []string{"definitions"})); got != want {
			t.Errorf("%s: %s, want %s", query, got, want)
		}
	}
}
