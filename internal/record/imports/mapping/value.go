package mapping

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Values are what JSON gives (nil, bool, string, json.Number, []any,
// map[string]any) and the numbers that other formats and conversions give
// (int64, float64). Numbers that are text count as numbers.

// literal is the decimal text of a number; ok is false for what is none. NaN
// and infinities are no numbers: they come back as "".
func literal(v any) (text string, ok bool) {
	switch v := v.(type) {
	case json.Number:
		text = string(v)
	case int64:
		return strconv.FormatInt(v, 10), true
	case int:
		return strconv.Itoa(v), true
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "", true
		}
		return strconv.FormatFloat(v, 'g', -1, 64), true
	case string:
		text = strings.TrimSpace(v)
	default:
		return "", false
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange), strings.ContainsAny(text, "xXpP_"):
		return "", false
	case math.IsNaN(f) || math.IsInf(f, 0):
		return "", true
	}
	return text, true
}

// float is a number as a float64.
func float(v any) (float64, bool) {
	text, ok := literal(v)
	if !ok || text == "" {
		return 0, false
	}
	f, err := strconv.ParseFloat(text, 64)
	return f, err == nil
}

// scaled is a decimal number times a whole factor, exactly, rounded to the
// nearest whole: epoch seconds keep their nanoseconds.
func scaled(text string, factor int64) (int64, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil && factor == 1 {
		return n, nil
	}
	if n, ok := scaledDecimal(text, factor); ok {
		return n, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, fmt.Errorf("%q is no number", text)
	}
	if math.Abs(f)*float64(factor) > 9.2e18 {
		return 0, fmt.Errorf("%s is out of range", text)
	}
	if math.Abs(f)*float64(factor) < 1e-3 {
		return 0, nil // and no exponent can blow the exact number up
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return 0, fmt.Errorf("%q is no number", text)
	}
	r.Mul(r, new(big.Rat).SetInt64(factor))
	half := big.NewRat(1, 2)
	if r.Sign() < 0 {
		half.Neg(half)
	}
	r.Add(r, half)
	return new(big.Int).Quo(r.Num(), r.Denom()).Int64(), nil
}

// scaledDecimal is scaled for what nearly all numbers are: up to 18 digits, with
// or without a point. ok is false for any other.
func scaledDecimal(text string, factor int64) (n int64, ok bool) {
	rest := strings.TrimPrefix(text, "-")
	if rest == "" || len(rest) > 19 || factor <= 0 {
		return 0, false
	}
	digits, unit, point, any := uint64(0), uint64(1), false, false
	for i := range len(rest) {
		switch c := rest[i]; {
		case c == '.' && !point:
			point = true
		case c >= '0' && c <= '9' && digits < 1e17:
			digits, any = digits*10+uint64(c-'0'), true
			if point {
				unit *= 10
			}
		default:
			return 0, false
		}
	}
	hi, lo := bits.Mul64(digits, uint64(factor))
	lo, carry := bits.Add64(lo, unit/2, 0)
	if hi += carry; !any || hi >= unit {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, unit)
	if q > 9.2e18 {
		return 0, false
	}
	n = int64(q)
	if text[0] == '-' {
		n = -n
	}
	return n, true
}

// nothing: there is no value. An empty text is none, as an empty field of CSV is
// none: tools write "" where JSON has null.
func nothing(v any) bool { return v == nil || v == "" }

// text is a value as text: JSON for lists and objects. ok is false for nil.
func text(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "", false
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	}
	if t, ok := literal(v); ok {
		return t, t != ""
	}
	b, err := json.Marshal(v)
	return string(b), err == nil
}

// equal compares as the reader of a mapping means it: numbers by value, else
// by text.
func equal(a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	x, okx := float(a)
	y, oky := float(b)
	if okx && oky {
		return x == y
	}
	s, oks := text(a)
	t, okt := text(b)
	return oks && okt && s == t
}

// short is a value as a fault shows it.
func short(v any) string {
	t, ok := text(v)
	if !ok {
		return "null"
	}
	if len(t) > 60 {
		t = strings.ToValidUTF8(t[:60], "") + "…"
	}
	return strconv.Quote(t)
}
