package inference

import (
	"context"
	"math"

	"aircheck/internal/analyze/stats"
	"aircheck/internal/kit/duck"
)

var likeForLikeStep = &Step{
	Name: "_like_for_like", Version: 3,
	Key:   []string{"metric", "model", "scenario", "concurrency", "vantage", "provider_a", "provider_b"},
	Needs: []string{"_alike", "metrics"},
	Columns: "metric VARCHAR, contest_id BIGINT, model VARCHAR, scenario VARCHAR, concurrency INTEGER, vantage VARCHAR, provider_a VARCHAR, provider_b VARCHAR, " +
		"n_a BIGINT, n_b BIGINT, raw DOUBLE, ratio DOUBLE, lo DOUBLE, hi DOUBLE, days INTEGER, overlap_a DOUBLE, overlap_b DOUBLE, p DOUBLE, q DOUBLE, " +
		"comparable BOOLEAN, decided BOOLEAN, why_not VARCHAR, live BOOLEAN, unlike BOOLEAN",
	Run: alikeRows,
}

// calls is one row of _alike.
type calls struct {
	contestKey
	provider string
	live     bool
	stats.Calls
}

// alikePair is what traffic says of two providers.
type alikePair struct {
	contestKey
	a, b    string
	live    bool
	nA, nB  int
	alike   stats.Alike
	days    stats.Alike // the same, of all kinds of a day together
	decided bool
}

// alikeRows compares the providers of each contest of live traffic over requests
// that are alike. All pairs of a metric are one family of tests.
func alikeRows(ctx context.Context, s *Call) error {
	metrics, err := Registry(ctx, s.Conn)
	if err != nil {
		return err
	}
	for i := range metrics {
		m := &metrics[i]
		rows, err := callsOf(ctx, s, m.Name)
		if err != nil {
			return err
		}
		var pairs []alikePair
		for _, contest := range Chunked(rows, func(c *calls) contestKey { return c.contestKey }) {
			providers := Chunked(contest, func(c *calls) string { return c.provider })
			for b := range providers {
				for a := range b {
					pairs = append(pairs, alikeOf(providers[a], providers[b]))
				}
			}
		}
		if err := appendAlike(s, m, pairs); err != nil {
			return err
		}
	}
	return nil
}

func alikeOf(a, b []calls) alikePair {
	out := alikePair{contestKey: a[0].contestKey, a: a[0].provider, b: b[0].provider, live: a[0].live || b[0].live}
	part := func(of []calls, n *int) (list []stats.Calls) {
		for _, c := range of {
			list = append(list, c.Calls)
			*n += c.N
		}
		return list
	}
	x, y := part(a, &out.nA), part(b, &out.nB)
	out.alike, out.days = stats.CompareAlike(x, y), stats.CompareAlike(byDay(x), byDay(y))
	return out
}

// byDay takes all kinds of a day together.
func byDay(list []stats.Calls) []stats.Calls {
	sums := map[string]stats.Calls{}
	for _, c := range list {
		s := sums[c.Day]
		sums[c.Day] = stats.Calls{Day: c.Day, N: s.N + c.N, Sum: s.Sum + c.Sum}
	}
	var out []stats.Calls
	for _, day := range sortedKeys(sums) {
		out = append(out, sums[day])
	}
	return out
}

// unlike reports whether the mixes differ so much that the ratio of what was asked
// is another: of the days that both have, less than half of a side's requests are
// of kinds that both have, or the ratio within kinds lies further from that of the
// days than the margin.
func (p *alikePair) unlike(m *Metric) bool {
	if p.days.Days == 0 {
		return false // nothing in common, kinds or none
	}
	if p.alike.OverlapA < stats.LeastOverlap*p.days.OverlapA || p.alike.OverlapB < stats.LeastOverlap*p.days.OverlapB {
		return true
	}
	return math.Abs(p.alike.Difference-p.days.Difference) > math.Log(m.Margin.Ratio)
}

