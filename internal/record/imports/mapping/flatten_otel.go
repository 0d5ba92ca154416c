package mapping

import "maps"

// otelSpans makes a record of each span:
//
//	{name, kind, trace_id, span_id, start, end (Unix nanoseconds or RFC 3339),
//	 attributes: {…}, resource: {…}, status: {code, message},
//	 events: [{name, time, attributes}], token_times: […]}
//
// from OTLP JSON (resourceSpans › scopeSpans › spans, attributes as a list of
// keys and typed values), from lists of spans whose attributes are an object, and
// from a single span. token_times are the times of events that stand for a piece
// of a stream; of the first one alone where a source marks no other.
func otelSpans(doc any) []any {
	var out []any
	for _, rs := range list(first(at(doc, "resourceSpans"), at(doc, "resource_spans"))) {
		resource := attributes(at(rs, "resource", "attributes"))
		for _, ss := range list(first(at(rs, "scopeSpans"), at(rs, "scope_spans"), at(rs, "instrumentationLibrarySpans"))) {
			for _, span := range list(at(ss, "spans")) {
				out = append(out, otelSpan(span, resource))
			}
		}
	}
	for _, span := range list(at(doc, "spans")) {
		out = append(out, otelSpan(span, attributes(at(span, "resource_attributes"))))
	}
	for _, span := range list(doc) {
		out = append(out, otelSpan(span, nil))
	}
	if len(out) == 0 && at(doc, "attributes") != nil {
		out = append(out, otelSpan(doc, nil))
	}
	return out
}

func otelSpan(span any, resource map[string]any) any {
	a := attributes(at(span, "attributes"))
	var events, tokens []any
	for _, e := range list(at(span, "events")) {
		name := at(e, "name")
		when := first(at(e, "timeUnixNano"), at(e, "time_unix_nano"), at(e, "timestamp"), at(e, "time"))
		ea := attributes(at(e, "attributes"))
		events = append(events, map[string]any{"name": name, "time": when, "attributes": ea})
		if tokenEvents[name] && when != nil {
			tokens = append(tokens, when)
		}
		// What is said of the whole call in an event counts as if the span said it.
		if name == "gen_ai.client.inference.operation.details" || name == "gen_ai.choice" {
			for k, v := range ea {
				if a[k] == nil {
					a[k] = v
				}
			}
		}
	}
	return map[string]any{
		"name": at(span, "name"), "kind": at(span, "kind"),
		"trace_id":    first(at(span, "traceId"), at(span, "trace_id"), at(span, "context", "trace_id")),
		"span_id":     first(at(span, "spanId"), at(span, "span_id"), at(span, "context", "span_id")),
		"start":       first(at(span, "startTimeUnixNano"), at(span, "start_time_unix_nano"), at(span, "start_time"), at(span, "startTime")),
		"end":         first(at(span, "endTimeUnixNano"), at(span, "end_time_unix_nano"), at(span, "end_time"), at(span, "endTime")),
		"attributes":  a,
		"resource":    resource,
		"status":      at(span, "status"),
		"events":      events,
		"token_times": tokens,
	}
}

// tokenEvents are names under which instrumentations report pieces of a stream.
var tokenEvents = map[any]bool{
	"First Token Stream Event":     true, // OpenInference
	"llm.content.completion.chunk": true, // OpenLLMetry
	"gen_ai.content.chunk":         true,
	"gen_ai.choice.chunk":          true,
}

// attributes reads a list of keys and typed values, or an object.
func attributes(v any) map[string]any {
	out := map[string]any{}
	switch v := v.(type) {
	case map[string]any:
		maps.Copy(out, v)
	case []any:
		for _, kv := range v {
			if key, ok := at(kv, "key").(string); ok {
				out[key] = typed(at(kv, "value"))
			}
		}
	}
	return out
}

// typed reads an OTLP value, {"stringValue": …}; intValue is text there.
func typed(v any) any {
	m, is := v.(map[string]any)
	if !is {
		return v
	}
	for _, k := range []string{"stringValue", "intValue", "doubleValue", "boolValue", "bytesValue"} {
		if x, ok := m[k]; ok {
			return x
		}
	}
	if a, ok := m["arrayValue"]; ok {
		out := []any{}
		for _, x := range list(at(a, "values")) {
			out = append(out, typed(x))
		}
		return out
	}
	if kv, ok := m["kvlistValue"]; ok {
		return attributes(at(kv, "values"))
	}
	return v
}
