package inference

import (
	"testing"
	"time"
)

func TestIdleLimitOfAPlan(t *testing.T) {
	for plan, want := range map[string]time.Duration{
		"name: x\ntimeouts: {idle: 2s, total: 8s}\n": 2 * time.Second,
		"name: x\ntimeouts: {total: 8s}\n":           0,
		"name: x\nfields: {model: m}\n":              0, // a mapping
		"timeouts: [":                                0,
		"":                                           0,
	} {
		if got := idleLimit(plan); got != want {
			t.Errorf("%q: %v, want %v", plan, got, want)
		}
	}
}
