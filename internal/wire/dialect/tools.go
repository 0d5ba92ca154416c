package dialect

// call is one tool call of a choice.
type call struct {
	index    int32
	id, name string
}

// toolCall finds or opens the call that a fragment belongs to. at is the index
// value, id and name the fragment's, each absent or empty where the provider
// sends none. Calls are keyed by index and id: a known id is that call; an
// index continues its latest call unless both a new id and a name begin
// another one there; what has neither continues the only open call, else the
// latest, marked ambiguous.
func (s *stream) toolCall(choice int32, at, id, name []byte) deed {
	c := s.choice(choice)
	d := deed{kind: KindTool, choice: choice}
	idText, nameText := s.decode(id), s.decode(name)
	i, hasIndex := index(at)
	d.inferred = !hasIndex

	if len(idText) > 0 {
		for k := len(c.calls) - 1; k >= 0; k-- {
			if o := c.calls[k]; o.id == string(idText) && (!hasIndex || o.index == i) {
				d.call = o
				return d
			}
		}
	}
	begins := len(nameText) > 0
	if hasIndex {
		if o := c.latest(i); o != nil {
			switch {
			case len(idText) == 0, !begins:
				d.call = o
			case o.id == "" && (o.name == "" || o.name == string(nameText)):
				o.id = string(idText) // the id came late
				d.call = o
			}
		}
	} else if len(idText) == 0 && !begins && len(c.calls) > 0 {
		d.call = c.calls[len(c.calls)-1]
		d.ambiguous = len(c.calls) > 1
	}
	if d.call == nil {
		if !hasIndex {
			i = int32(len(c.calls))
		}
		d.call = &call{index: i, id: string(idText)}
		c.calls = append(c.calls, d.call)
		s.forget()
	}
	return d
}

// latest is the last call opened with an index.
func (c *choice) latest(i int32) *call {
	for k := len(c.calls) - 1; k >= 0; k-- {
		if c.calls[k].index == i {
			return c.calls[k]
		}
	}
	return nil
}

// toolName gives a call's name once: some providers repeat it in each fragment.
func (s *stream) toolName(d deed, val []byte) {
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
func (s *stream) toolArgs(d deed, val []byte) {
	switch kindOf(val) {
	case '"':
		s.learn.text(val, d)
		if text := s.decode(val); len(text) > 0 {
			s.toolText(d, ToolArguments, text)
		}
	case 0:
	default:
		if !isNull(val) {
			s.toolText(d, ToolArguments, s.clean(val))
		}
	}
}

func (s *stream) toolText(d deed, field ToolField, text []byte) {
	s.tool = Tool{Index: d.call.index, ID: d.call.id, Name: d.call.name, Field: field, Inferred: d.inferred, Ambiguous: d.ambiguous}
	s.choice(d.choice).content = true
	e := s.blank(KindTool, d.choice)
	e.Tool = &s.tool
	s.fill(text)
	s.give()
}

// openCall opens a call whose place the dialect states, and gives the deed
// with which its fragments are given. It is one call however often it opens.
func (s *stream) openCall(choice, at int32, id []byte) deed {
	c := s.choice(choice)
	d := deed{kind: KindTool, choice: choice}
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
