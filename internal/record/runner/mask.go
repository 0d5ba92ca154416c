package runner

import (
	"regexp"
	"slices"
	"strings"

	"aircheck/internal/record/capture"
	"aircheck/internal/record/content"
	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// keyEnv finds the names of variables in a plan's text, which may be one that can
// no longer be read as a plan: its prompts lie elsewhere.
var keyEnv = regexp.MustCompile(`\bkey_env["']?\s*:\s*["']?([A-Za-z_][A-Za-z0-9_]*)`)

// MaskOf hides keys that only a whole response shows while a run is recovered.
// They are taken from the environment again: from the variables that the run's
// plan names, and from those named beside. Where there are none, the run's record
// says that nobody looked.
func MaskOf(getenv func(string) string, beside []string) journal.MaskOf {
	return func(run *schema.Run) journal.Mask {
		names := append(slices.Clone(awsKeys), beside...)
		var missing []string
		for _, m := range keyEnv.FindAllStringSubmatch(run.Plan, -1) {
			if name := m[1]; !slices.Contains(names, name) {
				names = append(names, name)
				if getenv(name) == "" {
					missing = append(missing, name)
				}
			}
		}
		var values []string
		for _, name := range names {
			values = append(values, strings.TrimSpace(getenv(name)))
		}
		switch {
		case len(missing) > 0:
			run.Notes = append(run.Notes, "keys that came in pieces over several frames were not looked for: "+strings.Join(missing, ", ")+" not set")
		case run.Origin == "proxied" && len(beside) == 0:
			run.Notes = append(run.Notes, "keys of callers that came in pieces over several frames were not looked for")
		}
		secrets := capture.NewSecrets(values...)
		return func(row *schema.Request, frames [][]byte, more bool) {
			if note := content.Seal(secrets, row, frames, more); note != "" {
				run.Notes = append(run.Notes, note)
			}
		}
	}
}
