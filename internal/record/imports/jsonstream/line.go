package jsonstream

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Projection decodes small documents, such as lines, as far as the wanted paths
// lead. Several goroutines may use one.
type Projection struct{ tree *branch }

// NewProjection keeps what the paths lead to.
func NewProjection(want [][]Step) *Projection {
	p := &Projection{&branch{}}
	for _, steps := range want {
		p.tree.add(steps).all = true
	}
	return p
}

// Decode proves a document valid and gives what is wanted of it. replaced counts
// bare NaN and Infinity, which read as null.
func (p *Projection) Decode(doc []byte) (v any, replaced int, err error) {
	dec := decoders.Get().(*jsontext.Decoder)
	defer decoders.Put(dec)
	dec.Reset(bytes.NewBuffer(doc), options...)
	if v, err = p.decode(dec); err == nil {
		return v, 0, nil
	}
	// Bare words are rare: the document is read again where it did not go.
	r := newReader(bytes.NewReader(doc))
	v, err = p.decode(r.dec)
	if err != nil {
		return nil, 0, r.fail(err)
	}
	return v, r.words.replaced, nil
}

func (p *Projection) decode(dec *jsontext.Decoder) (any, error) {
	v, err := p.tree.decode(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.ReadToken(); err == nil {
		return nil, errors.New("another value follows the document")
	} else if err != io.EOF {
		return nil, err
	}
	return v, nil
}

// decode keeps of the next value what the branch leads to.
func (b *branch) decode(dec *jsontext.Decoder) (any, error) {
	k := dec.PeekKind()
	if b.all || b.each != nil || len(b.at) > 0 || k != '{' {
		return decode(dec)
	}
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	m := make(map[string]any, len(b.members))
	for dec.PeekKind() != '}' {
		// The name is good until the next read: looking it up needs no copy.
		name, err := dec.ReadValue()
		if err != nil {
			return nil, err
		}
		next, key := b.named(name)
		if next == nil {
			if err := dec.SkipValue(); err != nil {
				return nil, err
			}
			continue
		}
		if m[key], err = next.decode(dec); err != nil {
			return nil, err
		}
	}
	_, err := dec.ReadToken()
	return m, err
}

// named is the branch of a member, by its name as JSON has it.
func (b *branch) named(raw jsontext.Value) (*branch, string) {
	if bytes.IndexByte(raw, '\\') < 0 {
		raw = raw[1 : len(raw)-1]
		next := b.members[string(raw)]
		if next == nil {
			return nil, ""
		}
		return next, string(raw)
	}
	name, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		return nil, ""
	}
	return b.members[string(name)], string(name)
}
