// Package version says which build this is.
package version

import (
	"runtime/debug"
	"strings"
)

// Set by a release's linker.
var release, commit string

// String is the release's version, else the module's, or the commit that it was
// built from where there is none, or "unknown".
func String() string {
	if release != "" {
		if commit != "" && commit != release {
			return release + " (" + commit + ")"
		}
		return release
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	return of(info)
}

func of(info *debug.BuildInfo) string {
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return strings.TrimPrefix(v, "v")
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return s.Value[:12]
		}
	}
	return "unknown"
}

// Of names a command with its build: "aircheck record 1.2.0".
func Of(command string) string {
	v := String()
	if v == "unknown" {
		v = "(unknown version: built outside version control)"
	}
	return "aircheck " + command + " " + v
}
