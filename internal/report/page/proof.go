package page

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
)

// proof leads from a sentence about two providers down to the bytes that it rests
// on: the comparison, its windows, two requests, their frames. Each step has its
// query.
type proof struct {
	a, b     string // a is the better one
	contest  *contest
	Compared detail
	Windows  *figure
	Requests *figure
	Frames   *detail
	Bytes    string // what arrived with the first token; "" where it is not shown
	first    int64  // its frame
	requests []int64
}

// pairWindow is one window of both providers: medians (ms) and how many.
type pairWindow struct {
	at     time.Time
	a, b   *float64
	na, nb int64
	key    string
}

const windowsSQL = `SELECT min(started_at) AS at, median(%[1]s) FILTER (provider = %[2]s) AS a, median(%[1]s) FILTER (provider = %[3]s) AS b,
       count(%[1]s) FILTER (provider = %[2]s) AS n_a, count(%[1]s) FILTER (provider = %[3]s) AS n_b, window_key
FROM results
WHERE measured AND %[4]s
GROUP BY window_key
HAVING a IS NOT NULL AND b IS NOT NULL
ORDER BY 1, 6`

const nearestSQL = `SELECT provider, request_id, started_at, %[1]s
FROM results
WHERE measured AND %[4]s AND window_key = %[5]s AND provider IN (%[2]s, %[3]s) AND %[1]s IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY provider ORDER BY abs(%[1]s - %[6]s), request_id) = 1
ORDER BY provider = %[3]s`

const framesSQL = `SELECT request_id, seq, part, kind, t_ns, coalesce(text_chars, 0) + coalesce(reasoning_chars, 0) + coalesce(tool_chars, 0) AS chars
FROM events
WHERE request_id IN (%s)
ORDER BY request_id, seq, part`

// is narrows results to a contest.
func (c *contest) is() string {
	s := "model = " + literal(c.model)
	where := func(column string, valid bool, value string) {
		if valid {
			s += " AND " + column + " = " + value
		} else {
			s += " AND " + column + " IS NULL"
		}
	}
	where("scenario", c.scenario.Valid, literal(c.scenario.String))
	where("concurrency", c.concurrency.Valid, fmt.Sprint(c.concurrency.Int64))
	where("vantage", c.vantage.Valid, literal(c.vantage.String))
	return s
}

// headlinePair is the pair that the first page's sentence rests on: the first side
// of its strongest supported flip, else the first two of the contest with the most
// evidence that has one leader; nil where nothing is decided.
func headlinePair(all []*contest, flips []flip) (c *contest, a, b string) {
	for _, f := range flips[:min(len(flips), 1)] {
		for _, c := range all {
			if f.supported() && c.key == f.key {
				return c, f.leader1, f.leader2
			}
		}
	}
	if c := mostEvident(mains(all), (*contest).decided); c != nil {
		lead := c.leaders()[0].provider
		for _, x := range c.timed() {
			if x.provider != lead {
				return c, lead, x.provider
			}
		}
	}
	return nil, "", ""
}

// newProof reads what a sentence rests on; nil where there is nothing to prove.
func newProof(ctx context.Context, src Source, l *words.Language, c *contest, a, b string, raw bool) (*proof, error) {
	if c == nil || !slices.Contains([]string{"ttft_net_ms", "e2e_ms"}, c.metric) {
		return nil, nil
	}
	p := &proof{a: a, b: b, contest: c}
	sql := fmt.Sprintf(windowsSQL, c.metric, literal(a), literal(b), c.is())
	windows, err := loadText(ctx, src, "proof: windows", sql, func(w *pairWindow) []any { return []any{&w.at, &w.a, &w.b, &w.na, &w.nb, &w.key} })
	if err != nil || len(windows) < 2 {
		return nil, err
	}
	if err := p.compare(ctx, src, l); err != nil {
		return nil, err
	}
	p.Windows = windowsFigure(l, c, a, b, windows)
	p.Windows.SQL = sql + ";"
	return p, p.two(ctx, src, l, windows, raw)
}

// sentence is what the page proves.
func (p *proof) sentence(l *words.Language) string {
	w := p.contest.words()
	return l.Say("%s %s %s than %s on %s", l.Name(p.a), w.Does, w.Better, l.Name(p.b), p.contest.where())
}

