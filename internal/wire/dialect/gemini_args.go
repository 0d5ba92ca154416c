package dialect

import (
	"strconv"
	"strings"
)

// argsPrinter writes arguments that come as pieces with the JSON path where
// each belongs, so that what it gives is JSON when the call is whole.
type argsPrinter struct {
	open     []step // the containers that are open, outermost first
	begun    bool
	inString bool
	path     string // of the string that is open
}

// step is a member's name or an element's index.
type step struct {
	name  string
	index int // -1 for a name
}

// steps reads $.a.b[0]['c'].
func steps(path string) []step {
	var out []step
	for rest := strings.TrimPrefix(path, "$"); rest != ""; {
		if rest[0] == '.' {
			rest = rest[1:]
		}
		if strings.HasPrefix(rest, "[") {
			inner, after, ok := strings.Cut(rest[1:], "]")
			if !ok {
				return append(out, step{name: rest, index: -1})
			}
			if n, err := strconv.Atoi(inner); err == nil {
				out = append(out, step{index: n})
			} else {
				out = append(out, step{name: strings.Trim(inner, `'"`), index: -1})
			}
			rest = after
			continue
		}
		n := strings.IndexAny(rest, ".[")
		if n < 0 {
			n = len(rest)
		}
		if n > 0 {
			out = append(out, step{name: rest[:n], index: -1})
		}
		rest = rest[n:]
	}
	return out
}

// piece gives the JSON that one piece adds.
func (p *argsPrinter) piece(s *stream, obj []byte) []byte {
	path := s.str(get(obj, "jsonPath"))
	if path == "" {
		path = s.str(get(obj, "json_path"))
	}
	var out []byte
	var value []byte
	var text []byte
	isText := false
	for m := s.object("partialArgs[]", obj); m.next(); {
		switch string(m.key) {
		case "stringValue", "string_value":
			text, isText = s.decode(m.val), true
		case "numberValue", "number_value", "boolValue", "bool_value":
			value = m.val
		case "nullValue", "null_value":
			value = []byte("null")
		case "jsonPath", "json_path", "willContinue", "will_continue":
		default:
			s.unknown("partialArgs[]", m.key, m.val)
		}
	}
	if !isText && value == nil {
		return nil
	}
	if !isText || !p.inString || p.path != path {
		out = p.moveTo(out, steps(path))
		if isText {
			out = append(out, '"')
			p.inString, p.path = true, path
		}
	}
	if isText {
		return quoteJSON(out, text)
	}
	return append(out, value...)
}

// moveTo closes and opens containers on the way to a path.
func (p *argsPrinter) moveTo(out []byte, path []step) []byte {
	out = p.endString(out)
	same := 0
	for same < len(p.open)-1 && same < len(path)-1 && p.open[same] == path[same] {
		same++
	}
	first := !p.begun
	for n := len(p.open) - 1; n > same; n-- {
		out = append(out, closing(p.open[n]))
	}
	if len(p.open) > same {
		p.open = p.open[:same]
		if !first {
			out = append(out, ',')
		}
	} else if first {
		out = append(out, opening(path))
	}
	p.begun = true
	for i := same; i < len(path); i++ {
		if i > same {
			out = append(out, opening(path[i:]))
		}
		if path[i].index < 0 {
			out = append(append(append(out, '"'), quoteJSON(nil, []byte(path[i].name))...), '"', ':')
		}
		p.open = append(p.open, path[i])
	}
	return out
}

func opening(path []step) byte {
	if len(path) > 0 && path[0].index >= 0 && path[0].name == "" {
		return '['
	}
	return '{'
}

func closing(s step) byte {
	if s.index >= 0 {
		return ']'
	}
	return '}'
}

func (p *argsPrinter) endString(out []byte) []byte {
	if p.inString {
		p.inString = false
		out = append(out, '"')
	}
	return out
}

// end gives what closes all that is open.
func (p *argsPrinter) end() []byte {
	out := p.endString(nil)
	for n := len(p.open) - 1; n >= 0; n-- {
		out = append(out, closing(p.open[n]))
	}
	p.open = nil
	return out
}
