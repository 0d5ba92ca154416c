// Package kill kills the recorder, as a process of its own, at random moments,
// and compares what it had recorded with the sender's own log.
package kill

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"aircheck/schema"
)

var (
	kills  = flag.Int("kills", 3, "how often the recorder is killed")
	fast   = flag.Bool("fast", false, "100,000 frames a second, sixteen a write on 64 streams")
	strict = flag.Bool("strict", false, "fail where more than the promised 25 ms are lost: for a machine that is quiet")
)

// sender streams answers and keeps its own log: when each frame was handed to the
// kernel.
type sender struct {
	mu      sync.Mutex
	streams []*stream
	began   chan struct{} // has an element for each request
}

type stream struct {
	mu   sync.Mutex
	sent []time.Time // after the write of each frame returned
}

// text is the frame n of a stream: nobody else sends the same.
func text(stream, n int) string {
	return fmt.Sprintf("data: {\"stream\":%d,\"n\":%d,\"choices\":[{\"index\":0,\"delta\":{\"content\":%q}}]}\n\n", stream, n, strings.Repeat("x", 60+n%120))
}

func (s *sender) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	st := &stream{}
	s.mu.Lock()
	number := len(s.streams)
	s.streams = append(s.streams, st)
	s.mu.Unlock()
	select {
	case s.began <- struct{}{}:
	default:
	}
	w.Header().Set("Content-Type", "text/event-stream")
	frames, together, pause := length(number), 1, time.Millisecond
	if *fast {
		together, pause = 16, 10*time.Millisecond
	}
	due := time.Now()
	var piece []byte
	for n := 0; n < frames; n += together {
		piece = piece[:0]
		for i := range together {
			piece = append(piece, text(number, n+i)...)
		}
		if _, err := w.Write(piece); err != nil {
			return
		}
		w.(http.Flusher).Flush()
		now := time.Now()
		st.mu.Lock()
		for range together {
			st.sent = append(st.sent, now)
		}
		st.mu.Unlock()
		due = due.Add(pause)
		time.Sleep(time.Until(due))
	}
}

// length is how many frames a stream has.
func length(stream int) int {
	if *fast {
		return 16 * (100 + stream%400)
	}
	return 50 + stream%400
}

const plans = `
trials: 100000
warmup: 0
targets: [{provider: p, model: m, base_url: "%s/v1"}]
scenarios: [{name: s, messages: [{role: user, content: hi}], concurrency: %d}]
`

func TestKill(t *testing.T) {
	if testing.Short() {
		t.Skip("a few seconds")
	}
	dir := t.TempDir()
	bin := filepath.Join(dir, "record")
	if out, err := exec.Command("go", "build", "-o", bin, "aircheck/cmd/record").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	s := &sender{began: make(chan struct{}, 1)}
	server := httptest.NewServer(s)
	defer server.Close()
	if err := os.WriteFile(filepath.Join(dir, "plan.yaml"), []byte(fmt.Sprintf(plans, server.URL, map[bool]int{false: 32, true: 64}[*fast])), 0o644); err != nil {
		t.Fatal(err)
	}
	traces := filepath.Join(dir, "traces")
	record := func(args ...string) *exec.Cmd {
		c := exec.Command(bin, args...)
		c.Dir, c.Stderr, c.Stdout = dir, new(bytes.Buffer), new(bytes.Buffer)
		return c
	}
	killed := make([]time.Time, *kills)
	first := make([]int, *kills) // streams that began before
	for k := range *kills {
		s.mu.Lock()
		first[k] = len(s.streams)
		s.mu.Unlock()
		select {
		case <-s.began:
		default:
		}
		c := record("run", "plan.yaml", "--to", traces)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		select {
		case <-s.began:
		case <-time.After(time.Minute):
			t.Fatalf("nothing was sent: %s", c.Stderr)
		}
		time.Sleep(time.Duration(rand.IntN(1500)) * time.Millisecond)
		killed[k] = time.Now()
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		c.Wait()
		server.CloseClientConnections()
		if k%2 == 0 { // else the next run recovers it
			if err := record("recover", "traces").Run(); err != nil {
				t.Errorf("recover: %v", err)
			}
		}
	}
	if err := record("recover", "traces").Run(); err != nil {
		t.Errorf("recover: %v", err)
	}
	faults, err := schema.Verify(context.Background(), traces)
	if err != nil || len(faults) > 0 {
		t.Fatalf("verify: %v %v", faults, err)
	}
	s.compare(t, traces, killed, first)
}

// compare reads what was recorded: of each stream the frames from the first on,
// byte for byte, each once.
func (s *sender) compare(t *testing.T, dir string, killed []time.Time, first []int) {
	d := &schema.Dataset{Dir: dir}
	runs, err := d.Runs()
	if err != nil {
		t.Fatal(err)
	}
	kept := map[int]int{} // frames by stream
	frames := 0
	for _, run := range runs {
		err := d.EachResponse(context.Background(), run, func(id int64, chunks []schema.Chunk) error {
			_, after, _ := strings.Cut(string(chunks[0].Raw), `"stream":`)
			number, _, _ := strings.Cut(after, ",")
			st, err := strconv.Atoi(number)
			if err != nil {
				t.Fatalf("a frame that nobody sent: %q", chunks[0].Raw)
			}
			if kept[st] > 0 {
				t.Errorf("stream %d was recorded twice", st)
			}
			for n, c := range chunks {
				if string(c.Raw) != text(st, n) {
					t.Errorf("stream %d, frame %d: %q", st, n, c.Raw)
				}
			}
			kept[st] = len(chunks)
			frames += len(chunks)
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	sent, span := 0, time.Duration(0)
	var lost []time.Duration // by kill, the longest time before it from which a frame is missing
	for k := range killed {
		last := len(s.streams)
		if k+1 < len(first) {
			last = first[k+1]
		}
		var worst time.Duration
		got := 0
		began := killed[k]
		for n := first[k]; n < last; n++ {
			st := s.streams[n]
			st.mu.Lock()
			if sent += len(st.sent); len(st.sent) > 0 && st.sent[0].Before(began) {
				began = st.sent[0]
			}
			got += kept[n]
			if kept[n] < len(st.sent) {
				worst = max(worst, killed[k].Sub(st.sent[kept[n]]))
			}
			st.mu.Unlock()
		}
		span += killed[k].Sub(began)
		lost = append(lost, worst)
	}
	slices.Sort(lost)
	t.Logf("%d kills, %d runs, %d frames kept of %.0f a second; lost at most the last %v (median %v)",
		len(killed), len(runs), frames, float64(sent)/span.Seconds(), lost[len(lost)-1], lost[len(lost)/2])
	if worst := lost[len(lost)-1]; *strict && worst > 25*time.Millisecond {
		t.Errorf("the last %v before a kill were lost", worst)
	}
	if frames == 0 {
		t.Error("nothing was kept")
	}
}
