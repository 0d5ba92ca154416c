package main

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"aircheck/internal/kit/limits"
)

// limitsPage is every bound, and what happens beyond it.
func limitsPage(_ context.Context, _ *source, w *strings.Builder) error {
	w.WriteString(`# Limits

Nothing that arrives takes more than its share of memory, disk or time. What is beyond a bound is named and left out, and the rest
goes on. Our own limits are never counted against a provider. [Security](security.md) says who is not trusted, and what is promised.
`)
	for _, g := range limits.Table() {
		fmt.Fprintf(w, "\n## %s\n\n", g.Of)
		if g.About != "" {
			w.WriteString(g.About + "\n\n")
		}
		head(w, "what", "bound", "beyond it", "configured by")
		for _, l := range g.Limits {
			row(w, l.What, l.Bound, l.Beyond, cmp.Or(l.Set, "–"))
		}
	}
	w.WriteString(`
## What a crash can lose

After a kill everything that arrived more than 25 ms before comes back; after a power loss everything but about the last second, or
with ` + "`--durable`" + ` the last few milliseconds. See [the journal](decisions/0021-journal.md).
`)
	return nil
}
