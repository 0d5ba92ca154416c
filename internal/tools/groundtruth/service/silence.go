package service

import (
	"fmt"
	"time"
)

// colds are cold starts: one that meets the silence, and three after it.
func (w *world) colds() {
	for _, provider := range providers {
		for window := range windows {
			level := w.level()
			for i := range 4 {
				r := w.row(provider, "cold", window, time.Duration(i)*time.Second)
				r.Phase, r.Measured, r.BurstIndex, r.IdleBeforeMs = "cold", false, new(int32(i)), new(int64(10))
				first := firstMs * level * w.noise()
				if i == 0 {
					r.IdleBeforeMs = new(int64(900_000))
					if provider == Planted {
						first += coldMs
					}
				}
				r.answered(first, first+100)
				w.add(r, nil)
			}
		}
	}
}

// burstSize is how many requests a burst sends at once.
const burstSize = 6

func (w *world) bursts() {
	for _, provider := range providers {
		for window := range windows {
			level := w.level()
			for i := range burstSize {
				r := w.row(provider, "burst", window, time.Hour)
				r.Phase, r.Measured, r.Concurrency, r.BurstIndex = "burst", false, burstSize, new(int32(i))
				first := firstMs * level * w.noise()
				if provider == Planted {
					first += behindMs * float64(i)
				}
				r.answered(first, first+100)
				w.add(r, nil)
			}
		}
	}
}

// sweeps bring the input to three lengths, three times in each window.
func (w *world) sweeps() {
	for _, provider := range providers {
		for window := range windows {
			level := w.level()
			for _, length := range []int{1000, 4000, 16000} {
				for trial := range 3 {
					r := w.row(provider, fmt.Sprintf("sweep@%d", length), window, 90*time.Minute+time.Duration(trial)*time.Second)
					first := firstMs * level * w.noise()
					if provider == Planted {
						first += perToken * level * float64(length)
					}
					r.answered(first, first+100)
					r.Trial, r.Planned, r.InputTokens, r.TokenSource = int32(trial), new(int32(length)), new(int64(length)), text("usage")
					w.add(r, nil)
				}
			}
		}
	}
}
