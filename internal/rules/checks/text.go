package checks

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// needle is a text to look for. Texts are compared in Unicode's composed form,
// so that "é" is one and the same however it is written.
type needle struct {
	Text       *string `json:"text"`
	IgnoreCase bool    `json:"ignore_case"`
}

func readNeedle(value json.RawMessage) (n needle, err error) {
	var text string
	if json.Unmarshal(value, &text) == nil {
		n.Text = &text
	} else if err := unmarshal(value, &n); err != nil || n.Text == nil {
		return n, fmt.Errorf("wants a text, or {text: …, ignore_case: true}, got %s", short(string(value)))
	}
	if strings.TrimSpace(*n.Text) == "" {
		return n, errors.New("wants a text that is not empty")
	}
	*n.Text = n.form(*n.Text)
	return n, nil
}

func (n *needle) form(s string) string {
	if s = norm.NFC.String(s); n.IgnoreCase {
		s = cases.Fold().String(s)
	}
	return s
}

func contains(value json.RawMessage) (func(*Answer) Verdict, error) {
	n, err := readNeedle(value)
	return func(a *Answer) Verdict {
		text := n.form(a.Text)
		i := strings.Index(text, *n.Text)
		if i < 0 {
			return Verdict{false, missing(a)}
		}
		return Verdict{true, "found: " + around(text, i, i+len(*n.Text))}
	}, err
}

func notContains(value json.RawMessage) (func(*Answer) Verdict, error) {
	has, err := contains(value)
	return func(a *Answer) Verdict {
		v := has(a)
		v.Pass = !v.Pass
		return v
	}, err
}

func equals(value json.RawMessage) (func(*Answer) Verdict, error) {
	n, err := readNeedle(value)
	if err == nil {
		*n.Text = strings.TrimSpace(*n.Text)
	}
	return func(a *Answer) Verdict {
		return Verdict{n.form(strings.TrimSpace(a.Text)) == *n.Text, said(a)}
	}, err
}

func matches(value json.RawMessage) (func(*Answer) Verdict, error) {
	var pattern string
	if json.Unmarshal(value, &pattern) != nil || pattern == "" {
		return nil, fmt.Errorf("wants a regular expression, got %s", short(string(value)))
	}
	re, err := regexp.Compile(pattern)
	if err != nil {
		return nil, fmt.Errorf("%w (RE2 syntax: no look-around, no back-references)", err)
	}
	return func(a *Answer) Verdict {
		at := re.FindStringIndex(a.Text)
		if at == nil {
			return Verdict{false, missing(a)}
		}
		return Verdict{true, "found: " + around(a.Text, at[0], at[1])}
	}, nil
}

func minChars(value json.RawMessage) (func(*Answer) Verdict, error) {
	var least int
	if json.Unmarshal(value, &least) != nil || least < 1 {
		return nil, fmt.Errorf("wants a whole number above 0, got %s", short(string(value)))
	}
	return func(a *Answer) Verdict {
		n := utf8.RuneCountInString(norm.NFC.String(strings.TrimSpace(a.Text)))
		return Verdict{n >= least, fmt.Sprintf("%d characters", n)}
	}, nil
}

// missing says in what a text was not found.
func missing(a *Answer) string {
	return fmt.Sprintf("not found in %d characters: %s", utf8.RuneCountInString(a.Text), ends(a.Text))
}

func said(a *Answer) string {
	if strings.TrimSpace(a.Text) == "" {
		return "no text"
	}
	return "is: " + ends(a.Text)
}

// ends is a text, or its beginning and its end.
func ends(s string) string {
	const head, tail = 60, 36
	s = strings.TrimSpace(s)
	if len(s) <= head+tail {
		return s
	}
	first, last := []rune(s[:min(len(s), 4*head)]), []rune(s[max(0, len(s)-4*tail):])
	if len(s) <= 4*head && len(first) <= head+tail {
		return s
	}
	return string(first[:min(len(first), head)]) + " … " + string(last[max(0, len(last)-tail):])
}

// around is a passage with some of what surrounds it.
func around(s string, from, to int) string {
	const margin = 24
	before, after := []rune(s[max(0, from-4*margin):from]), []rune(s[to:min(len(s), to+4*margin)])
	before, after = before[max(0, len(before)-margin):], after[:min(len(after), margin)]
	return string(before) + s[from:min(to, from+longest)] + string(after)
}
