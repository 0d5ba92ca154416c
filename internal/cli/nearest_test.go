package cli

import "testing"

func TestNearest(t *testing.T) {
	keys := []string{"warmup", "windows", "trials", "timeouts", "targets"}
	for word, want := range map[string]string{
		"warm_up": "warmup", "window": "windows", "tirals": "trials", "timeout": "timeouts",
		"zebra": "", "x": "",
	} {
		if got := Nearest(word, keys); got != want {
			t.Errorf("Nearest(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestEditDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"abc", "", 3}, {"kitten", "sitting", 3}, {"ab", "ba", 1}, {"trials", "tirals", 1}} {
		if got := editDistance(c.a, c.b); got != c.want {
			t.Errorf("editDistance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}
