package scrub

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aircheck/internal/rules/names"
	"aircheck/schema"
)

// Options say what to copy where.
type Options struct {
	From, To string
	Aliases  map[string]string // provider → alias; none: providers and their hosts stay
	AliasAll bool              // the others are provider-1, provider-2, …
	Title    string            // of the card
	License  string            // of the copy, as data hubs name licences
	Now      func() time.Time
}

// Result is what was copied.
type Result struct {
	Runs, Requests, Frames int64
	Inflated               int64          // bodies that had arrived compressed
	Left                   []schema.Fault // runs that are damaged, and not in the copy
}

// scrubber is one copy under way.
type scrubber struct {
	opt    Options
	id     *identity
	result *Result
}

func (s *scrubber) aliased() bool { return len(s.opt.Aliases) > 0 }

// Dataset copies a dataset. The copy is verified by the caller; where anything
// fails, nothing of it is left.
func Dataset(ctx context.Context, opt Options) (result *Result, err error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	from, err := schema.OpenDataset(opt.From)
	if err != nil {
		return nil, err
	}
	runs, left, err := from.Sound(ctx)
	if err != nil {
		return nil, err
	}
	if len(runs) == 0 && len(left) > 0 {
		return nil, &schema.DamagedError{Err: fmt.Errorf("%s: no run can be read: %s", opt.From, left[0])}
	}
	if err := empty(opt.To); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			for _, part := range []string{"runs", "requests", "chunks", "journal", CardName} {
				os.RemoveAll(filepath.Join(opt.To, part))
			}
			os.Remove(opt.To)
		}
	}()
	about, err := survey(from, runs)
	if err != nil {
		return nil, err
	}
	for p := range opt.Aliases {
		if !slices.Contains(about.providers, p) {
			return nil, fmt.Errorf("no provider %q in %s: it has %s", p, opt.From, strings.Join(slices.Sorted(slices.Values(about.providers)), ", "))
		}
	}
	if opt.AliasAll {
		opt.Aliases = about.aliased(opt.Aliases)
	}
	key := make([]byte, 32)
	rand.Read(key)
	s := &scrubber{opt: opt, id: newIdentity(key, opt.Aliases, about.words(opt.Aliases)), result: &Result{Left: left}}
	for _, run := range runs {
		if err := s.copy(ctx, from, run); err != nil {
			return nil, fmt.Errorf("run %s: %w", run.RunID, err)
		}
	}
	return s.result, writeCard(opt)
}

// empty makes sure that the copy goes where nothing is.
func empty(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return os.MkdirAll(dir, 0o755)
	}
	if err == nil && len(entries) > 0 {
		err = fmt.Errorf("%s is not empty: name a new folder for the copy", dir)
	}
	return err
}

// copy copies one run.
func (s *scrubber) copy(ctx context.Context, from *schema.Dataset, run *schema.Run) (err error) {
	w, err := schema.Create(s.opt.To, run.RunID)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			w.Abort()
		}
	}()
	// Requests are few beside frames, and held by run.
	var rows []*schema.Request
	at := map[int64]int{}
	if err := from.EachRequest(run, func(q *schema.Request) error {
		own := *q
		at[q.RequestID] = len(rows)
		rows = append(rows, &own)
		return nil
	}); err != nil {
		return err
	}
	next := 0
	write := func(q *schema.Request, frames []schema.Chunk) error {
		failed := q.HTTPStatus != nil && *q.HTTPStatus >= 400
		if frames, err = s.inflate(q, frames); err != nil {
			return err
		}
		s.response(frames, failed)
		s.row(q)
		w.Begin(q.RequestID)
		s.result.Requests++
		s.result.Frames += int64(len(frames))
		return w.Write(q, frames)
	}
	err = from.EachResponse(ctx, run, func(id int64, frames []schema.Chunk) error {
		i, ok := at[id]
		if !ok {
			return fmt.Errorf("frames of request %d, which is in no row", id)
		}
		for ; next < i; next++ { // those without a frame
			if err := write(rows[next], nil); err != nil {
				return err
			}
		}
		next = i + 1
		own := make([]schema.Chunk, len(frames))
		for k, f := range frames {
			f.Raw = slices.Clone(f.Raw)
			own[k] = f
		}
		return write(rows[i], own)
	})
	if err != nil {
		return err
	}
	for ; next < len(rows); next++ {
		if err := write(rows[next], nil); err != nil {
			return err
		}
	}
	s.result.Runs++
	return w.Seal(s.run(run))
}

// known is what a dataset tells of who is in it.
type known struct {
	providers []string                   // as they appear
	hosts     map[string]map[string]bool // by provider
}

func survey(from *schema.Dataset, runs []*schema.Run) (*known, error) {
	k := &known{hosts: map[string]map[string]bool{}}
	for _, run := range runs {
		err := from.EachRequest(run, func(q *schema.Request) error {
			if k.hosts[q.Provider] == nil {
				k.hosts[q.Provider] = map[string]bool{}
				k.providers = append(k.providers, q.Provider)
			}
			if q.Host != nil {
				k.hosts[q.Provider][*q.Host] = true
			}
			return nil
		}, "provider", "host")
		if err != nil {
			return nil, err
		}
	}
	return k, nil
}

// aliased numbers the providers that have no alias. Their order tells nothing of
// their names: it is that of their first requests.
func (k *known) aliased(given map[string]string) map[string]string {
	out := map[string]string{}
	for i, p := range k.providers {
		out[p] = fmt.Sprintf("provider-%d", i+1)
	}
	maps.Copy(out, given)
	return out
}

// words are the names of hosts that tell who the aliased providers are.
func (k *known) words(aliases map[string]string) []string {
	var out []string
	add := func(host string) {
		host, _, _ = strings.Cut(host, ":")
		out = append(out, host)
		parts := strings.Split(host, ".")
		if len(parts) >= 2 {
			out = append(out, parts[len(parts)-2])
		}
	}
	for p := range aliases {
		for h := range k.hosts[p] {
			add(h)
		}
		for _, h := range names.Hosts(p) {
			add(strings.TrimPrefix(h, "."))
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
