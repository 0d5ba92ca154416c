package names

import (
	_ "embed"
	"strings"
)

//go:embed releases.tsv
var releases string

// Releases are the days on which models were released, by name in lower case
// without the maker's, as YYYY-MM-DD. They are few: what is not there has no age.
func Releases() map[string]string {
	out := map[string]string{}
	for line := range strings.Lines(releases) {
		model, day, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if ok && !strings.HasPrefix(model, "#") && model != "model" {
			out[model] = day
		}
	}
	return out
}
