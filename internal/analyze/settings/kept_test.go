package settings

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What build was told holds for whoever opens the dataset afterwards, even when
// the file has gone; what the opener is told itself goes first.
func TestSettingsAreKept(t *testing.T) {
	dir := t.TempDir()
	prices := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(prices, []byte("a"), 0o644); err != nil {
		t.Fatal(err)
	}
	built := Options{Dir: dir, Prices: prices, Period: "month"}
	if err := built.Keep(); err != nil {
		t.Fatal(err)
	}
	os.Remove(prices)

	later := Options{Dir: dir}
	if err := later.Fill(); err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(later.Prices); err != nil || string(data) != "a" || later.Period != "month" || later.Aliases != "" {
		t.Errorf("filled %+v, prices %q, %v", later, data, err)
	}
	if got := later.InForce(); got != "prices mine.yaml, period month" {
		t.Errorf("in force: %s", got)
	}
	own := Options{Dir: dir, Prices: "own.yaml"}
	if err := own.Fill(); err != nil || own.Prices != "own.yaml" || own.Period != "month" {
		t.Errorf("own options lost: %+v, %v", own, err)
	}
	if err := later.Keep(); err != nil { // a copy of the copy
		t.Fatal(err)
	}
	if data, err := os.ReadFile(later.Prices); err != nil || string(data) != "a" || later.InForce() != "prices mine.yaml, period month" {
		t.Errorf("keeping what was kept lost it: %q, %v", data, err)
	}

	bare := Options{Dir: dir, Defaults: true}
	if err := bare.Fill(); err != nil || bare.InForce() != "" {
		t.Errorf("defaults: %+v, %v", bare, err)
	}
	if err := os.WriteFile(later.Prices, []byte("b"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := (&Options{Dir: dir}).Fill(); err == nil || !strings.Contains(err.Error(), "is not what a build stored") {
		t.Errorf("an edited copy was taken: %v", err)
	}
	if err := bare.Keep(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, "settings")); !os.IsNotExist(err) {
		t.Errorf("defaults left settings behind: %v", err)
	}
}

// A dataset that cannot be written keeps its settings beside the cache.
func TestSettingsOfAReadOnlyDataset(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root may write anywhere")
	}
	dir, cache := t.TempDir(), t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: dir, Cache: cache, Period: "week"}
	if err := o.Keep(); err != nil {
		t.Fatal(err)
	}
	later := Options{Dir: dir, Cache: cache}
	if err := later.Fill(); err != nil || later.Period != "week" {
		t.Errorf("%+v, %v", later, err)
	}
}
