package version

import (
	"runtime/debug"
	"testing"
)

func TestOf(t *testing.T) {
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef"}}
	for _, c := range []struct {
		version  string
		settings []debug.BuildSetting
		want     string
	}{
		{"v1.2.0", commit, "1.2.0"}, {"(devel)", commit, "0123456789ab"}, {"(devel)", nil, "unknown"},
	} {
		if got := of(&debug.BuildInfo{Main: debug.Module{Version: c.version}, Settings: c.settings}); got != c.want {
			t.Errorf("%s: got %s, want %s", c.version, got, c.want)
		}
	}
}
