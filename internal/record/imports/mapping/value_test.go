package mapping

import (
	"fmt"
	"math/big"
	"testing"
)

// The quick way and the exact one agree.
func TestScaledDecimal(t *testing.T) {
	for _, text := range []string{"0", "-0", "1", "1.5", "-1.5", "0.0000000005", "0.0000000004", "1700000000.123456789", "1700000000.1234567891", "12345678901234567", "-0.0015", ".5", "5.", "999.9999999999"} {
		for _, factor := range []int64{1, 1000, 1e6, 1e9, 60e9} {
			n, ok := scaledDecimal(text, factor)
			r, valid := new(big.Rat).SetString(text)
			if !ok || !valid {
				if len(text) < 16 && ok != valid {
					t.Errorf("%s × %d: %v", text, factor, ok)
				}
				continue
			}
			r.Mul(r, new(big.Rat).SetInt64(factor))
			want, _ := new(big.Int).SetString(r.FloatString(0), 10)
			if !want.IsInt64() || want.Int64() != n {
				t.Errorf("%s × %d = %d, want %s", text, factor, n, want)
			}
		}
	}
	for _, text := range []string{"", "-", ".", "1.2.3", "1e5", "0x1", "+1", "1_0", " 1", "123456789012345678901"} {
		if n, ok := scaledDecimal(text, 1); ok {
			t.Errorf("%q gave %d", text, n)
		}
	}
}

func FuzzScaledDecimal(f *testing.F) {
	f.Add(int64(17), uint8(3), int64(1e9))
	f.Fuzz(func(t *testing.T, whole int64, places uint8, factor int64) {
		text := fmt.Sprintf("%d.%0*d", whole, places%9+1, whole&0xff)
		n, ok := scaledDecimal(text, factor)
		r, valid := new(big.Rat).SetString(text)
		if !ok || !valid {
			return
		}
		r.Mul(r, new(big.Rat).SetInt64(factor))
		if want := r.FloatString(0); want != fmt.Sprint(n) && want != "-0" {
			t.Errorf("%s × %d = %d, want %s", text, factor, n, want)
		}
	})
}
