package service

import (
	"context"
	"fmt"
	"strings"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/tools/groundtruth"
)

// question is asked of every world: its query gives a row for each world, named
// in the first column, or for each thing in it that may be found; the second
// column says whether it was.
type question struct {
	what    string
	planted bool
	query   string
}

// questions are what the views are held to. What is planted must be found in
// four worlds of five at least; what is not, in one of twenty at most: of worlds
// where a view gives a verdict, of rows where it gives an interval at 95 %.
func questions() []question {
	probe := func(verdict, where string) string {
		return "SELECT model, " + verdict + " FROM conformance WHERE probe IN ('" + strings.Join(probed, "', '") + "') AND " + where + " GROUP BY model"
	}
	by := func(view, columns, where string) string {
		return fmt.Sprintf("SELECT model, %s FROM %s WHERE %s", columns, view, where)
	}
	pair := "provider IN ('" + Plain + "', '" + Twin + "')"
	alone := "provider = '" + Planted + "'"
	return []question{
		{"load: the throughput cliff", true, by("load", "contains(cliff, 'throughput') AND cliff_verdict = 'supported'", alone+" AND scenario = 'loop' AND concurrency = 8")},
		{"load: first tokens beyond the cliff", true, by("load", "contains(cliff, 'first token')", alone+" AND scenario = 'loop' AND concurrency = 8")},
		{"load: failures beyond the cliff", true, by("load", "contains(cliff, 'failures')", alone+" AND scenario = 'loop' AND concurrency = 8")},
		{"load: a cliff supported where none is", false, "SELECT model, bool_or(cliff_verdict = 'supported') FROM load WHERE scenario = 'loop' AND (" + pair + " OR concurrency < 8) GROUP BY model"},
		{"throughput: the interval of the slow-down misses it", false, fmt.Sprintf("SELECT model, slowdown_lo > %[1]v OR slowdown_hi < %[1]v FROM throughput WHERE scenario = 'loop' AND concurrency = 8 AND %[2]s", slowdown(Plain, 8), pair)},
		{"throughput: the interval of a stream's slow-down misses it", false, fmt.Sprintf("SELECT model, stream_slowdown_lo > %[1]v OR stream_slowdown_hi < %[1]v FROM throughput WHERE scenario = 'loop' AND concurrency = 4 AND %[2]s", slowdown(Plain, 4), pair)},
		{"outages: the planted one, within its bounds", true, fmt.Sprintf("SELECT model, max(min_ms) BETWEEN 120000 AND %[1]d AND max(max_ms) >= %[1]d FROM outages WHERE scenario = 'ping' AND %s AND failures >= 8 GROUP BY model", (outageUntil - outageFrom).Milliseconds(), alone)},
		{"outages: two minutes at least where nothing was planted", false, "SELECT model, bool_or(min_ms >= 120000) FROM outages WHERE scenario = 'ping' AND " + pair + " GROUP BY model"},
		{"availability: the line that was down", true, `SELECT r.model, count(s.request_id) > 0.9 * count(*) FROM results r LEFT JOIN _suspects s ON s.request_id = r.request_id
			WHERE r.outcome = 'connect_error' GROUP BY r.model`},
		{"availability: the line suspected for a provider's own outage", false, `SELECT r.model, 2 * count(s.request_id) > count(*) FROM results r LEFT JOIN _suspects s ON s.request_id = r.request_id
			WHERE r.outcome = 'server_error' GROUP BY r.model`},
		{"cold_starts: the penalty", true, by("cold_starts", "verdict = 'supported' AND claim = 'penalty'", alone)},
		{"cold_starts: a penalty where none is", false, by("cold_starts", "verdict = 'supported' AND claim = 'penalty'", pair)},
		{"cold_starts: the interval of the penalty misses it", false, fmt.Sprintf("SELECT model, penalty_lo_ms > %[1]v OR penalty_hi_ms < %[1]v FROM cold_starts WHERE %s", coldMs, alone)},
		{"bursts: the last place waits", true, by("bursts", "behind_first_lo_ms > 0", alone+fmt.Sprintf(" AND burst_index = %d", burstSize-1))},
		{"bursts: a place waits where none does", false, by("bursts", "behind_first_lo_ms > 0", pair+" AND burst_index > 0")},
		{"prefill: growth with the input", true, by("prefill", "ms_per_1k_tokens_lo > 0", alone)},
		{"prefill: growth where there is none", false, by("prefill", "ms_per_1k_tokens_lo > 0", pair)},
		{"prefill: the interval misses the slope", false, fmt.Sprintf("SELECT model, ms_per_1k_tokens_lo > %[1]v OR ms_per_1k_tokens_hi < %[1]v FROM prefill WHERE %s", 1000*perToken, alone)},
		{"prefill: the interval misses the waiting", false, fmt.Sprintf("SELECT model, overhead_lo_ms > %[1]v OR overhead_hi_ms < %[1]v FROM prefill WHERE %s", quantile(0.5), alone)},
		{"conformance: all that is ignored", true, probe("count(*) FILTER (claim = 'ignored') = 8", alone)},
		{"conformance: seven of eight that are honoured", true, probe("count(*) FILTER (claim = 'honoured') >= 7", "provider = '"+Plain+"'")},
		{"conformance: called ignored or rejected where it is honoured", false, probe("bool_or(claim IN ('ignored', 'rejected'))", pair)},
		{"conformance: called honoured where it is ignored", false, probe("bool_or(claim = 'honoured')", alone)},
		{"conformance: usage twice what others report", true, by("conformance", "claim = 'ignored'", alone+" AND probe = 'usage_count'")},
		{"workload_fit: kept", true, fits(alone+" OR "+pair, "met", 1, 4)},
		{"workload_fit: broken", true, fits(alone+" OR "+pair, "missed", 2, 5)},
		{"workload_fit: decided where the truth lies on the limit", false, fits(alone+" OR "+pair, "met", 3, 6) + " UNION ALL " + fits(alone+" OR "+pair, "missed", 3, 6)},
		{"workload_fit: broken where it is kept", false, fits(alone+" OR "+pair, "missed", 1, 4)},
		{"workload_fit: kept where it is broken", false, fits(alone+" OR "+pair, "met", 2, 5)},
	}
}

