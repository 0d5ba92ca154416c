package dialect

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// tagContext is what stands before a point of the answer's text, if it tells
// whether a tag there is meant or mentioned.
type tagContext struct {
	tail  [4]byte // the last bytes
	n     int8    // how many of them there are
	last  rune    // the last character that is no white space, 0 where there is none
	fresh bool    // a line has begun since
	tick  bool    // within `code`
	fence bool    // within a block of code
	marks int8    // backticks in a row
}

// pass moves the point behind text.
func (p *tagContext) pass(text []byte) {
	if len(text) == 0 {
		return
	}
	if bytes.IndexByte(text, '`') < 0 && p.marks == 0 && !p.tick {
		p.words(text)
	} else {
		for i := range text {
			p.code(text[i])
		}
		p.words(text)
	}
	if len(text) >= len(p.tail) {
		p.n = int8(copy(p.tail[:], text[len(text)-len(p.tail):]))
		return
	}
	keep := min(int(p.n), len(p.tail)-len(text))
	copy(p.tail[:], p.tail[int(p.n)-keep:p.n])
	p.n = int8(keep + copy(p.tail[keep:], text))
}

// words keeps the last character, and whether a line has begun behind it.
func (p *tagContext) words(text []byte) {
	end := bytes.TrimRight(text, " \t\r\n")
	if len(end) > 0 {
		p.last, _ = utf8.DecodeLastRune(end)
		p.fresh = false
	}
	p.fresh = p.fresh || bytes.IndexByte(text[len(end):], '\n') >= 0
}

// code follows backticks: three begin or end a block, fewer a piece of a line.
func (p *tagContext) code(c byte) {
	if c == '`' {
		p.marks++
		if p.marks == 3 {
			p.fence, p.tick, p.marks = !p.fence, false, 0
		}
		return
	}
	if p.marks > 0 && !p.fence {
		p.tick = !p.tick && p.marks == 1 || p.tick && p.marks != 1
	}
	p.marks = 0
	if c == '\n' {
		p.tick = false
	}
}

// inCode reports whether the point lies within code.
func (p *tagContext) inCode() bool { return p.fence || p.tick != (p.marks == 1) }

// quotes are what opens a quotation, with what ends it.
var quotes = map[rune]string{'`': "`", '"': `"`, '\'': "'", '“': "”", '‘': "’", '«': "»", '(': ")", '*': "*"}

// quote is what would end the quotation that begins right before the point, ""
// if none does.
func (p *tagContext) quote() string {
	r, _ := utf8.DecodeLastRune(p.tail[:p.n])
	return quotes[r]
}

// opening is the tag that opens at the head of text.
func (p *tagContext) opening(text []byte, over bool) (thinkTag, tagKind) {
	kind := noTag
	for _, tag := range thinkTags {
		switch p.opens(text, tag.open, over) {
		case opens:
			return tag, opens
		case maybeTag:
			kind = maybeTag
		}
	}
	return thinkTag{}, kind
}

// opens reports whether an opening tag stands at the head of text: where
// nothing is written yet, or where a line or a sentence begins.
func (p *tagContext) opens(text []byte, tag string, over bool) tagKind {
	kind, rest := tagged(text, tag, over)
	switch {
	case kind == noTag, p.inCode(), p.quote() != "":
		return noTag
	case p.last == 0:
		return kind
	case !p.fresh && !strings.ContainsRune(".!?…。！？>|", p.last):
		return noTag
	case kind == maybeTag:
		return kind
	}
	return spoken(rest, over, opens)
}

// closes reports whether a closing tag that nothing opened, and that rest
// follows, ends thinking. It does within no sentence.
func (p *tagContext) closes(rest []byte, over bool) tagKind {
	if q := p.quote(); q != "" {
		if len(rest) < len(q) && !over {
			return maybeTag
		}
		if bytes.HasPrefix(rest, []byte(q)) {
			return noTag
		}
	}
	if p.n > 0 && p.tail[p.n-1] == ' ' && (unicode.IsLetter(p.last) || p.last == ',') {
		return spoken(rest, over, closes)
	}
	return closes
}

// tagged reports whether the tag, or its beginning, is at the head of text.
func tagged(text []byte, tag string, over bool) (kind tagKind, rest []byte) {
	if rest, ok := bytes.CutPrefix(text, []byte(tag)); ok {
		return opens, rest
	}
	if !over && strings.HasPrefix(tag, string(text)) {
		return maybeTag, nil
	}
	return noTag, nil
}

// spoken tells by what follows a tag whether the sentence goes on behind it, as
// it does behind a tag that is spoken of.
func spoken(rest []byte, over bool, otherwise tagKind) tagKind {
	switch {
	case len(rest) == 0 && over:
		return otherwise
	case len(rest) == 0, len(rest) == 1 && rest[0] == ' ' && !over:
		return maybeTag
	case strings.IndexByte(",.;:)?!", rest[0]) >= 0:
		return noTag
	case len(rest) > 1 && rest[0] == ' ' && rest[1] >= 'a' && rest[1] <= 'z':
		return noTag
	}
	return otherwise
}
