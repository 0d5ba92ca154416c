package corpus_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/kit/duck"
	"aircheck/internal/tools/bench"
	"aircheck/schema"
)

// TestSpans: what the decoder counts in passing is what SQL finds in the events:
// first and last times, gaps, characters, usage, endings. Recordings that are
// imported carry few times, so they get some: random, equal, backward, missing.
func TestSpans(t *testing.T) {
	generated := filepath.Join(t.TempDir(), "generated")
	if _, _, err := bench.Responses(generated, 20_000, 1, 400, 1); err != nil {
		t.Fatal(err)
	}
	stamped := func(dir string) string {
		to := filepath.Join(t.TempDir(), "stamped")
		if err := stamp(t.Context(), dir, to); err != nil {
			t.Fatal(err)
		}
		return to
	}
	t.Run("generated", func(t *testing.T) { recompute(t, generated) })
	t.Run("generated, stamped", func(t *testing.T) { recompute(t, stamped(generated)) })
	t.Run("recordings", func(t *testing.T) { recompute(t, open(t).dir) })
	t.Run("recordings, stamped", func(t *testing.T) { recompute(t, stamped(open(t).dir)) })
}

func recompute(t *testing.T, dir string) {
	t.Helper()
	r, err := build.OpenFor(t.Context(), build.Options{Dir: dir}, "_reduced", "_streams", "_details", "events")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	text, err := os.ReadFile(filepath.Join("testdata", "spans.sql"))
	if err != nil {
		t.Fatal(err)
	}
	if err := duck.Exec(t.Context(), r, "spans.sql", string(text)); err != nil {
		t.Fatal(err)
	}
	columns, err := duck.Describe(t.Context(), r, "spans", "FROM decoded_spans")
	if err != nil {
		t.Fatal(err)
	}
	var names, differs []string
	for _, c := range columns {
		name := duck.Ident(c.Name)
		names = append(names, name)
		differs = append(differs, fmt.Sprintf("CASE WHEN a.%s IS DISTINCT FROM b.%s THEN '%s: ' || coalesce(a.%s::VARCHAR, 'NULL') || ' for ' || coalesce(b.%s::VARCHAR, 'NULL') END",
			name, name, c.Name, name, name))
	}
	list := strings.Join(names, ", ")
	rows, err := duck.Query(t.Context(), r, "spans", "SELECT coalesce(a.request_id, b.request_id), concat_ws('; ', "+strings.Join(differs, ", ")+
		") FROM (SELECT "+list+" FROM decoded_spans EXCEPT ALL SELECT "+list+" FROM recomputed) x JOIN decoded_spans a USING (request_id) FULL JOIN recomputed b ON b.request_id = x.request_id WHERE x.request_id IS NOT NULL LIMIT 10")
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows.Rows {
		t.Errorf("request %v: decoded %v", row...)
	}
	n, err := duck.Query(t.Context(), r, "spans", "SELECT (SELECT count(*) FROM decoded_spans), (SELECT count(*) FROM recomputed), (SELECT count(gap_p99_ns) FROM recomputed)")
	if err != nil {
		t.Fatal(err)
	}
	if n.Rows[0][0] != n.Rows[0][1] || n.Rows[0][0] == int64(0) {
		t.Errorf("%v responses are decoded, %v have events", n.Rows[0][0], n.Rows[0][1])
	}
	t.Logf("%v responses, %v with gaps", n.Rows[0][0], n.Rows[0][2])
}

// stamp copies the responses of a dataset three times, with other times.
func stamp(ctx context.Context, from, to string) (err error) {
	ds, err := schema.OpenDataset(from)
	if err != nil {
		return err
	}
	runs, err := ds.Runs()
	if err != nil {
		return err
	}
	w, err := schema.Create(to, "stamped")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			w.Abort()
		}
	}()
	g := rand.New(rand.NewPCG(7, 7))
	start := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	var ids schema.IDs
	for range 3 {
		for _, run := range runs {
			frames := map[int64][]schema.Chunk{}
			err := ds.EachResponse(ctx, run, func(id int64, rows []schema.Chunk) error {
				frames[id] = rows
				return nil
			})
			if err != nil {
				return err
			}
			err = ds.EachRequest(run, func(q *schema.Request) error {
				r, rows := *q, frames[q.RequestID]
				start = start.Add(time.Second)
				r.RequestID, r.StartedAtNs = ids.Next(start), new(start.UnixNano())
				restamp(g, r.RequestID, rows)
				w.Begin(r.RequestID)
				return w.Write(&r, rows)
			})
			if err != nil {
				return err
			}
		}
	}
	return w.Seal(&schema.Run{Name: "stamped", Origin: "simulated", Tool: "test", Host: "test"})
}

// restamp gives frames reads and times, in one of four styles: rounded to
// 10 ms, so that many are equal; here and there none; none at first; all.
func restamp(g *rand.Rand, id int64, frames []schema.Chunk) {
	read, at, style := int32(0), int64(1e8), g.IntN(4)
	for i := range frames {
		f := &frames[i]
		if i > 0 && g.IntN(3) > 0 {
			read++
			at += g.Int64N(20e6)
			if g.IntN(20) == 0 {
				at -= g.Int64N(50e6) // backwards
			}
		}
		f.RequestID, f.ReadSeq, f.TNs, f.TReadNs = id, read, new(at), new(at+1000)
		switch {
		case style == 0:
			f.TNs = new(at / 10e6 * 10e6)
		case style == 1 && g.IntN(10) == 0, style == 2 && i < 10:
			f.TNs = nil
		}
	}
}
