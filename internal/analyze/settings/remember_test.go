package settings

import (
	"os"
	"path/filepath"
	"testing"
)

// What build was told holds for whoever opens the dataset afterwards, even when
// the file has gone; what the opener is told itself goes first.
func TestOptionsAreRemembered(t *testing.T) {
	dir := t.TempDir()
	prices := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(prices, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	built := Options{Dir: dir, Prices: prices, Period: "month"}
	if err := built.Remember(); err != nil {
		t.Fatal(err)
	}
	os.Remove(prices)

	later := Options{Dir: dir}
	if err := later.Recall(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(later.Prices); err != nil || string(data) != "a" || later.Period != "month" || later.Aliases != "" {
		t.Errorf("recalled %+v, prices %q, %v", later, data, err)
	}
	own := Options{Dir: dir, Prices: "own.yaml"}
	if err := own.Recall(); err != nil || own.Prices != "own.yaml" || own.Period != "month" {
		t.Errorf("own options lost: %+v, %v", own, err)
	}
	if err := later.Remember(); err != nil { // a copy of the copy
		t.Fatal(err)
	}
	if data, err := os.ReadFile(later.Prices); err != nil || string(data) != "a" {
		t.Errorf("remembering what was recalled lost it: %q, %v", data, err)
	}

	if err := (&Options{Dir: dir}).Remember(); err != nil {
		t.Fatal(err)
	}
	forgot := Options{Dir: dir}
	if err := forgot.Recall(); err != nil || forgot.Prices != "" || forgot.Period != "" {
		t.Errorf("a build without options remembers %+v, %v", forgot, err)
	}
}
