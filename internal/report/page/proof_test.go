package page

import (
	"fmt"
	"strings"
	"testing"
)

// The proof of the first page's sentence counts the windows that a plain query
// over the requests counts, and names the request that lies nearest to the median
// of the middle window.
func TestProof(t *testing.T) {
	db := fixture(t)
	files := undrawn(t)
	page := files["proof.html"]
	if page == "" || !strings.Contains(files["index.html"], `href="proof.html"`) {
		t.Fatalf("no proof among %d files, or no link to it", len(files))
	}
	r, err := compose(t.Context(), db, options)
	if err != nil {
		t.Fatal(err)
	}
	var p *proof
	for _, o := range r.others {
		if o.Proof != nil {
			p = o.Proof
		}
	}
	var ahead, all int
	if err := db.QueryRow(fmt.Sprintf(`WITH w AS (
		SELECT window_name, quantile_cont(CASE WHEN provider = %[1]s THEN ttft_net_ms END, 0.5) a, quantile_cont(CASE WHEN provider = %[2]s THEN ttft_net_ms END, 0.5) b
		FROM results WHERE phase = 'measure' AND model = %[3]s GROUP BY window_name)
		SELECT count(*) FILTER (a < b), count(*) FROM w WHERE a IS NOT NULL AND b IS NOT NULL`, literal(p.a), literal(p.b), literal(p.contest.model))).Scan(&ahead, &all); err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("is ahead in %d of %d windows", ahead, all); !strings.Contains(page, want) {
		t.Errorf("the page does not say %q", want)
	}
}

func TestHexdump(t *testing.T) {
	got := hexdump([]byte("data: {\"é\"}\n\n"))
	if want := "0000  64 61 74 61 3a 20 7b 22 c3 a9 22 7d 0a 0a        data: {\"..\"}..\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
