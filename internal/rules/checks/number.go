package checks

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// wanted is what a number check asks of the last number of an answer.
type wanted struct {
	Equals *json.Number `json:"equals"`
	Within *json.Number `json:"within"` // how far it may be from Equals; 0 unless set
	Min    *json.Number `json:"min"`
	Max    *json.Number `json:"max"`
}

// number checks the last number that an answer states: "12 × 3 is 36." says 36.
// Numbers are compared as they are written, in decimal, so 0.30 is 0.3 and
// nothing is lost in binary.
func number(value json.RawMessage) (func(*Answer) Verdict, error) {
	var any bool
	var one json.Number
	var w wanted
	switch {
	case json.Unmarshal(value, &any) == nil:
		if !any {
			return nil, fmt.Errorf("wants true or a number, got %s", value)
		}
	case value[0] != '"' && json.Unmarshal(value, &one) == nil:
		w.Equals = &one
	default:
		if err := unmarshal(value, &w); err != nil || w == (wanted{}) {
			return nil, fmt.Errorf("wants a number, {equals: …, within: …}, {min: …, max: …} or true, got %s", short(string(value)))
		}
	}
	var limits [4]*big.Rat
	for i, n := range []*json.Number{w.Equals, w.Within, w.Min, w.Max} {
		if n == nil {
			continue
		}
		if limits[i] = decimal(n.String()); limits[i] == nil {
			return nil, fmt.Errorf("%s is out of range", n)
		}
	}
	eq, within, least, most := limits[0], limits[1], limits[2], limits[3]
	switch {
	case within != nil && (eq == nil || within.Sign() < 0):
		return nil, errors.New("within wants equals beside it, and is not negative")
	case least != nil && most != nil && least.Cmp(most) > 0:
		return nil, errors.New("min is above max")
	case within == nil:
		within = new(big.Rat)
	}
	return func(a *Answer) Verdict {
		text, v := lastNumber(a.Text)
		if v == nil {
			return Verdict{false, "no number in " + ends(a.Text)}
		}
		pass := eq == nil || new(big.Rat).Abs(new(big.Rat).Sub(v, eq)).Cmp(within) <= 0
		pass = pass && (least == nil || v.Cmp(least) >= 0) && (most == nil || v.Cmp(most) <= 0)
		return Verdict{pass, "last number is " + text}
	}, nil
}

// numberPattern is a number in digits, perhaps with commas between thousands, a
// fraction and a power of ten.
var numberPattern = regexp.MustCompile(`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][-+]?\d{1,3}\b)?|\.\d+`)

// LastNumber is the number that a number check judges, in plain digits; false
// where a text has none.
func LastNumber(text string) (string, bool) {
	_, v := lastNumber(text)
	if v == nil {
		return "", false
	}
	return v.RatString(), true
}

// lastNumber finds the last number of a text, nil if there is none. A sign
// counts where no letter, digit or closing bracket stands before it: 5-3 has
// the numbers 5 and 3.
func lastNumber(s string) (text string, v *big.Rat) {
	for end := len(s); end > 0; {
		// The last run of signs that numbers are written with.
		end = strings.LastIndexAny(s[:end], "0123456789") + 1
		from := end
		for from > 0 && strings.IndexByte("0123456789.,eE+-", s[from-1]) >= 0 {
			from--
		}
		all := numberPattern.FindAllStringIndex(s[from:end], -1)
		for i := len(all) - 1; i >= 0; i-- {
			text = strings.ReplaceAll(s[from+all[i][0]:from+all[i][1]], ",", "")
			if negative(s[:from+all[i][0]]) {
				text = "-" + text
			}
			if v = decimal(text); v != nil {
				return text, v
			}
		}
		end = from
	}
	return "", nil
}

// negative reports whether what stands before a number ends in its sign.
func negative(before string) bool {
	sign, size := utf8.DecodeLastRuneInString(before)
	if sign != '-' && sign != '−' {
		return false
	}
	r, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(")]}", r)
}

var exponent = regexp.MustCompile(`[eE][-+]?\d{4,}$`)

// decimal reads a decimal number; nil for one so long that computing with it
// would take a while, which is no number that a check or an answer means.
func decimal(s string) *big.Rat {
	if len(s) > 400 || exponent.MatchString(s) {
		return nil
	}
	v, ok := new(big.Rat).SetString(s)
	if !ok {
		return nil
	}
	return v
}
