package settings

import "testing"

func TestMemoryLimit(t *testing.T) {
	for text, want := range map[string]int64{
		"": 0, "1GB": 1e9, "512MB": 512e6, "1.5gb": 1.5e9, "1GiB": 1 << 30, "450 mb": 450e6, "2G": 2e9, "400000000": 400e6,
		"much": -1, "-1GB": -1, "10MB": -1, "399MB": -1, "1XB": -1,
	} {
		got, err := (&Options{Memory: text}).MemoryLimit()
		if want < 0 && err == nil || want >= 0 && (err != nil || got != want) {
			t.Errorf("%q: %d, %v, want %d", text, got, err, want)
		}
	}
}

// A limit leaves something to both sides, and fewer workers where they would not fit.
func TestMemoryIsSharedOut(t *testing.T) {
	o := Options{Memory: "400MB", Workers: 16}
	workers, lift := o.ForDecoding()
	lift()
	if workers != 3 {
		t.Errorf("%d workers in 400 MB", workers)
	}
	memory, lift := o.ForEngine()
	lift()
	if memory == "" || memory == "400MB" {
		t.Errorf("the engine has %q of 400 MB", memory)
	}
	if memory, _ = (&Options{}).ForEngine(); memory != "" {
		t.Errorf("no limit, and the engine has %q", memory)
	}
}
