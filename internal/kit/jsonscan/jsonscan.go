// Package jsonscan finds the strings of JSON documents, valid or not, in place.
package jsonscan

import "slices"

// Place is where a string stands in a document.
type Place struct {
	Key   string   // of the nearest member around it
	above []string // keys of the objects around that member, outermost first
}

// Inside says whether a member of that name encloses the one at hand.
func (p *Place) Inside(key string) bool { return slices.Contains(p.above, key) }

// Within: encloses the string, or is its own member.
func (p *Place) Within(key string) bool { return p.Key == key || p.Inside(key) }

// Strings calls f with every string that is a value of a JSON document: the
// bytes between its quotation marks, which f may change in place; and name with
// every name of a member. A document that is cut, or no JSON at all, gives the
// strings that can be found in it.
func Strings(doc []byte, f, name func(p *Place, literal []byte)) {
	var stack []level
	p := &Place{}
	for i := 0; i < len(doc); i++ {
		switch doc[i] {
		case '{', '[':
			opened := ""
			if n := len(stack); n > 0 {
				if opened = stack[n-1].key; !stack[n-1].object {
					opened = stack[n-1].opened
				}
			}
			stack = append(stack, level{object: doc[i] == '{', opened: opened})
		case '}', ']':
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
		case '"':
			start := i + 1
			end := start
			for end < len(doc) && doc[end] != '"' {
				if doc[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(doc))
			literal := doc[start:end]
			i = end
			n := len(stack)
			if n > 0 && stack[n-1].object && isName(doc[min(end+1, len(doc)):]) {
				stack[n-1].key = string(literal)
				p.stand(stack)
				p.Key = string(literal)
				name(p, literal)
				continue
			}
			p.stand(stack)
			if n > 0 {
				if p.Key = stack[n-1].key; !stack[n-1].object {
					p.Key = stack[n-1].opened
				}
			}
			f(p, literal)
		}
	}
}

// level is an object or list that is open.
type level struct {
	object bool
	key    string // the member at hand
	opened string // the member that this level is the value of
}

func (p *Place) stand(stack []level) {
	p.Key, p.above = "", p.above[:0]
	for _, l := range stack {
		if l.opened != "" {
			p.above = append(p.above, l.opened)
		}
	}
}

// isName: what follows a string says that it was the name of a member.
func isName(rest []byte) bool {
	for _, c := range rest {
		switch c {
		case ' ', '\t', '\r', '\n':
			continue
		}
		return c == ':'
	}
	return false
}
