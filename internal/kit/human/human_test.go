package human

import "testing"

func TestMillis(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0 ms", 0.042: "0.042 ms", 0.42: "0.42 ms", 4.24: "4.2 ms", 9.97: "10 ms", 12: "12 ms", 238.4: "240 ms",
		994: "990 ms", 996: "1.0 s", 1000: "1.0 s", 1440: "1.4 s", 14_400: "14 s", 119_000: "2.0 min", 114_000: "110 s", 150_000: "2.5 min",
	} {
		if got := Millis(v); got != want {
			t.Errorf("Millis(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestUSD(t *testing.T) {
	for v, want := range map[float64]string{
		0: "$0", 0.000174: "$0.00017", 0.0149: "$0.015", 0.731: "$0.73", 0.996: "$1.00", 1: "$1.00", 1.338: "$1.34",
		13.38: "$13.4", 133.8: "$134", 1338: "$1,340", 1_234_567: "$1,230,000", -0.5: "-$0.50",
	} {
		if got := USD(v); got != want {
			t.Errorf("USD(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestRatio(t *testing.T) {
	for v, want := range map[float64]string{1: "1.0×", 1.149: "1.1×", 2.96: "3.0×", 9.96: "10×", 12.4: "12×", 124: "120×", 0.33: "0.33×"} {
		if got := Ratio(v); got != want {
			t.Errorf("Ratio(%v) = %q, want %q", v, got, want)
		}
	}
}

// A share that is not whole must never read as whole.
func TestShare(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0%", 1: "100%", 0.5: "50.0%", 0.9916: "99.2%", 0.9996: "99.96%", 0.99996: "99.996%", 0.9999999: ">99.999%",
		0.0004: "0.04%", 0.0000001: "<0.001%", 0.034: "3.4%",
	} {
		if got := Share(v); got != want {
			t.Errorf("Share(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestCount(t *testing.T) {
	for v, want := range map[int64]string{0: "0", 999: "999", 1000: "1,000", 47792: "47,792", 1234567: "1,234,567", -1234: "-1,234"} {
		if got := Count(v); got != want {
			t.Errorf("Count(%v) = %q, want %q", v, got, want)
		}
	}
}

func TestNumberAndTick(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.533: "0.53", 12.3: "12", 994: "990", 999: "1,000", 4213: "4,200", -4213: "-4,200"} {
		if got := Number(v); got != want {
			t.Errorf("Number(%v) = %q, want %q", v, got, want)
		}
	}
	for v, want := range map[float64]string{0.5: "0.5 ms", 200: "200 ms", 1000: "1 s", 20_000: "20 s"} {
		if got := Tick(v); got != want {
			t.Errorf("Tick(%v) = %q, want %q", v, got, want)
		}
	}
}