func appendAlike(s *Call, m *Metric, pairs []alikePair) error {
	p := make([]*float64, len(pairs))
	for i := range pairs {
		if pairs[i].alike.Comparable {
			p[i] = &pairs[i].alike.P
		}
	}
	margin := math.Log(m.Margin.Ratio)
	for i, q := range stats.BenjaminiHochberg(p) {
		t := &pairs[i]
		var ratio, lo, hi, why any
		if t.alike.Days > 0 {
			ratio = math.Exp(t.alike.Difference)
		}
		if t.alike.Days > 1 {
			half := t.alike.Half(0.95)
			lo, hi = math.Exp(t.alike.Difference-half), math.Exp(t.alike.Difference+half)
		}
		beyond := math.Abs(t.alike.Difference) > margin
		switch {
		case min(t.alike.OverlapA, t.alike.OverlapB) < stats.LeastOverlap:
			why = string(stats.WhyMix)
		case t.alike.Days < stats.LeastDays:
			why = string(stats.WhyWindows)
		case *q <= FalseDiscovery && beyond:
			t.decided = true
		case *q <= FalseDiscovery:
			why = string(stats.WhyMargin)
		default:
			why = string(stats.WhyPower)
		}
		row := append([]any{m.Name, t.ContestID}, t.contestKey.values()...)
		row = append(row, t.a, t.b, int64(t.nA), int64(t.nB), math.Exp(t.alike.Raw), ratio, lo, hi, int32(t.alike.Days), t.alike.OverlapA, t.alike.OverlapB,
			number(p[i]), number(q), t.alike.Comparable, t.decided, why, t.live, t.unlike(m))
		if err := s.Append(row...); err != nil {
			return err
		}
	}
	return nil
}

func callsOf(ctx context.Context, s *Call, metric string) ([]calls, error) {
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT contest_id, model, scenario, concurrency, vantage, provider, live, kind, day, n, nano_logs
		FROM _alike
		WHERE metric = $1
		ORDER BY model, scenario, concurrency NULLS FIRST, vantage NULLS FIRST, provider, kind, day`, metric)
	if err != nil {
		return nil, duck.Wrap("_alike", err)
	}
	defer rows.Close()
	var out []calls
	for rows.Next() {
		var c calls
		var nano int64
		if err := rows.Scan(append(c.Into(), &c.provider, &c.live, &c.Stratum, &c.Day, &c.N, &nano)...); err != nil {
			return nil, err
		}
		c.Sum = float64(nano) / 1e9
		out = append(out, c)
	}
	return out, rows.Err()
}

// alikeVerdict is a row of _like_for_like as far as a comparison takes it over.
type alikeVerdict struct {
	ratio, lo, hi, p, q   maybe
	decided, live, unlike bool
	why                   stats.Why
}

type alikeKey struct {
	contestKey
	a, b string
}

// alikeVerdicts are those of one metric; of costs, those of the whole answer's time.
func alikeVerdicts(ctx context.Context, s *Call, m *Metric) (map[alikeKey]alikeVerdict, error) {
	metric := m.Name
	if m.sums() {
		metric = "e2e_ms"
	}
	rows, err := s.Conn.QueryContext(ctx, `
		SELECT contest_id, model, scenario, concurrency, vantage, provider_a, provider_b, ratio, lo, hi, p, q, decided, live, unlike, coalesce(why_not, '')
		FROM _like_for_like
		WHERE metric = $1`, metric)
	if err != nil {
		return nil, duck.Wrap("_like_for_like", err)
	}
	defer rows.Close()
	out := map[alikeKey]alikeVerdict{}
	for rows.Next() {
		var k alikeKey
		var v alikeVerdict
		var ratio, lo, hi, p, q *float64
		var why string
		if err := rows.Scan(append(k.Into(), &k.a, &k.b, &ratio, &lo, &hi, &p, &q, &v.decided, &v.live, &v.unlike, &why)...); err != nil {
			return nil, err
		}
		v.ratio, v.lo, v.hi, v.p, v.q, v.why = perhaps(ratio), perhaps(lo), perhaps(hi), perhaps(p), perhaps(q), stats.Why(why)
		out[k] = v
	}
	return out, rows.Err()
}

// alike puts into comparisons of live traffic what requests that are alike say of them:
// different windows of different requests decide nothing, and neither do costs of
// answers of different length. Imported rows that are not live are compared as
// any others, unless requests that are alike say something else.
func (c *compared) alike(m *Metric, comparisons []comparison, verdicts map[alikeKey]alikeVerdict) {
	for i := range comparisons {
		s := &comparisons[i]
		v, ok := verdicts[alikeKey{c.contests[s.contest], c.providers[s.a], c.providers[s.b]}]
		if !ok || m.Shares() {
			continue
		}
		if !v.live {
			if v.unlike && s.why != stats.WhyWindows {
				s.decided, s.lasting, s.minimum, s.why = false, false, maybe{}, stats.WhyMix
			}
			continue
		}
		s.minimum, s.lasting = maybe{}, v.decided // five days or more, hour by hour
		if m.sums() || s.period > 0 {
			s.decided, s.why = false, stats.WhyMix
			continue
		}
		s.ratio, s.lo, s.hi, s.pv, s.q, s.decided, s.why = v.ratio, v.lo, v.hi, v.p, v.q, v.decided, v.why
		s.evidence = stats.EvidenceWindows
		if !v.p.ok {
			s.evidence = stats.EvidenceNone
		}
		s.better = int8(m.Better(stats.Comparison{Ratio: s.ratio.pointer()}))
	}
}
