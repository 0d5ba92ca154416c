package names

import (
	_ "embed"
	"net"
	"slices"
	"strings"
	"sync"

	"aircheck/internal/kit/yamlx"
)

//go:embed hosts.yaml
var hostsFile []byte

// hosts maps a host, or ".parent" for all hosts below it, to its provider.
var hosts = sync.OnceValue(func() map[string]string {
	var file struct {
		Providers map[string]yamlx.List[string] `yaml:"providers"`
	}
	if err := yamlx.Decode(hostsFile, "hosts.yaml", &file); err != nil {
		panic(err)
	}
	out := map[string]string{}
	for provider, list := range file.Providers {
		for _, h := range list {
			out[h] = provider
		}
	}
	return out
})

// Provider is who answers at a host (with or without a port). A host that is
// not in the table, such as one's own server, stands for itself: it is who
// answers. "" for what is no host.
func Provider(host string) string {
	name := strings.ToLower(host)
	if h, _, err := net.SplitHostPort(name); err == nil {
		name = h
	}
	if p := hosts()[name]; p != "" {
		return p
	}
	for i := strings.IndexByte(name, '.'); i >= 0; {
		if p := hosts()[name[i:]]; p != "" {
			return p
		}
		next := strings.IndexByte(name[i+1:], '.')
		if next < 0 {
			break
		}
		i += 1 + next
	}
	// Regional endpoints of Vertex carry the region in the first label.
	if strings.HasSuffix(name, "-aiplatform.googleapis.com") {
		return "vertex"
	}
	if name == "" || strings.ContainsAny(name, "<>{}*/ ") {
		return ""
	}
	return strings.ToLower(host)
}

// Hosts lists the hosts at which a provider answers; one that begins with a dot
// stands for all hosts below it.
func Hosts(provider string) []string {
	var out []string
	for h, p := range hosts() {
		if p == provider {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return out
}

// Region is the region that a host's name states, "" where it states none.
func Region(host string) string {
	name := strings.ToLower(host)
	if h, _, err := net.SplitHostPort(name); err == nil {
		name = h
	}
	first, rest, _ := strings.Cut(name, ".")
	switch {
	case strings.HasSuffix(first, "-aiplatform") && rest == "googleapis.com":
		return strings.TrimSuffix(first, "-aiplatform")
	case strings.HasPrefix(first, "bedrock") && (strings.HasSuffix(rest, ".amazonaws.com") || strings.HasSuffix(rest, ".api.aws")):
		region, _, _ := strings.Cut(rest, ".")
		return region
	case strings.HasSuffix(rest, "ml.cloud.ibm.com"):
		return first
	}
	return ""
}
