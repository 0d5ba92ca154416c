package dialect

// call is one tool call of a choice.
type call struct {
	index    int32
	id, name string
	lateID   string // an id that came when the call was known without one
	moved    bool   // another call had its index, at, before
	at       int32
	args     balance
}

// toolCall finds or opens the call that a fragment belongs to. at is the index
// value, id and name the fragment's, each absent or empty where the provider
// sends none; args says whether it has any arguments. Calls are keyed by index
// and id: a known id is that call; an index continues its latest call unless a
// new id and a name, or a name after whole arguments, begin another one there;
// what has neither continues the only open call, else the latest, marked
// ambiguous. Arguments that came before any name belong to the name that
// follows.
func (s *stream) toolCall(choice int32, at, id, name []byte, args bool) action {
	c := s.choice(choice)
	d := action{kind: KindTool, choice: choice}
	idText, nameText := s.decode(id), s.decode(name)
	i, hasIndex := index(at)
	d.inferred = !hasIndex

	if len(idText) > 0 {
		for k := len(c.calls) - 1; k >= 0; k-- {
			if o := c.calls[k]; (o.id == string(idText) || o.lateID == string(idText)) && (!hasIndex || o.index == i || o.moved) {
				d.call = o
				return d
			}
		}
	}
	begins := len(nameText) > 0
	taken := false // the index is that of another call
	if hasIndex {
		if o := c.latest(i); o != nil {
			another := begins && o.name != "" && o.args.whole() && (args || o.name != string(nameText))
			switch {
			case another && len(idText) == 0:
				taken = true
			case len(idText) == 0, !begins:
				d.call = o
			case o.id == "" && (o.name == "" || o.name == string(nameText) && !another):
				o.lateID = string(idText)
				d.call = o
			}
		}
	} else if n := len(c.calls); n > 0 {
		last := c.calls[n-1]
		switch {
		case begins && last.name == "" && last.id == "":
			last.lateID = string(idText)
			d.call = last
		case len(idText) == 0 && !begins:
			d.call = last
			d.ambiguous = n > 1
		}
	}
	if d.call == nil {
		if !hasIndex || taken {
			i = c.free()
		}
		d.call = &call{index: i, id: string(idText), moved: taken}
		if taken {
			d.call.at, _ = index(at)
		}
		c.calls = append(c.calls, d.call)
		s.forget()
	}
	return d
}

// latest is the last call opened with an index.
func (c *choice) latest(i int32) *call {
	for k := len(c.calls) - 1; k >= 0; k-- {
		if o := c.calls[k]; o.index == i && !o.moved || o.moved && o.at == i {
			return o
		}
	}
	return nil
}

// free is an index that no call has.
func (c *choice) free() int32 {
	n := int32(0)
	for _, o := range c.calls {
		n = max(n, o.index+1)
	}
	return n
}

// balance follows a JSON text that comes in pieces, to tell when it is whole.
type balance struct {
	depth            int32
	begun            bool
	inString, escape bool
}

func (b *balance) add(text []byte) {
	for _, c := range text {
		switch {
		case b.escape:
			b.escape = false
		case b.inString:
			b.escape, b.inString = c == '\\', c != '"'
		case c == '"':
			b.inString = true
		case c == '{', c == '[':
			b.depth++
			b.begun = true
		case c == '}', c == ']':
			b.depth--
		}
	}
}

func (b *balance) whole() bool { return b.begun && b.depth <= 0 && !b.inString }

// toolName gives a call's name once: some providers repeat it in each fragment.
func (s *stream) toolName(d action, val []byte) {
	name := s.decode(val)
	if len(name) == 0 || d.call.name == string(name) {
		return
	}
	d.call.name += string(name)
	s.forget()
	s.toolText(d, ToolName, name)
}

// toolArgs gives a fragment of a call's arguments: a piece of text, or the
// whole as a JSON value.
func (s *stream) toolArgs(d action, val []byte) {
	switch kindOf(val) {
	case '"':
		s.draft.text(val, d)
		if text := s.whole(&d, val); len(text) > 0 {
			s.toolText(d, ToolArguments, text)
		}
	case 0:
	default:
		if !isNull(val) {
			s.toolText(d, ToolArguments, s.clean(val))
		}
	}
}

func (s *stream) toolText(d action, field ToolField, text []byte) {
	if field == ToolArguments {
		d.call.args.add(text)
	}
	s.tool = Tool{Index: d.call.index, ID: d.call.id, Name: d.call.name, Field: field, Inferred: d.inferred, Ambiguous: d.ambiguous}
	s.choice(d.choice).content = true
	e := s.blank(KindTool, d.choice)
	e.Tool = &s.tool
	s.fill(text)
	s.give()
}

// openCall opens a call whose place the dialect states, and gives the action
// with which its fragments are given. It is one call however often it opens.
func (s *stream) openCall(choice, at int32, id []byte) action {
	c := s.choice(choice)
	d := action{kind: KindTool, choice: choice}
	idText := s.decode(id)
	s.forget() // what follows may now belong to another call
	for _, o := range c.calls {
		if o.index == at && o.id == string(idText) {
			d.call = o
			return d
		}
	}
	d.call = &call{index: at, id: string(idText)}
	c.calls = append(c.calls, d.call)
	return d
}
