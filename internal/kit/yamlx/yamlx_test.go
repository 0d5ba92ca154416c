package yamlx

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
)

type shared struct {
	Region string `yaml:"region"`
}

type item struct {
	At     Pos            `yaml:"-"`
	Shared shared         `yaml:",inline"`
	Name   string         `yaml:"name"`
	Every  time.Duration  `yaml:"every"`
	Count  *int64         `yaml:"count"`
	Share  float64        `yaml:"share"`
	Params map[string]any `yaml:"params"`
	Nums   List[int]      `yaml:"nums"`
	Own    upper          `yaml:"own"`
}

type upper string

func (u *upper) UnmarshalYAML(n *yaml.Node) error {
	var s string
	if err := DecodeNode(n, &s); err != nil {
		return err
	}
	if s != strings.ToUpper(s) {
		return Errorf(n, "%q is not in capitals", s)
	}
	*u = upper(s)
	return nil
}

type file struct {
	Timeouts struct {
		Idle time.Duration `yaml:"idle"`
	} `yaml:"timeouts"`
	Items []item `yaml:"items"`
}

func TestDecodeReadsEveryKind(t *testing.T) {
	var f file
	f.Timeouts.Idle = 30 * time.Second
	err := Decode([]byte(`
base: &base {region: nyc1, share: 0.5}
`), "f.yaml", &f)
	if err == nil {
		t.Fatal("a key that no field has was accepted")
	}
	err = Decode([]byte(`
timeouts:
items:
  - &a {name: 42, every: 2h, count: 0, region: nyc1, nums: 3, own: ABC}
  - <<: *a
    name: second
    nums: [1, 2]
    params: {temperature: 0, stop: [x]}
`), "f.yaml", &f)
	if err != nil {
		t.Fatal(err)
	}
	if f.Timeouts.Idle != 30*time.Second {
		t.Errorf("a key without value lost the default: %v", f.Timeouts.Idle)
	}
	one, two := f.Items[0], f.Items[1]
	if one.Name != "42" || one.Every != 2*time.Hour || one.Count == nil || *one.Count != 0 || one.Shared.Region != "nyc1" || one.Own != "ABC" {
		t.Errorf("first item: %+v", one)
	}
	if two.Name != "second" || two.Every != 2*time.Hour || !reflect.DeepEqual(two.Nums, List[int]{1, 2}) {
		t.Errorf("second item: %+v", two)
	}
	if !reflect.DeepEqual(two.Params, map[string]any{"temperature": 0, "stop": []any{"x"}}) {
		t.Errorf("params: %#v", two.Params)
	}
	if two.At.String() != "f.yaml:5:5" {
		t.Errorf("position: %v", two.At)
	}
}

func TestFaultsNameTheirPlace(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"items:\n  - {nmae: x}", `f.yaml:2:6: unknown key "nmae"; the nearest known key is "name"`},
		{"items:\n  - {regoin: x}", `f.yaml:2:6: unknown key "regoin"; the nearest known key is "region"`},
		{"items:\n  - {every: soon}", `f.yaml:2:13: wants a duration such as 30s, got "soon"`},
		{"items:\n  - {count: 1.5}", `f.yaml:2:13: wants a whole number, got "1.5"`},
		{"items:\n  - {count: [1]}", `f.yaml:2:13: wants a whole number, got a list`},
		{"items:\n  - {nums: [1, x]}", `f.yaml:2:16: wants a whole number, got "x"`},
		{"items:\n  - {own: abc}", `f.yaml:2:11: "abc" is not in capitals`},
		{"items: {name: x}", `f.yaml:1:8: wants a list, got a mapping`},
		{"items: [x]", `f.yaml:1:9: wants a mapping with keys such as "region", got "x"`},
		{"items: []\nitems: []", `f.yaml:2:1: key "items" is already set on line 1`},
		{"items: [", `f.yaml:1: not valid YAML: did not find expected node content`},
		{"", `f.yaml: the file is empty`},
		{"# only a comment\n", `f.yaml: the file is empty`},
		{"null", `f.yaml:1:1: the file is empty`},
		{"---\n# nothing\n", `f.yaml:3:1: the file is empty`},
		{"items:\n  - {share: .nan}", `f.yaml:2:13: wants a finite number, got ".nan"`},
		{"items:\n  - {share: -.inf}", `f.yaml:2:13: wants a finite number, got "-.inf"`},
		{"items: []\n---\nitems: []", `f.yaml:2:1: a second document starts here; one is expected`},
		{"items: [{every: x}]\nitem: 1", "f.yaml:1:17: wants a duration such as 30s, got \"x\"\nf.yaml:2:1: unknown key \"item\"; the nearest known key is \"items\""},
	} {
		var f file
		err := Decode([]byte(c.in), "f.yaml", &f)
		if err == nil {
			t.Errorf("%q: no error", c.in)
			continue
		}
		if err.Error() != c.want {
			t.Errorf("%q:\n got %s\nwant %s", c.in, err, c.want)
		}
		var all Errors
		if !errors.As(err, &all) {
			t.Errorf("%q: error is %T", c.in, err)
		}
	}
}

func TestSelfContainedAliasEnds(t *testing.T) {
	var f struct {
		A any            `yaml:"a"`
		M map[string]any `yaml:"m"`
		L []item         `yaml:"l"`
	}
	// What matters is that each returns: a mapping that merges itself is the
	// same mapping, and a value that holds itself is a fault of yaml/v3's.
	if err := Decode([]byte("m: &m {b: 1, <<: [*m, *m]}\n"), "f.yaml", &f); err != nil || f.M["b"] != 1 {
		t.Errorf("a mapping that merges itself: %v, %v", err, f.M)
	}
	if err := Decode([]byte("a: &a [*a]\n"), "f.yaml", &f); err == nil {
		t.Error("a list that holds itself was accepted")
	}
}

func FuzzDecode(f *testing.F) {
	f.Add("items: [{name: x}]")
	f.Add("a: &a [*a]")
	f.Add("{<<: 1}")
	f.Fuzz(func(t *testing.T, s string) {
		var v file
		_ = Decode([]byte(s), "f", &v) // must end, and not panic
	})
}

func TestReadFileEnds(t *testing.T) {
	if _, err := ReadFile("/dev/zero"); err == nil || err.Error() != "/dev/zero: larger than 16 MiB, so it is not what is wanted here" {
		t.Errorf("got %v", err)
	}
}

// What is found out of range after decoding is placed where its value stands.
func TestKeyOfAPlace(t *testing.T) {
	var f struct {
		At Pos `yaml:"-"`
		A  map[string]any
		B  int
	}
	if err := Decode([]byte("a:\n  x: {y: 5}\nb: 7\n"), "f.yaml", &f); err != nil {
		t.Fatal(err)
	}
	for want, path := range map[string][]string{"f.yaml:3:4": {"b"}, "f.yaml:2:10": {"a", "x", "y"}, "f.yaml:2:6": {"a", "x", "z"}, "f.yaml:1:1": {"c"}} {
		if got := f.At.Key(path...).String(); got != want {
			t.Errorf("%v: %s, want %s", path, got, want)
		}
	}
	if got := (Pos{}).Key("b"); got != (Pos{}) {
		t.Error(got)
	}
}

func TestATabIsCalledATab(t *testing.T) {
	var f map[string]any
	err := Decode([]byte("name: x\ntargets:\n\t- provider: a\n"), "f.yaml", &f)
	if err == nil || err.Error() != "f.yaml:3:1: a tab: YAML indents with spaces" {
		t.Error(err)
	}
}
