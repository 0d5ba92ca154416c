package service

import "time"

// pings are requests every fifteen seconds, for ten minutes in each of six
// windows. Each fails now and then by itself; Planted is out for three minutes of
// the third window; for a minute of the fifth nobody is reached, since the
// client's own line is down.
func (w *world) pings() {
	for i, provider := range providers {
		for window := range 6 {
			for n := range 40 {
				at := time.Duration(n)*15*time.Second + time.Duration(i)*5*time.Second + time.Duration(w.r.IntN(3000))*time.Millisecond
				r := w.row(provider, "ping", window, at)
				r.Trial = int32(n)
				switch {
				case lineDown(window, at):
					r.failed("connect_error", 1000)
				case provider == Planted && window == 2 && at >= outageFrom && at < outageUntil:
					r.failed("server_error", 100)
				case w.r.Float64() < failing:
					r.failed("timeout", 5000)
				default:
					first := firstMs * w.noise()
					r.answered(first, first+100)
				}
				w.add(r, nil)
			}
		}
	}
}

func lineDown(window int, at time.Duration) bool {
	return window == 4 && at >= 200*time.Second && at < 260*time.Second
}
