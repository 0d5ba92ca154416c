package nearest

import "testing"

func TestWord(t *testing.T) {
	known := []string{"provider", "model", "model_id", "base_url"}
	for word, want := range map[string]string{"providr": "provider", "modle": "model", "modelid": "model_id", "base-url": "base_url"} {
		if got := Word(word, known); got != want {
			t.Errorf("%s: got %s, want %s", word, got, want)
		}
	}
	if edits([]rune("ab"), []rune("ba")) != 1 || edits([]rune("kitten"), []rune("sitting")) != 3 {
		t.Error("edit distance is wrong")
	}
}

func TestLikelySuggestsNothingFar(t *testing.T) {
	if got := Likely("zebra", []string{"run", "plan"}); got != "" {
		t.Errorf("got %q", got)
	}
	if got := Likely("biuld", []string{"build", "sql"}); got != "build" {
		t.Errorf("got %q", got)
	}
}