// compare is the first step: what each part of the sentence stands for.
func (p *proof) compare(ctx context.Context, src Source, l *words.Language) error {
	first, second := min(p.a, p.b), max(p.a, p.b)
	sql := fmt.Sprintf(`SELECT level_a, level_b, ratio, ratio_lo, ratio_hi, n_a, n_b, n_windows, n_effective, q, decided, coalesce(lasting, false)
FROM pairs
WHERE metric = %s AND %s AND provider_a = %s AND provider_b = %s`, literal(p.contest.metric), p.contest.is(), literal(first), literal(second))
	type sideRow struct {
		a, b, ratio, lo, hi, effective, q *float64
		na, nb, windows                   *int64
		decided, lasting                  bool
	}
	rows, err := loadText(ctx, src, "proof: pair", sql, func(r *sideRow) []any {
		return []any{&r.a, &r.b, &r.ratio, &r.lo, &r.hi, &r.na, &r.nb, &r.windows, &r.effective, &r.q, &r.decided, &r.lasting}
	})
	if err != nil {
		return err
	}
	w := p.contest.words()
	t := table{Caption: l.Say("The sentence, part by part"), Left: 2, Words: []int{2}, Head: []string{l.Say("It says"), l.Say("which is"), l.Say("Value")}}
	add := func(what, is, v string) { t.Rows = append(t.Rows, cells(text(what), text(is), text(v))) }
	for _, r := range rows {
		if p.a != first {
			r.a, r.b, r.na, r.nb = r.b, r.a, r.nb, r.na
		} else if r.ratio != nil {
			ratio := 1 / *r.ratio
			r.ratio, r.lo, r.hi = &ratio, inverse(r.hi), inverse(r.lo)
		}
		add(w.Does, l.Say("%s, of all measured requests in the windows that both have; a failed one is slower than any answer", w.Heading),
			l.Say("%s and %s", l.Count(orZero(r.na), "request"), l.Count(orZero(r.nb), "request")))
		if r.a != nil && r.b != nil {
			add(l.Say("%s before %s", l.Name(p.a), l.Name(p.b)), l.Say("geometric means over windows of their medians"), l.Say("%s and %s", l.Millis(*r.a), l.Millis(*r.b)))
		}
		if r.ratio != nil {
			add(l.Ratio(*r.ratio), l.Say("the ratio of the two, with its 95%% interval"), interval(l, r.ratio, r.lo, r.hi, l.Ratio, whyUnknown).Text)
		}
		if m := p.contest.metrics[p.contest.metric].Margin(); m != "" {
			add(w.Better, l.Say("beyond the margin, and not by chance: the share of such findings that are wrong is at most q"), l.Say("%s; q = %s", m, scientific(r.q)))
		}
		worth := ""
		if r.effective != nil {
			worth = human.Number(*r.effective)
		}
		add(p.contest.where(), l.Say("asked of both in the same windows, which are worth as many independent ones as stand here"), l.Say("%s, worth %s", l.Count(orZero(r.windows), "window"), worth))
		last := l.Say("no: these windows only")
		if r.lasting {
			last = l.Say("yes")
		}
		add(l.Say("at every hour"), l.Say("each quarter of the day was seen on two days or more"), last)
	}
	p.Compared = detail{ID: "proof-1", Title: l.Say("The sentence, part by part"), Sub: l.Say("What each part stands for, and the number behind it."), Table: t, SQL: sql + ";"}
	return nil
}

func inverse(v *float64) *float64 {
	if v == nil || *v == 0 {
		return nil
	}
	return new(1 / *v)
}

// scientific writes a small probability.
func scientific(v *float64) string {
	if v == nil {
		return human.None
	}
	if *v >= 0.001 {
		return human.Number(*v)
	}
	return fmt.Sprintf("%.1g", *v)
}

// windowsFigure is the second step: both providers in every window that they share.
func windowsFigure(l *words.Language, c *contest, a, b string, windows []pairWindow) *figure {
	f := &figure{ID: "f-windows"}
	var dots []chart.Dot
	var ties []chart.Segment
	var values []float64
	better := 0
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 1, Head: []string{l.Say("Window"), l.Name(a), l.Name(b), l.Say("Ratio"), l.Say("n")}}
	for _, w := range windows {
		if *w.a <= 0 || *w.b <= 0 {
			continue
		}
		x := float64(w.at.Unix())
		if *w.a < *w.b {
			better++
		}
		when := l.Date(w.at, "2 Jan 2006, 15:04")
		dots = append(dots, chart.Dot{X: x, Y: *w.a, Colour: chart.Blue, Tip: l.Say("%s: %s %s", when, l.Name(a), l.Millis(*w.a))},
			chart.Dot{X: x, Y: *w.b, Colour: chart.Ochre, Hollow: true, Tip: l.Say("%s: %s %s", when, l.Name(b), l.Millis(*w.b))})
		ties = append(ties, chart.Segment{X1: x, Y1: *w.a, X2: x, Y2: *w.b, Colour: chart.Grey, Width: 1})
		values = append(values, *w.a, *w.b)
		f.Table.Rows = append(f.Table.Rows, cells(text(when), text(l.Millis(*w.a)), text(l.Millis(*w.b)), text(l.Ratio(*w.b / *w.a)), text(human.Count(w.na)+" / "+human.Count(w.nb))))
	}
	first, last := float64(windows[0].at.Unix()), float64(windows[len(windows)-1].at.Unix())
	air := max((last-first)*0.02, 30)
	end := windows[len(windows)-1]
	f.chart = chart.Plot{ID: f.ID, X: chart.TimeAxis(first-air, last+air), Y: chart.LogAxis(values, 220, "ms"), Left: 58, Right: chart.Width([]string{a, b}, 130), Tall: 280, Narrow: 260,
		Marks: []chart.Mark{chart.Segments(ties...), chart.Dots(dots...),
			chart.Note(last, *end.a, words.Visible(a), chart.Blue, 1, 0), chart.Note(last, *end.b, words.Visible(b), chart.Ochre, 1, 0)}}
	f.Title = l.Say("%s is ahead in %d of %d windows", l.Name(a), better, len(windows))
	f.Sub = l.Say("Typical %s of both in each window that they share, %s. Log scale.", lower(c.words().Heading), c.where())
	return f
}

