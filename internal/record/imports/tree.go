package imports

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"aircheck/internal/kit/limits"
	"aircheck/internal/record/imports/jsonstream"
)

// documents reads YAML or JSON as values: maps, lists, text, []byte for binary
// YAML scalars, json.Number, bool and nil. JSON is read as JSON, since its
// escapes are not all YAML's.
func documents(data []byte) ([]any, error) {
	head := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")), " \t\r\n")
	if len(head) > 0 && (head[0] == '{' || head[0] == '[') {
		v, err := jsonstream.Decode(head)
		if err == nil {
			return []any{v}, nil
		}
	}
	dec := yaml.NewDecoder(bytes.NewReader(data))
	var out []any
	for {
		var n yaml.Node
		err := dec.Decode(&n)
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		p := plainer{}
		v, err := p.plain(&n, 0)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
}

// plainer turns nodes into values.
type plainer struct {
	inAlias int // aliases that enclose the node
	aliased int // values that aliases stood for
}

func (p *plainer) plain(n *yaml.Node, depth int) (any, error) {
	if p.inAlias > 0 {
		if p.aliased++; p.aliased > limits.ImportAliased {
			return nil, fmt.Errorf("its aliases stand for more than %d values", limits.ImportAliased)
		}
	}
	if depth > 200 {
		return nil, errors.New("nested too deeply")
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return p.plain(n.Content[0], depth+1)
	case yaml.AliasNode:
		p.inAlias++
		defer func() { p.inAlias-- }()
		return p.plain(n.Alias, depth+1)
	case yaml.SequenceNode:
		list := make([]any, len(n.Content))
		for i, c := range n.Content {
			var err error
			if list[i], err = p.plain(c, depth+1); err != nil {
				return nil, err
			}
		}
		return list, nil
	case yaml.MappingNode:
		m := make(map[string]any, len(n.Content)/2)
		for i := 0; i+1 < len(n.Content); i += 2 {
			v, err := p.plain(n.Content[i+1], depth+1)
			if err != nil {
				return nil, err
			}
			m[n.Content[i].Value] = v
		}
		return m, nil
	}
	switch n.ShortTag() {
	case "!!binary", "!binary": // the second is Ruby's
		b, err := unbase64(n.Value)
		if err != nil {
			return nil, fmt.Errorf("line %d: binary text is not base64", n.Line)
		}
		return b, nil
	case "!!null":
		return nil, nil
	case "!!bool":
		var b bool
		if err := n.Decode(&b); err != nil {
			return n.Value, nil
		}
		return b, nil
	case "!!int", "!!float":
		if json.Valid([]byte(n.Value)) {
			return json.Number(n.Value), nil
		}
	}
	return n.Value, nil
}

func unbase64(s string) ([]byte, error) {
	s = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' || r == ' ' || r == '\t' {
			return -1
		}
		return r
	}, s)
	if b, err := base64.StdEncoding.DecodeString(s); err == nil {
		return b, nil
	}
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(s, "="))
}

// at follows keys; nil where they lead nowhere.
func at(v any, keys ...string) any {
	for _, k := range keys {
		m, _ := v.(map[string]any)
		v = m[k]
	}
	return v
}

func items(v any) []any { l, _ := v.([]any); return l }

// str is a scalar as text, "" for anything else.
func str(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []byte:
		return string(v)
	case json.Number:
		return string(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// num is a number, 0 where there is none.
func num(v any) float64 {
	f, _ := strconv.ParseFloat(str(v), 64)
	return f
}

// raw is a body: text or bytes as they are, anything else as JSON.
func raw(v any) []byte {
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return []byte(v)
	case []byte:
		return v
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(v) != nil {
		return nil
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// header reads headers: a map of texts or lists, or a list of {name, value}.
func header(v any) http.Header {
	h := http.Header{}
	switch v := v.(type) {
	case map[string]any:
		for name, values := range v {
			if list, ok := values.([]any); ok {
				for _, x := range list {
					h.Add(name, str(x))
				}
				continue
			}
			h.Add(name, str(values))
		}
	case []any:
		for _, x := range v {
			if name := str(at(x, "name")); name != "" {
				h.Add(name, str(at(x, "value")))
			}
		}
	}
	return h
}

// timeForms are those in which recordings state moments.
var timeForms = []string{time.RFC3339, time.RFC1123, time.RFC1123Z, "2006-01-02 15:04:05.999999999Z07:00", "2006-01-02T15:04:05.999999999Z0700"}

func moment(s string) time.Time {
	for _, form := range timeForms {
		if t, err := time.Parse(form, strings.TrimSpace(s)); err == nil {
			return t.UTC()
		}
	}
	return time.Time{}
}

// dated takes the start from the first of several statements, or else from the
// response's own Date.
func (x *Exchange) dated(statements ...[2]string) {
	if d := x.Header.Get("Date"); d != "" {
		statements = append(statements, [2]string{"date header", d})
	}
	for _, s := range statements {
		if t := moment(s[1]); !t.IsZero() {
			x.Started, x.TimeFrom = t, s[0]
			return
		}
	}
}
