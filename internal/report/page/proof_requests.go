package page

import (
	"aircheck/internal/kit/human"
	"aircheck/internal/report/chart"
	"aircheck/internal/report/words"
	"cmp"
	"context"
	"encoding/hex"
	"fmt"
	"slices"
	"time"
)

const nearestSQL = `SELECT provider, request_id, started_at, %[1]s
FROM results
WHERE measured AND %[4]s AND window_key = %[5]s AND provider IN (%[2]s, %[3]s) AND %[1]s IS NOT NULL
QUALIFY row_number() OVER (PARTITION BY provider ORDER BY abs(%[1]s - %[6]s), request_id) = 1
ORDER BY provider = %[3]s`

const framesSQL = `SELECT request_id, seq, part, kind, t_ns, coalesce(text_chars, 0) + coalesce(reasoning_chars, 0) + coalesce(tool_chars, 0) AS chars
FROM events
WHERE request_id IN (%s)
ORDER BY request_id, seq, part`

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
	p.Bytes = hex.Dump(rows[0].raw[:min(len(rows[0].raw), 256)])
	return nil
}