// asked is one of the two requests.
type asked struct {
	provider string
	id       int64
	at       time.Time
	ms       float64
}

// frame is an event of one of them.
type frame struct {
	request   int64
	seq, part int64
	kind      string
	ns        *int64
	chars     int64
}

// two is the third step and the fourth: two requests of the window whose ratio is
// the median, each nearest to its provider's median there, and their frames.
func (p *proof) two(ctx context.Context, src Source, l *words.Language, windows []pairWindow, raw bool) error {
	c := p.contest
	byRatio := slices.Clone(windows)
	slices.SortStableFunc(byRatio, func(x, y pairWindow) int { return cmp.Compare(*x.b / *x.a, *y.b / *y.a) })
	w := byRatio[len(byRatio)/2]
	middle := fmt.Sprintf("CASE provider WHEN %s THEN %v ELSE %v END", literal(p.a), *w.a, *w.b)
	sql := fmt.Sprintf(nearestSQL, c.metric, literal(p.a), literal(p.b), c.is(), literal(w.key), middle)
	pair, err := loadText(ctx, src, "proof: requests", sql, func(r *asked) []any { return []any{&r.provider, &r.id, &r.at, &r.ms} })
	if err != nil || len(pair) != 2 {
		return err
	}
	p.requests = []int64{pair[0].id, pair[1].id}
	sqlFrames := fmt.Sprintf(framesSQL, fmt.Sprintf("%d, %d", pair[0].id, pair[1].id))
	frames, err := loadText(ctx, src, "proof: frames", sqlFrames, func(f *frame) []any { return []any{&f.request, &f.seq, &f.part, &f.kind, &f.ns, &f.chars} })
	if err != nil {
		return err
	}
	frames = slices.DeleteFunc(frames, func(f frame) bool { return f.ns == nil })
	if len(frames) == 0 {
		p.requests = nil
		return nil // recorded without frames
	}
	f := &figure{ID: "f-requests", SQL: sql + ";\n\n" + sqlFrames + ";"}
	f.Table = table{Caption: l.Say("Numbers of the chart"), Left: 2, Head: []string{l.Say("Provider"), l.Say("Request"), l.Say("First token"), l.Say("Last token"), l.Say("Frames with content"), l.Say("Longest pause")}}
	data := chart.Plot{ID: f.ID, Left: chart.Width([]string{p.a, p.b}, 150), Right: 70, Tall: 150, Narrow: 150}
	var rows []string
	end := 0.0
	for i, r := range pair {
		rows = append(rows, words.Visible(r.provider))
		var at []float64
		for _, e := range frames {
			if e.request == r.id && e.chars > 0 {
				at = append(at, float64(*e.ns)/1e6)
			}
		}
		if len(at) == 0 {
			continue
		}
		stall, from := 0.0, 0.0
		for k := 1; k < len(at); k++ {
			if at[k]-at[k-1] > stall {
				stall, from = at[k]-at[k-1], at[k-1]
			}
		}
		last := at[len(at)-1]
		end = max(end, last)
		row := float64(i)
		data.Marks = append(data.Marks, chart.Segments(chart.Segment{X1: 0, Y1: row, X2: at[0], Y2: row, Colour: chart.Mid, Width: 1.2, Tip: l.Say("%s waits %s", l.Name(r.provider), l.Millis(at[0]))}),
			chart.Strokes(i, chart.Blue, 18, at, l.Say("%s: %s", l.Name(r.provider), l.Count(int64(len(at)), "frame with content"))),
			chart.Strokes(i, chart.Ink, 26, at[:1], l.Say("first token after %s", l.Millis(at[0]))),
			chart.Note(at[0], row, l.Say("first token %s", l.Millis(at[0])), chart.Ink, 0, 24),
			chart.Note(last, row, l.Millis(last), chart.Ink, 1, 0))
		if stall >= stallShown && stall > (last-at[0])*0.1 {
			data.Marks = append(data.Marks, chart.Segments(chart.Segment{X1: from, Y1: row, X2: from + stall, Y2: row, Colour: chart.Bad, Width: 3, Tip: l.Say("a pause of %s", l.Millis(stall))}),
				chart.Note(from+stall/2, row, l.Say("pause %s", l.Millis(stall)), chart.Bad, 0, -18))
		}
		f.Table.Rows = append(f.Table.Rows, cells(nameOf(l, r.provider), text(fmt.Sprint(r.id)), text(l.Millis(at[0])), text(l.Millis(last)), text(human.Count(int64(len(at)))), text(l.Millis(stall))))
	}
	if len(f.Table.Rows) == 0 {
		return nil
	}
	data.X = chart.LinearAxis(end, "ms")
	data.X.On, data.X.Grid = "top", true
	data.Y = chart.Axis{Rows: rows}
	f.chart = data
	f.Title = l.Say("Two requests, each nearest to its provider’s median in the middle window")
	f.Sub = l.Say("Sent on %s. A tick is a frame with content, at the time when it arrived; the request was sent at 0.", l.Date(w.at, "2 January 2006, 15:04"))
	p.Requests = f
	p.firstFrames(l, pair[0], frames)
	if raw {
		return p.bytes(ctx, src, pair[0].id)
	}
	return nil
}

