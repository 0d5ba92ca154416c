package words

import (
	"fmt"
	"slices"
	"testing"
)

var (
	margin   = new(0.1)
	starts   = Metric{"ttft_net_ms", "ms", false, margin, new(50.0), Words{"Time to first token", "starts", "start", "first tokens arrive", "first", "faster", "slower"}, nil}
	finishes = Metric{"e2e_ms", "ms", false, margin, new(50.0), Words{"Time to the whole answer", "finishes", "finish", "answers are complete", "first", "faster", "slower"}, nil}
	streams  = Metric{"tokens_per_s", "tokens/s", true, margin, nil, Words{"Output speed", "streams", "stream", "", "fastest", "faster", "slower"}, nil}
	costs    = Metric{"cost_per_useful_usd", "USD", false, margin, nil, Words{"Cost per useful result", "costs", "cost", "", "least", "less", "more"}, nil}
	answers  = Metric{"answered_share", "share", true, nil, new(0.01), Words{"Share answered", "answers", "answer", "", "most often", "more often", "less often"}, nil}
)

func times(v, lo, hi float64) Times { return Times{&v, &lo, &hi} }

func TestFlip(t *testing.T) {
	base := Flip{Axis: "model", Metric: starts, Leader1: "A", Leader2: "B", At1: "m1", At2: "m2",
		Times1: times(3.02, 2.6, 3.4), Times2: times(5.1, 4.4, 6.04), Windows1: 12, Windows2: 12, Decided1: true, Decided2: true, Evidence: "windows"}
	with := func(edit func(f *Flip)) Flip { f := base; edit(&f); return f }
	for _, c := range []struct {
		want string
		flip Flip
	}{
		{"A starts 3.0× faster than B on m1 (2.6–3.4), and 5.1× slower on m2 (4.4–6.0); both hold over 12 windows", base},
		{"A starts 3.0× faster than B on m1 (2.6–3.4), and 5.1× slower on m2 (4.4–6.0); both hold over 12 and 14 windows",
			with(func(f *Flip) { f.Windows2 = 14 })},
		{"A tends to start 3.0× faster than B on m1 (2.6–3.4), and 5.1× slower on m2 (4.4–6.0); the first holds over 12 windows, the second is a tendency",
			with(func(f *Flip) { f.Decided2 = false })},
		{"A tends to start 3.0× faster than B on m1 (2.6–3.4), and 5.1× slower on m2 (4.4–6.0); the second holds over 12 windows, the first is a tendency",
			with(func(f *Flip) { f.Decided1 = false })},
		{"A tends to start 3.0× faster than B on m1 (2.6–3.4), and 5.1× slower on m2 (4.4–6.0); 12 windows do not settle it",
			with(func(f *Flip) { f.Decided1, f.Decided2 = false, false })},
		{"A tends to start 3.0× faster than B on m1 (2.6 or more), and 5.1× slower on m2; a tendency, from 1 window only",
			with(func(f *Flip) {
				f.Decided1, f.Decided2, f.Evidence, f.Windows1, f.Windows2 = false, false, "within", 1, 1
				f.Times1.Hi, f.Times2.Lo, f.Times2.Hi = nil, nil, nil
			})},
		{"A starts 3.0× faster than B on m1 (2.6–3.4), and 5.1× slower on m2 (4.4–6.0), in chat, 8 at a time, from fra1; both hold over 12 windows",
			with(func(f *Flip) { f.Setting = (*Language)(nil).Setting("chat", 8, "fra1") })},
		{"A tends to start 3.0× faster than B on m1 (2.6–3.4), and 5.1× slower on m2 (4.4–6.0); a tendency that nothing tests",
			with(func(f *Flip) { f.Decided1, f.Decided2, f.Evidence = false, false, "none" })},
		{"A finishes 3.0× faster than B with 1 at a time (2.6–3.4), and 5.1× slower with 8 at a time (4.4–6.0); both hold over 12 windows",
			with(func(f *Flip) { f.Metric, f.Axis, f.At1, f.At2 = finishes, "concurrency", "1", "8" })},
		{"A streams 3.0× faster than B in the first half (2.6–3.4), and 5.1× slower in the second half (4.4–6.0); both hold over 12 windows",
			with(func(f *Flip) { f.Metric, f.Axis, f.At1, f.At2 = streams, "period", "first half", "second half" })},
		{"A costs 3.0× less than B in chat (2.6–3.4), and 5.1× more in rag (4.4–6.0); both hold over 12 windows",
			with(func(f *Flip) { f.Metric, f.Axis, f.At1, f.At2 = costs, "scenario", "chat", "rag" })},
		{"A starts 3.0× faster than B (2.6–3.4), but B streams 5.1× faster (4.4–6.0); both hold over 12 windows",
			with(func(f *Flip) { f.Axis, f.At1, f.At2, f.Metric2 = "metric", "ttft_net_ms", "tokens_per_s", streams })},
		{"A answers more often than B on m1 (100% to 97.1%), and less often on m2 (91.0% to 98.0%); both hold over 12 windows",
			with(func(f *Flip) {
				f.Metric = answers
				f.Levels1, f.Levels2 = [2]*float64{new(1.0), new(0.971)}, [2]*float64{new(0.91), new(0.98)}
			})},
	} {
		if got := c.flip.Text(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
	if got, want := base.Claim(), "A starts 3.0× faster than B on m1, and 5.1× slower on m2"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	base.Times1.Value = nil
	if got, want := base.Claim(), "A starts faster than B on m1, and 5.1× slower on m2"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func ranked(provider string, v float64, lo, hi int64) Standing {
	return Standing{provider, v, &lo, &hi}
}

func TestContest(t *testing.T) {
	for _, c := range []struct {
		want      string
		metric    Metric
		standings []Standing
	}{
		{"no answer arrived from any provider", starts, nil},
		{"half of A’s first tokens arrive within 240 ms", starts, []Standing{{Provider: "A", Value: 240}}},
		{"A starts first, 100 ms to B’s 200 ms", starts, []Standing{ranked("B", 200, 2, 2), ranked("A", 100, 1, 1)}},
		// The leader by the test need not have the smallest median.
		{"B starts first in common windows, though 110 ms to A’s 100 ms over all", starts, []Standing{ranked("A", 100, 2, 2), ranked("B", 110, 1, 1)}},
		{"A and B start first, too close to tell apart", starts, []Standing{ranked("A", 100, 1, 2), ranked("B", 200, 1, 2), ranked("C", 900, 3, 3)}},
		{"A and B start first, less than 50 ms apart", starts, []Standing{ranked("A", 11, 1, 2), ranked("B", 30, 1, 2), ranked("C", 300, 3, 3)}},
		{"A tends to start first, 100 ms to B’s 160 ms", starts, []Standing{ranked("A", 100, 1, 2), ranked("B", 160, 1, 2)}},
		{"A and B tend to start first, less than 50 ms apart", starts, []Standing{ranked("A", 100, 1, 3), ranked("B", 110, 1, 3), ranked("C", 900, 1, 3)}},
		{"A and B are less than 10% apart", starts, []Standing{ranked("A", 1000, 1, 2), ranked("B", 1090, 1, 2)}},
		{"B streams fastest, 100 tokens/s to A’s 50 tokens/s", streams, []Standing{ranked("A", 50, 2, 2), ranked("B", 100, 1, 1)}},
		{"A costs least, $0.0010 to B’s $0.0040", costs, []Standing{ranked("A", 0.001, 1, 1), ranked("B", 0.004, 2, 2)}},
		{"B answers most often, 100% to A’s 90.0%", answers, []Standing{ranked("A", 0.9, 2, 2), ranked("B", 1, 1, 1)}},
		{"A and B are less than 1 point apart", answers, []Standing{ranked("A", 1, 1, 2), ranked("B", 1, 1, 2)}},
		{"no clear leader: 4 of 5 providers are less than 50 ms apart", starts,
			[]Standing{ranked("A", 1, 1, 4), ranked("B", 2, 1, 4), ranked("C", 3, 1, 4), ranked("D", 4, 1, 4), ranked("E", 500, 5, 5)}},
	} {
		if got := Contest(c.metric, c.standings); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// The setting with a test comes before the one with more models, and that before
// the one with more requests.
func TestEvidence(t *testing.T) {
	of := func(contests ...[2][]int64) (e Evidence) {
		for _, c := range contests {
			e.Add(c[0], c[1])
		}
		return e
	}
	few := of([2][]int64{{1, 1}, {6, 6}})
	models := of([2][]int64{{5, 5}, {900, 900}}, [2][]int64{{5, 5}, {900, 900}})
	tested := of([2][]int64{{8, 8}, {32, 32}})
	alone := of([2][]int64{{8}, {32}}, [2][]int64{{8, 1}, {32, 4}})
	all := []Evidence{few, models, alone, tested}
	slices.SortFunc(all, Evidence.Compare)
	if want := []Evidence{tested, models, alone, few}; !slices.Equal(all, want) {
		t.Errorf("%+v, want %+v", all, want)
	}
}

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		want string
		runs Runs
	}{
		{"[]", Runs{All: 3}},
		{"[simulated providers interrupted before its plan ended]", Runs{All: 1, Simulated: 1, Interrupted: 1}},
		{"[simulated providers in 1 of 3 runs 2 of 3 runs interrupted]", Runs{All: 3, Simulated: 1, Interrupted: 2}},
	} {
		if got := fmt.Sprint(c.runs.Marks(nil)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

func TestChampion(t *testing.T) {
	for _, c := range []struct {
		want     string
		champion Champion
	}{
		{"A starts first on all 5 models", Champion{Claim: "one", Provider: "A", Models: 5, ChampionModels: 5, Candidates: 3}},
		{"A starts first on all 4 of 5 models that it serves", Champion{Claim: "one", Provider: "A", Models: 5, ChampionModels: 4, Candidates: 3}},
		{"no provider starts first on both models: each of 3 that could is beaten on one at least", Champion{Claim: "none", Models: 2, Candidates: 3}},
		{"cannot tell whether one provider starts first on all 5 models: A and B are beaten on none; orders agree by 0.31 (Kendall’s tau, median of 10 pairs of models)",
			Champion{Models: 5, Candidates: 3, Unbeaten: []string{"A", "B"}, Tau: new(0.31), TauPairs: 10}},
		{"cannot tell whether one provider starts first on all 3 models in chat: none serves more than half of them", Champion{Models: 3, In: "chat"}},
	} {
		c.champion.Metric = starts
		if got := c.champion.Text(); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}
