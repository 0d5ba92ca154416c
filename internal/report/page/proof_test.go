package page

import (
	"database/sql"
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

// Where nobody answered, the first page says who was asked, and why.
func TestNobodyAnswered(t *testing.T) {
	all := []*contest{contestOf(cell{who: who{provider: "p"}}, cell{who: who{provider: "q"}})}
	status := int64(401)
	d := &data{failures: []failure{{provider: "p", outcome: "account", n: 3, status: &status}, {provider: "q", outcome: "connect_error", n: 3}}}
	if got, want := nobody(all, d), "Asked 2 providers, none answered: 401 at p, connect error at q"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	all[0].cells[0].answered = p(int64(1))
	if got := nobody(all, d); got != "" {
		t.Errorf("one answered, and the page says %q", got)
	}
}

// A provider clearly first on most models outweighs one pair of many that trades
// places.
func TestFindingsCompete(t *testing.T) {
	var main []*contest
	for range 3 {
		main = append(main, contestOf(ranked("A", 100, 1, 1), ranked("B", 300, 2, 2), ranked("C", 330, 3, 3), ranked("D", 400, 4, 4)))
	}
	one := flip{leader1: "B", leader2: "C", times1: p(2.0), times2: p(2.0)}
	one.verdict.String = "supported"
	got, weight := leader(main)
	if want := "A starts first on 3 of 3 models, typically 3.0× faster than the next"; got != want || weight <= weightOf([]flip{one}, main) {
		t.Errorf("%q (%v against %v), want %q", got, weight, weightOf([]flip{one}, main), want)
	}
}

// On cost and time together only intervals that lie apart say clearly beaten.
func TestStands(t *testing.T) {
	at := func(provider string, cost, ms, half float64) cell {
		return cell{who: who{provider: provider}, cost: &cost, costLo: p(cost - half), costHi: p(cost + half), p50: &ms, p50Lo: p(ms - half), p50Hi: p(ms + half)}
	}
	all := []cell{at("best", 10, 10, 1), at("near", 11, 11, 1), at("beaten", 20, 20, 1), at("slow but cheap", 5, 50, 1)}
	for i, want := range []standing{front, unclear, beaten, front} {
		if got := stands(all[i], all); got != want {
			t.Errorf("%s: %d, want %d", all[i].provider, got, want)
		}
	}
}

// In a log in which nobody is compared, what happened is the headline: hours
// without an answer, and times that moved.
func TestEventsOfALog(t *testing.T) {
	alone := []*contest{contestOf(ranked("A", 100, 1, 1))}
	name := func(s string) sql.NullString { return sql.NullString{String: s, Valid: true} }
	d := &data{metrics: alone[0].metrics, facts: []fact{
		{kind: "outage", provider: name("A"), model: name("m"), a: p(6 * 3600_000.0)},
		{kind: "outage", provider: name("A"), model: name("m"), a: p(700_000.0)},
		{kind: "moved", provider: name("A"), model: name("m"), scenario: name("ttft_net_ms"), a: p(1.5), b: p(200.0), c: p(300.0)},
	}}
	if got, want := event(alone, d), "A answered nothing on m for at least 6.0 hours; A on m: time to first token went from 200 ms to 300 ms (1.5×)"; plain(got) != want {
		t.Errorf("%q, want %q", plain(got), want)
	}
	compared := []*contest{contestOf(ranked("A", 100, 1, 1), ranked("B", 300, 2, 2))}
	if got := event(compared, d); got != "" {
		t.Errorf("providers are compared, and the page begins with %q", got)
	}
}

// Of many answers those stand that weigh most.
func TestAnswersCompete(t *testing.T) {
	all := heaviest([]answer{{Text: "a", weight: 1}, {Text: "b"}, {Text: "c", weight: 3}, {Text: ""}, {Text: "d", weight: 0.5}, {Text: "e", weight: 2}, {Text: "f", weight: 0.2}})
	var got []string
	for _, a := range all {
		got = append(got, a.Text)
	}
	if strings.Join(got, "") != "acdef" {
		t.Errorf("%v", got)
	}
}
