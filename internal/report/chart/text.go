package chart

import "strings"

// textWidth estimates the width of s in pixels at a font size: wide for CJK,
// an average for the rest. It errs on the wide side.
func textWidth(s string, size float64) float64 {
	w := 0.0
	for _, r := range s {
		w += runeWidth(r)
	}
	return w * size
}

func runeWidth(r rune) float64 {
	switch {
	case r >= 0x1100 && wideRune(r):
		return 1
	case r == 'i' || r == 'l' || r == 'j' || r == 't' || r == 'f' || r == '.' || r == ',' || r == ' ' || r == '-' || r == '\'':
		return 0.36
	case r == 'm' || r == 'w' || r == 'M' || r == 'W' || r == '@':
		return 0.95
	case r >= 'A' && r <= 'Z':
		return 0.72
	default:
		return 0.61
	}
}

// wideRune covers Hangul, CJK, kana and full-width forms.
func wideRune(r rune) bool {
	return r <= 0x115f || r >= 0x2e80 && r <= 0xa4cf || r >= 0xac00 && r <= 0xd7a3 ||
		r >= 0xf900 && r <= 0xfaff || r >= 0xfe30 && r <= 0xfe6f || r >= 0xff00 && r <= 0xff60 || r >= 0x1f300
}

// fit shortens s with an ellipsis until it is at most width pixels wide.
func fit(s string, size, width float64) string {
	if textWidth(s, size) <= width {
		return s
	}
	runes := []rune(s)
	for len(runes) > 1 && textWidth(string(runes), size)+0.9*size > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "…"
}

// widest is the width of the widest of the texts, at most limit.
func widest(texts []string, size, limit float64) float64 {
	w := 0.0
	for _, s := range texts {
		w = max(w, textWidth(s, size))
	}
	return min(w, limit)
}

// wrap breaks a name after spaces, hyphens, slashes and underscores into lines
// at most width pixels wide, three at most; what still does not fit is cut.
func wrap(s string, size, width float64) string {
	var lines []string
	line := ""
	for _, part := range strings.FieldsFunc(strings.NewReplacer(" ", " \n", "-", "-\n", "/", "/\n", "_", "_\n").Replace(s), func(r rune) bool { return r == '\n' }) {
		if line != "" && textWidth(strings.TrimSpace(line+part), size) > width && len(lines) < 2 {
			lines = append(lines, line)
			line = ""
		}
		line += part
	}
	lines = append(lines, line)
	for i, l := range lines {
		lines[i] = fit(strings.TrimSpace(l), size, width)
	}
	return strings.Join(lines, "\n")
}
