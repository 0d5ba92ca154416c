package capture

import (
	"bytes"
	"fmt"
	"io"
	"unicode/utf16"
	"unicode/utf8"

	"aircheck/internal/kit/limits"
	"aircheck/internal/wire/dialect"
	"aircheck/internal/wire/frame"
	"aircheck/schema"
)

// Pieces hides, in place, the secrets that only a whole response shows: one that
// came in pieces over several frames, or in escapes of its own, is found in the
// text as decoded. Of a compressed body whose text holds one nothing is kept but
// sizes and times: its frames become zeros. The note says so, "" where all is
// well.
//
// It is for sealing: frames are hidden one by one as they arrive.
func (s *Secrets) Pieces(row *schema.Request, frames [][]byte) (note string) {
	if s.None() || row.HTTPStatus == nil || len(frames) == 0 {
		return ""
	}
	if row.ContentEncoding != nil {
		why := ""
		switch found, whole := s.inInflated(*row.ContentEncoding, frames); {
		case found, whole && s.inTexts(textsOf(row, frames)):
			why = "held a key"
		case !whole:
			why = "is too large to be searched for keys"
		default:
			return ""
		}
		Withhold(frames)
		return fmt.Sprintf("request %d: its compressed body %s: sizes and times of its frames are kept, and no bytes", row.RequestID, why)
	}
	for _, t := range textsOf(row, frames) {
		for at, size := s.exact.find(t.text, 0); at >= 0; at, size = s.exact.find(t.text, at+size) {
			t.hide(frames, at, at+size)
		}
	}
	for _, raw := range frames {
		s.escaped(raw)
	}
	return ""
}

// Withhold leaves of frames their sizes alone.
func Withhold(frames [][]byte) {
	for _, raw := range frames {
		clear(raw)
	}
}

// escaped hides secrets that stand in a string of JSON in escapes of its own.
func (s *Secrets) escaped(raw []byte) {
	if bytes.IndexByte(raw, '\\') < 0 {
		return
	}
	eachLiteral(raw, func(l literal) bool {
		for at, size := s.exact.find(l.text, 0); at >= 0; at, size = s.exact.find(l.text, at+size) {
			hide(raw[l.at[at]:l.at[at+size]])
			frame.Reseal(raw)
		}
		return true
	})
}

func (s *Secrets) inTexts(texts []*text) bool {
	for _, t := range texts {
		if at, _ := s.exact.find(t.text, 0); at >= 0 {
			return true
		}
	}
	return false
}

// inInflated searches a compressed body, as far as the recorder lets one grow.
// What cannot be inflated tells no one anything.
func (s *Secrets) inInflated(coding string, frames [][]byte) (found, whole bool) {
	readers := make([]io.Reader, len(frames))
	for i, raw := range frames {
		readers[i] = bytes.NewReader(raw)
	}
	most := limits.Default().Inflated
	in := io.LimitReader(dialect.Inflate(coding, io.MultiReader(readers...)), most+1)
	buf := make([]byte, 64<<10)
	kept := 0 // of the last read, as long as any word
	size := int64(0)
	for {
		n, err := io.ReadFull(in, buf[kept:])
		if at, _ := s.exact.find(buf[:kept+n], 0); at >= 0 {
			return true, size <= most
		}
		if size += int64(n); size > most {
			return false, false
		}
		if err != nil {
			return false, true
		}
		kept = copy(buf, buf[len(buf)-maxWord:])
	}
}

// maxWord is longer than any spelling of any key.
const maxWord = 16 << 10

// text is what one part of an answer says, joined over its frames.
type text struct {
	text   []byte
	pieces []piece
}

// piece is what one frame brought of it.
type piece struct{ frame, begin, end int }

