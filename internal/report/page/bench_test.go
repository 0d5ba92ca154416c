package page

import "testing"

// A figure costs at most 0.25 s and 12 KB at both widths together, however many
// requests lie behind it: the metrics say what it does cost.
func BenchmarkBuild(b *testing.B) {
	db := fixture(b)
	figures, bytes := 0, 0
	for b.Loop() {
		r, err := Build(b.Context(), db, options)
		if err != nil {
			b.Fatal(err)
		}
		for _, f := range r.figures() {
			figures, bytes = figures+1, bytes+len(f.Drawn.Wide)+len(f.Drawn.Narrow)
		}
	}
	b.ReportMetric(b.Elapsed().Seconds()/float64(figures), "s/figure")
	b.ReportMetric(float64(bytes)/1000/float64(figures), "kB/figure")
}
