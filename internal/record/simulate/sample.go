package simulate

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"slices"
)

// jsonSchema is the part of JSON Schema that answers are made from.
type jsonSchema struct {
	Type       json.RawMessage            `json:"type"`
	Enum       []json.RawMessage          `json:"enum"`
	Const      json.RawMessage            `json:"const"`
	Properties map[string]json.RawMessage `json:"properties"`
	Items      json.RawMessage            `json:"items"`
	MinItems   int                        `json:"minItems"`
	Minimum    *float64                   `json:"minimum"`
	AnyOf      []json.RawMessage          `json:"anyOf"`
}

// sampleJSON writes a value that a schema admits; without a schema, an object
// of three fields.
func sampleJSON(schema json.RawMessage, r *rand.Rand) []byte {
	if len(bytes.TrimSpace(schema)) == 0 {
		schema = json.RawMessage(`{"type":"object","properties":{"answer":{"type":"string"},
			"items":{"type":"array","items":{"type":"string"}},"count":{"type":"integer"}}}`)
	}
	b, err := json.Marshal(sampleValue(schema, r, 0))
	if err != nil { // values are maps, slices and scalars made below
		return []byte("{}")
	}
	return b
}

func sampleValue(schema json.RawMessage, r *rand.Rand, depth int) any {
	var s jsonSchema
	if json.Unmarshal(schema, &s) != nil || depth > 20 {
		return nil
	}
	switch {
	case s.Const != nil:
		return s.Const
	case len(s.Enum) > 0:
		return s.Enum[r.IntN(len(s.Enum))]
	case len(s.AnyOf) > 0:
		return sampleValue(s.AnyOf[0], r, depth+1)
	}
	switch s.typeName() {
	case "object":
		names := make([]string, 0, len(s.Properties))
		for name := range s.Properties {
			names = append(names, name)
		}
		slices.Sort(names) // randomness is used up in a fixed order
		object := map[string]any{}
		for _, name := range names {
			object[name] = sampleValue(s.Properties[name], r, depth+1)
		}
		return object
	case "array":
		list := make([]any, max(2, s.MinItems))
		for i := range list {
			list[i] = sampleValue(s.Items, r, depth+1)
		}
		return list
	case "integer":
		n := 1 + r.IntN(99)
		if s.Minimum != nil {
			n += int(*s.Minimum)
		}
		return n
	case "number":
		x := float64(r.IntN(1000)) / 10
		if s.Minimum != nil {
			x += *s.Minimum
		}
		return x
	case "boolean":
		return r.IntN(2) == 0
	case "null":
		return nil
	}
	return nouns[r.IntN(len(nouns))]
}

// typeName is the schema's type, the first of several; an object if it has
// properties and says nothing.
func (s *jsonSchema) typeName() string {
	var one string
	if json.Unmarshal(s.Type, &one) == nil {
		return one
	}
	var many []string
	if json.Unmarshal(s.Type, &many) == nil && len(many) > 0 {
		return many[0]
	}
	if s.Properties != nil {
		return "object"
	}
	return "string"
}
