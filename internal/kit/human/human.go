// Package human writes numbers for people: two significant figures, a unit,
// no false precision. Pages, charts and closing screens share it, so that one
// value reads the same everywhere.
package human

import (
	"math"
	"strconv"
	"strings"
)

// None stands where there is no value. The reason stands beside it.
const None = "–"

// Millis writes a duration given in milliseconds: "4.2 ms", "240 ms", "1.4 s",
// "2.5 min". The unit changes after rounding, so 999.6 ms is "1.0 s".
func Millis(ms float64) string {
	switch v := significant(ms, 2); {
	case math.Abs(v) < 1000:
		return figures(v, 2) + " ms"
	case math.Abs(v) < 120_000:
		return figures(v/1000, 2) + " s"
	default:
		return figures(ms/60_000, 2) + " min"
	}
}

// Tick writes an axis tick, a round number of milliseconds: "500 ms", "1 s".
func Tick(ms float64) string {
	if ms >= 1000 {
		return strconv.FormatFloat(ms/1000, 'f', -1, 64) + " s"
	}
	return strconv.FormatFloat(ms, 'f', -1, 64) + " ms"
}

// USD writes dollars: "$0.00017", "$0.73", "$1.34", "$1,340". Cents are kept
// from one dollar on, since that is how prices are read.
func USD(v float64) string {
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	n := 2
	if r := significant(v, 2); r >= 1 {
		n, v = 3, max(v, 1) // 0.996 rounds up to a dollar
	}
	if v >= 1000 {
		return sign + "$" + grouped(strconv.FormatFloat(significant(v, n), 'f', 0, 64))
	}
	return sign + "$" + figures(v, n)
}

// Ratio writes how many times: "1.1×", "3.0×", "12×".
func Ratio(v float64) string { return figures(v, 2) + "×" }

// Share writes a share of 0 to 1 as a percentage, with as many decimals (one
// to three) as keep it apart from 0 and from 100: "99.2%", "99.96%". Only
// exactly 0 and 1 are "0%" and "100%"; closer than that it is "<0.001%" or
// ">99.999%".
func Share(v float64) string {
	if v == 0 || v == 1 {
		return strconv.FormatFloat(100*v, 'f', 0, 64) + "%"
	}
	for decimals := 1; decimals <= 3; decimals++ {
		text := strconv.FormatFloat(100*v, 'f', decimals, 64)
		if p, _ := strconv.ParseFloat(text, 64); p != 0 && p != 100 {
			return text + "%"
		}
	}
	if v < 0.5 {
		return "<0.001%"
	}
	return ">99.999%"
}

// Count writes a whole number with thousands apart: "47,792".
func Count(n int64) string {
	if n < 0 {
		return "-" + grouped(strconv.FormatInt(n, 10)[1:])
	}
	return grouped(strconv.FormatInt(n, 10))
}

// Number writes any other quantity with two significant figures: "0.53",
// "12", "4,200".
func Number(v float64) string {
	if r := significant(v, 2); math.Abs(r) >= 1000 {
		return Count(int64(r))
	}
	return figures(v, 2)
}

// significant rounds v to n significant figures.
func significant(v float64, n int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', n-1, 64), 64)
	return r
}

// figures writes v with n significant figures and no exponent; trailing zeros
// that carry precision stay ("1.0"), and figures left of the point are never
// cut.
func figures(v float64, n int) string {
	r := significant(v, n)
	if r == 0 {
		return "0"
	}
	decimals := n - 1 - int(math.Floor(math.Log10(math.Abs(r))+1e-9))
	return strconv.FormatFloat(r, 'f', max(decimals, 0), 64)
}

func grouped(digits string) string {
	var b strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteByte(',')
		}
		b.WriteRune(d)
	}
	return b.String()
}
