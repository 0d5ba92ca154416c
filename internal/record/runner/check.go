package runner

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"sort"
	"strings"
	"time"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/plan"
)

// readKeys takes the keys that the plan's targets name from the environment.
func readKeys(p *plan.Plan, getenv func(string) string) (map[string]string, error) {
	keys := map[string]string{}
	missing := map[string]*plan.Target{}
	for _, t := range p.Targets {
		if t.KeyEnv == "" {
			continue
		}
		key := strings.TrimSpace(getenv(t.KeyEnv))
		if key == "" && missing[t.KeyEnv] == nil {
			missing[t.KeyEnv] = t
		}
		if strings.ContainsFunc(key, func(c rune) bool { return c < ' ' || c == 0x7f }) {
			return nil, cli.Usagef("the key in %s holds a control character", t.KeyEnv)
		}
		keys[t.KeyEnv] = key
	}
	if len(missing) == 0 {
		return keys, nil
	}
	names := make([]string, 0, len(missing))
	for name := range missing {
		names = append(names, name)
	}
	sort.Strings(names)
	err := cli.Usagef("no API key: %s is not set, from which %s takes its key", names[0], missing[names[0]])
	if len(names) > 1 {
		err = cli.Usagef("no API keys: %s are not set", strings.Join(names, ", "))
	}
	return nil, cli.Hint(err, "export %s=…, then run again; nothing was sent", names[0])
}

// awsKeys are where the requests of Bedrock find their keys when a plan names
// none.
var awsKeys = []string{"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_BEARER_TOKEN_BEDROCK"}

// secretsOf is everything that must not reach the disk.
func secretsOf(p *plan.Plan, keys map[string]string, getenv func(string) string) []string {
	all := slices.Collect(maps.Values(keys))
	for _, t := range p.Targets {
		if t.KeyEnv == "" && strings.HasPrefix(string(t.API), "bedrock") {
			for _, name := range awsKeys {
				all = append(all, getenv(name))
			}
			break
		}
	}
	return all
}

// checkSecrets refuses a plan that holds the key itself: it is kept with the
// recording as it was read.
func (r *Recorder) checkSecrets() error {
	if !r.secrets.In(string(r.plan.Source)) {
		return nil
	}
	for name, key := range r.keys {
		if key != "" && strings.Contains(string(r.plan.Source), key) {
			return cli.Usagef("the plan holds the value of %s, and would be kept with the recording: take it out", name)
		}
	}
	return cli.Usagef("the plan holds a part of an API key, and would be kept with the recording: take it out")
}

// checkRequests builds one request of every kind.
func (r *Recorder) checkRequests() error {
	type kind struct {
		target   *plan.Target
		scenario string
		probe    string
		arm      string
	}
	seen := map[kind]bool{}
	for i := range r.blocks {
		for j := range r.blocks[i].Requests {
			q := &r.blocks[i].Requests[j]
			k := kind{q.Target, q.Scenario, q.Probe, q.Arm}
			if seen[k] {
				continue
			}
			seen[k] = true
			h, err := q.Build(r.keys[q.Target.KeyEnv], "", time.Now())
			if err != nil {
				return cli.Fail(cli.Usage, err)
			}
			if r.secrets.In(string(h.Body)) {
				return cli.Usagef("a request to %s would carry an API key in its body, which is kept", q.Target)
			}
		}
	}
	return nil
}

// checkDir makes sure that the dataset can be written before anything is paid
// for, with so many bytes, and leaves nothing behind.
func checkDir(dir string, room int64) error {
	_, err := os.Stat(dir)
	created := errors.Is(err, os.ErrNotExist)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("dataset: %w", err)
	}
	f, err := os.CreateTemp(dir, ".write-test-*")
	if err == nil {
		_, err = f.Write(make([]byte, room))
		err = errors.Join(err, f.Close(), os.Remove(f.Name()))
	}
	if created {
		os.Remove(dir)
	}
	if err != nil {
		return fmt.Errorf("dataset: %w", err)
	}
	return nil
}
