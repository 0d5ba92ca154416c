package page

import "testing"

func BenchmarkBuild(b *testing.B) {
	db := fixture(b)
	for b.Loop() {
		if _, err := Build(b.Context(), db, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}