// textsOf decodes a response as analysis does: answer, thinking, each tool call
// and each error are texts of their own.
func textsOf(row *schema.Request, frames [][]byte) []*text {
	type part struct {
		kind   dialect.Kind
		choice int32
		field  dialect.ToolField
		index  int32
		id     string
	}
	parts := map[part]*text{}
	var out []*text
	var last part
	var open *text
	add := func(p part, s []byte, at int) {
		if open == nil || p != last {
			if open, last = parts[p], p; open == nil {
				open = &text{}
				parts[p], out = open, append(out, open)
			}
		}
		begin := len(open.text)
		open.text = append(open.text, s...)
		open.pieces = append(open.pieces, piece{at, begin, len(open.text)})
	}
	at := 0
	take := func(e *dialect.Event) {
		switch {
		case e.Error != nil:
			add(part{kind: e.Kind}, []byte(e.Error.Message), at)
			open = nil
		case e.Kind.Content():
			p := part{kind: e.Kind, choice: e.Choice}
			if e.Tool != nil {
				p.field, p.index, p.id = e.Tool.Field, e.Tool.Index, e.Tool.ID
			}
			add(p, e.Text, at)
		}
	}
	meta := dialect.Meta{Status: int(*row.HTTPStatus), Streamed: row.Streamed != nil && *row.Streamed}
	if row.ContentEncoding != nil {
		meta.ContentEncoding = *row.ContentEncoding
	}
	d := dialect.New(value(row.API), meta)
	for i, raw := range frames {
		at = i
		d.Frame(raw, take)
	}
	d.Close(take)
	return out
}

// hide hides a stretch of the text in the frames that brought it.
func (t *text) hide(frames [][]byte, from, to int) {
	for _, p := range t.pieces {
		if p.end <= from || p.begin >= to {
			continue
		}
		hideIn(frames[p.frame], t.text[p.begin:p.end], max(from, p.begin)-p.begin, min(to, p.end)-p.begin)
	}
}

// hideIn hides a stretch of a text in a frame whose strings hold that text. A
// frame in which it cannot be found is hidden whole.
func hideIn(raw, text []byte, from, to int) {
	found := false
	eachLiteral(raw, func(l literal) bool {
		at := bytes.Index(l.text, text)
		if at < 0 {
			return true
		}
		hide(raw[l.at[at+from]:l.at[at+to]])
		found = true
		return true // a frame may say it twice
	})
	if !found {
		hide(raw)
	}
	frame.Reseal(raw)
}

// literal is a string of JSON: its text, and for each byte of that, and for its
// end, where in the frame it stands.
type literal struct {
	text []byte
	at   []int
}

// eachLiteral visits the strings of a frame, which need not be JSON as a whole,
// until visit has enough.
func eachLiteral(raw []byte, visit func(literal) bool) {
	var l literal
	for i := 0; i < len(raw); {
		if raw[i] != '"' {
			i++
			continue
		}
		l.text, l.at = l.text[:0], l.at[:0]
		i++
		for i < len(raw) && raw[i] != '"' {
			begin := i
			if raw[i] != '\\' || i+1 == len(raw) {
				l.text, l.at = append(l.text, raw[i]), append(l.at, i)
				i++
				continue
			}
			var r rune
			r, i = unescape(raw, i)
			l.text = utf8.AppendRune(l.text, r)
			for len(l.at) < len(l.text) {
				l.at = append(l.at, begin)
			}
		}
		l.at = append(l.at, i)
		i++
		if !visit(l) {
			return
		}
	}
}

// unescape reads the escape at i, and says where it ends.
func unescape(raw []byte, i int) (rune, int) {
	switch c := raw[i+1]; c {
	case 'n':
		return '\n', i + 2
	case 't':
		return '\t', i + 2
	case 'r':
		return '\r', i + 2
	case 'b':
		return '\b', i + 2
	case 'f':
		return '\f', i + 2
	case 'u':
		r, ok := hex4(raw, i+2)
		if !ok {
			return utf8.RuneError, i + 2
		}
		if utf16.IsSurrogate(r) && i+7 < len(raw) && raw[i+6] == '\\' && raw[i+7] == 'u' {
			if low, ok := hex4(raw, i+8); ok {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					return both, i + 12
				}
			}
		}
		return r, i + 6
	default:
		return rune(c), i + 2
	}
}

func hex4(raw []byte, at int) (r rune, ok bool) {
	if at+4 > len(raw) {
		return 0, false
	}
	for _, c := range raw[at : at+4] {
		r <<= 4
		switch {
		case '0' <= c && c <= '9':
			r |= rune(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			r |= rune(c|0x20-'a') + 10
		default:
			return 0, false
		}
	}
	return r, true
}