// stallShown is from which pause (ms) on it is marked.
const stallShown = 100

// firstFrames lists the frames up to the one that ends the wait.
func (p *proof) firstFrames(l *words.Language, r asked, frames []frame) {
	t := table{Caption: l.Say("The first frames"), Left: 1, Words: []int{2, 4}, Head: []string{l.Say("Frame"), l.Say("Arrived after"), l.Say("Kind"), l.Say("Characters"), l.Say("First token?")}}
	done := false
	for _, f := range frames {
		if f.request != r.id || done && len(t.Rows) > 0 && f.chars == 0 {
			continue
		}
		counts := l.Say("no: nothing generated")
		if f.chars > 0 && !done {
			counts = l.Say("yes")
		} else if f.chars > 0 {
			counts = l.Say("no: a later one")
		}
		t.Rows = append(t.Rows, cells(text(fmt.Sprint(f.seq)), text(fmt.Sprintf("%.3f ms", float64(*f.ns)/1e6)), text(l.Term(f.kind)), text(human.Count(f.chars)), text(counts)))
		if done {
			break
		}
		done = f.chars > 0
	}
	p.Frames = &detail{ID: "proof-4", Title: l.Say("The frames: what ends the wait"), Table: t,
		Sub: l.Say("The first frames of %s’s request %d, with their times of arrival, to the microsecond.", l.Name(p.a), r.id),
		SQL: fmt.Sprintf("SELECT seq, t_ns / 1e6 AS ms, clock, octet_length(raw) AS bytes, raw\nFROM chunks\nWHERE request_id = %d\nORDER BY seq\nLIMIT 5;", r.id)}
}

// bytes reads the frame of the first token.
func (p *proof) bytes(ctx context.Context, src Source, id int64) error {
	type rawFrame struct {
		seq int64
		raw []byte
	}
	rows, err := loadText(ctx, src, "proof: bytes", fmt.Sprintf(`SELECT seq, raw
FROM chunks
WHERE request_id = %d AND seq <= (SELECT min(seq) FROM events WHERE request_id = %[1]d AND coalesce(text_chars, 0) + coalesce(reasoning_chars, 0) + coalesce(tool_chars, 0) > 0)
ORDER BY seq DESC
LIMIT 1`, id), func(r *rawFrame) []any { return []any{&r.seq, &r.raw} })
	if err != nil || len(rows) == 0 {
		return err
	}
	p.first = rows[0].seq
	p.Bytes = hexdump(rows[0].raw[:min(len(rows[0].raw), 256)])
	return nil
}

// hexdump writes bytes as offset, hex and text.
func hexdump(raw []byte) string {
	var b strings.Builder
	for i := 0; i < len(raw); i += 16 {
		line := raw[i:min(i+16, len(raw))]
		fmt.Fprintf(&b, "%04x  %-48s ", i, fmt.Sprintf("% x", line))
		for _, c := range line {
			if c < 0x20 || c > 0x7e {
				c = '.'
			}
			b.WriteByte(c)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
