package mapping

import "maps"

// langsmithRuns makes a record of each run: of a batch as SDKs post it, what is
// patched later laid over what was posted; of an export, its runs. token_times
// are the times of its new_token events.
func langsmithRuns(doc any) []any {
	var out []any
	posted := map[any]map[string]any{}
	add := func(run any, key any) {
		m, is := run.(map[string]any)
		if !is {
			return
		}
		if p := posted[key]; p != nil && key != nil {
			for k, v := range m {
				if v != nil {
					p[k] = v
				}
			}
			return
		}
		m = maps.Clone(m)
		posted[key] = m
		out = append(out, m)
	}
	key := func(run any) any { return first(at(run, "id"), at(run, "run_id"), at(run, "dotted_order")) }
	switch {
	case at(doc, "post") != nil || at(doc, "patch") != nil:
		for _, run := range list(at(doc, "post")) {
			add(run, first(at(run, "dotted_order"), key(run)))
		}
		for _, run := range list(at(doc, "patch")) {
			add(run, first(at(run, "dotted_order"), key(run)))
		}
	case at(doc, "runs") != nil:
		for _, run := range list(at(doc, "runs")) {
			add(run, key(run))
		}
	case list(doc) != nil:
		for _, run := range list(doc) {
			add(run, key(run))
		}
	default:
		add(doc, key(doc))
	}
	for _, run := range out {
		m := run.(map[string]any)
		var tokens []any
		for _, e := range list(m["events"]) {
			if at(e, "name") == "new_token" {
				tokens = append(tokens, at(e, "time"))
			}
		}
		m["token_times"] = tokens
	}
	return out
}
