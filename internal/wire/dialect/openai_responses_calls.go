package dialect

import "strings"

// callPrinter writes the arguments of a call whose text streams as the inside of
// one member (a command of a shell, the diff of a patch), so that what it gives
// is JSON when the call is whole, and each piece has the time at which it came.
type callPrinter struct {
	member   string // that streams: "commands" or "diff"; "" where none does
	list     bool   // it is a list of texts
	n        int    // texts begun
	inString bool
}

// begin keeps what the opening item says.
func (p *callPrinter) begin(s *stream, it *responseItem, args []byte) {
	switch it.kind {
	case "shell_call":
		p.member, p.list = "commands", true
	case "apply_patch_call":
		p.member = "diff"
	}
}

// printed takes an event of the streaming member.
func (d *openAIResponses) printed(s *stream, name string, e *responseEvent) {
	it := d.items[e.output]
	if it == nil || it.print.member == "" {
		if strings.HasSuffix(name, ".delta") {
			d.delta(s, textKey{e.output, 0, KindTool}, e.delta)
		}
		return
	}
	switch p := &it.print; {
	case strings.HasSuffix(name, ".added"):
		p.open(s, it)
	case strings.HasSuffix(name, ".delta"):
		if text := s.decode(e.delta); len(text) > 0 {
			p.open(s, it)
			s.toolText(it.action, ToolArguments, quoteJSON(nil, text))
		}
	case strings.HasSuffix(name, ".done") && p.inString:
		p.inString = false
		s.toolText(it.action, ToolArguments, []byte(`"`))
	}
}

// open begins the next text.
func (p *callPrinter) open(s *stream, it *responseItem) {
	if p.inString {
		return
	}
	lead := `,"`
	switch {
	case p.n == 0 && p.list:
		lead = `{"` + p.member + `":["`
	case p.n == 0:
		lead = `{"` + p.member + `":"`
	}
	p.n, p.inString = p.n+1, true
	s.toolText(it.action, ToolArguments, []byte(lead))
}

// end closes the arguments with the other members of the final item. It reports
// whether the call's text had streamed.
func (p *callPrinter) end(s *stream, it *responseItem, args []byte) bool {
	if p.n == 0 {
		return false
	}
	if p.member == "" { // closed before: the whole response repeats it
		return true
	}
	var rest []byte
	if p.inString {
		rest = append(rest, '"')
	}
	if p.list {
		rest = append(rest, ']')
	}
	for m := s.object("", args); m.next(); {
		if string(m.key) != p.member {
			rest = append(append(rest, `,"`...), quoteJSON(nil, m.key)...)
			rest = append(append(rest, `":`...), m.val...)
		}
	}
	p.member = ""
	s.toolText(it.action, ToolArguments, s.clean(append(rest, '}')))
	return true
}