func fits(providers, claim string, places ...int) string {
	return fmt.Sprintf("SELECT model, coalesce(claim = '%s' AND verdict = 'supported', false) FROM workload_fit WHERE concurrency = 1 AND place IN (%d, %d) AND (%s)", claim, places[0], places[1], providers)
}

// Count makes worlds of so many seeds and counts what the views find in them.
func Count(ctx context.Context, seeds int) ([]groundtruth.Finding, error) {
	var t tables
	for seed := range seeds {
		t.write(seed)
	}
	t.limits = limits()
	schema, err := build.LoadSchema(ctx)
	if err != nil {
		return nil, err
	}
	db, err := duck.Open(ctx, duck.Options{})
	if err != nil {
		return nil, err
	}
	defer db.Close()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	all := questions()
	var queries []string
	for _, q := range all {
		queries = append(queries, "("+q.query+")")
	}
	if err := t.load(ctx, schema, conn, strings.Join(queries, " UNION ALL ")); err != nil {
		return nil, err
	}
	var out []groundtruth.Finding
	for _, q := range all {
		rows, err := duck.Query(ctx, conn, q.what, q.query)
		if err != nil {
			return nil, err
		}
		f := groundtruth.Finding{What: q.what, Planted: q.planted, Of: len(rows.Rows)}
		for _, r := range rows.Rows {
			if found, _ := r[1].(bool); found {
				f.Found++
			}
		}
		if f.Of < seeds {
			return nil, fmt.Errorf("%s: %d rows for %d worlds", q.what, f.Of, seeds)
		}
		out = append(out, f)
	}
	return out, nil
}
