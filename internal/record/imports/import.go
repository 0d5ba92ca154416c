package imports

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"aircheck/internal/record/imports/ledger"
	"aircheck/internal/record/imports/mapping"
	"aircheck/internal/rules/names"
	"aircheck/schema"
)

// Options say what to import, and what holds for all of it.
type Options struct {
	Format  string
	Files   []string
	To      string           // the dataset
	Map     *mapping.Mapping // for the format table
	Aliases *names.Aliases   // beside those of the preset, and before them
	Set     Declared         // in place of what the files say
	Tool    string           // name and version of the program, for the run's record
	Now     func() time.Time // time.Now where nil
}

// Declared are values that the user states for all rows; "" and nil for none.
type Declared struct {
	Provider, Model, API, Host       string
	Region, Vantage                  string
	Scenario, Workload, Window, Ends string
	Concurrency                      int32
	Status                           int32 // of bodies that carry no status of their own
}

// Result is what became of an import.
type Result struct {
	RunID   string // "" when there was nothing to add
	Dataset string
	Rows    int
	Chunks  int64
	Files   []*ledger.File
	Known   []Known        // files that were imported before
	Missed  []mapping.Miss // places of the user's mapping at which no record has a value
}

// Known is a file that the dataset has already.
type Known struct{ File, RunID string }

// Faults are all faults of all files.
func (r *Result) Faults() []ledger.Fault {
	var out []ledger.Fault
	for _, f := range r.Files {
		out = append(out, f.Faults...)
		if f.Other > 0 {
			out = append(out, ledger.Fault{File: f.Name, Reason: fmt.Sprintf("%d more records with other faults", f.Other)})
		}
	}
	return out
}

// Import reads the files into the dataset as one run. Faults of files and
// records are in the result; the error is for what stopped the import, and then
// nothing of it is left in the dataset.
func Import(ctx context.Context, opt Options) (*Result, error) {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	if _, err := os.Stat(opt.To); errors.Is(err, fs.ErrNotExist) {
		defer os.Remove(opt.To) // where nothing came into it
	}
	if err := os.MkdirAll(opt.To, 0o755); err != nil {
		return nil, err
	}
	release, err := alone(ctx, opt.To)
	if err != nil {
		return nil, err
	}
	defer release()
	in, err := newImporter(opt)
	if err != nil {
		return nil, err
	}
	defer func() {
		if in.writer != nil {
			in.writer.Abort()
		}
	}()
	for _, path := range opt.Files {
		if err := in.file(ctx, path); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if opt.Format == Table { // a preset knows sources that lack some
		in.result.Missed = opt.Map.Missed(in.result.Files)
	}
	return in.seal()
}

// importer is one import under way.
type importer struct {
	opt    Options
	format string // as in imported:<format>
	table  *mapping.Mapping
	chunks *chunkFormat
	names  *names.Resolver
	past   *past

	result  *Result
	started time.Time
	writer  *schema.Writer
	ids     *schema.IDs
	sources []schema.Source
	source  *schema.Source // of the file being read
	windows map[string]bool
	account *ledger.File
}

func newImporter(opt Options) (*importer, error) {
	in := &importer{opt: opt, ids: schema.NewIDs(), format: opt.Format, started: opt.Now(), result: &Result{Dataset: opt.To}}
	var preset *names.Aliases
	switch c, ok := chunkFormats[opt.Format]; {
	case ok:
		in.chunks = &c
	case opt.Format == Table:
		if opt.Map == nil {
			return nil, errors.New("the format table wants a mapping file")
		}
		in.table, in.format = opt.Map, opt.Map.Name
	case !slices.Contains(presetNames(), opt.Format):
		return nil, unknownFormat(opt.Format)
	default:
		m, err := Preset(opt.Format)
		if err != nil {
			return nil, err
		}
		in.table = m
	}
	if in.table != nil {
		preset = in.table.Aliases
	}
	var err error
	if in.names, err = names.NewResolver(preset, opt.Aliases); err != nil {
		return nil, err
	}
	var unique []string
	if in.table != nil {
		unique = in.table.Unique
	}
	in.past, err = remember(opt.To, in.origin(), unique)
	return in, err
}

func (in *importer) origin() string { return "imported:" + in.format }

// file imports one file.
func (in *importer) file(ctx context.Context, path string) error {
	name := filepath.Base(path)
	sum, err := hashFile(path)
	if err != nil {
		return err
	}
	if run, ok := in.past.files[sum]; ok {
		in.result.Known = append(in.result.Known, Known{name, run})
		return nil
	}
	in.past.files[sum] = "" // the same file may be named twice
	in.account = &ledger.File{Name: name}
	in.source, in.windows = &schema.Source{Name: name, SHA256: sum}, map[string]bool{}
	in.result.Files = append(in.result.Files, in.account)
	if in.table != nil {
		err = in.table.Read(ctx, path, in.account, in.row)
	} else {
		err = in.exchanges(ctx, path)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	// A file of which nothing could be taken may be tried again, with more said about it.
	if in.account.Rows > 0 || len(in.account.Faults) == 0 {
		in.source.Rows = int64(in.account.Rows)
		in.sources = append(in.sources, *in.source)
	}
	return nil
}

func hashFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// row takes a request that one record states.
func (in *importer) row(q *schema.Request, at ledger.Place) error {
	return in.take(q, nil, at)
}

// take finishes a row and writes it, unless it is there already.
func (in *importer) take(q *schema.Request, frames []schema.Chunk, at ledger.Place) error {
	in.opt.Set.apply(q)
	in.names.Resolve(q)
	q.Origin = in.origin()
	switch {
	case q.Provider == "":
		in.account.Fault(at, "states no provider: name it with --provider")
		return nil
	case q.Model == "":
		in.account.Fault(at, "states no model: name it with --model")
		return nil
	}
	if q.Window == nil && q.StartedAtNs == nil {
		q.Window = new(in.account.Name) // the source's run is all that is known
	}
	if q.Window != nil {
		in.note(*q.Window)
	}
	if in.past.seen(q) {
		in.account.Repeats++
		return nil
	}
	if in.writer == nil {
		var err error
		if in.writer, err = schema.Create(in.opt.To, schema.NewRunID(in.started)); err != nil {
			return err
		}
	}
	q.RequestID = in.ids.Next(in.opt.Now())
	q.OrderIndex = int32(in.result.Rows)
	in.writer.Begin(q.RequestID)
	if err := in.writer.Write(q, frames); err != nil {
		return err
	}
	in.account.Rows++
	in.result.Rows++
	in.result.Chunks += int64(len(frames))
	return nil
}

// note keeps the source's runs that a file speaks of.
func (in *importer) note(window string) {
	if !in.windows[window] {
		in.windows[window] = true
		in.source.Keys = append(in.source.Keys, window)
	}
}

// apply puts what the user states in place of what the file says.
func (d *Declared) apply(q *schema.Request) {
	for _, f := range []struct {
		to    *string
		value string
	}{{&q.Provider, d.Provider}, {&q.Model, d.Model}} {
		if f.value != "" {
			*f.to = f.value
		}
	}
	for _, f := range []struct {
		to    **string
		value string
	}{
		{&q.API, d.API}, {&q.Host, d.Host}, {&q.Region, d.Region}, {&q.Vantage, d.Vantage},
		{&q.Scenario, d.Scenario}, {&q.Workload, d.Workload}, {&q.Window, d.Window}, {&q.Ends, d.Ends},
	} {
		if f.value != "" {
			*f.to = new(f.value)
		}
	}
	if d.Concurrency > 0 {
		q.Concurrency = new(d.Concurrency)
	}
}

// seal ends the run; with nothing to add there is none.
func (in *importer) seal() (*Result, error) {
	if in.writer == nil {
		return in.result, nil
	}
	run := &schema.Run{
		Name:        in.format,
		Origin:      in.origin(),
		Tool:        in.opt.Tool,
		Host:        fmt.Sprintf("%s/%s, %d processors", runtime.GOOS, runtime.GOARCH, runtime.NumCPU()),
		StartedAtNs: in.started.UnixNano(),
		EndedAtNs:   in.opt.Now().UnixNano(),
		Clock:       []schema.Epoch{}, // times are on the source's clock
		Sources:     in.sources,
		Notes:       in.notes(),
	}
	if in.table != nil {
		sum := sha256.Sum256([]byte(in.table.Text))
		run.Plan, run.PlanSHA256 = in.table.Text, hex.EncodeToString(sum[:])
	}
	if err := in.writer.Seal(run); err != nil {
		return nil, err
	}
	in.writer = nil
	in.result.RunID = run.RunID
	return in.result, nil
}

// notes tell in the run's record what was not taken, or taken as NULL, or in
// doubt.
func (in *importer) notes() []string {
	var out []string
	for _, f := range in.result.Faults() {
		out = append(out, "not imported: "+f.String())
	}
	for _, c := range in.result.Skipped() {
		out = append(out, fmt.Sprintf("left out: %d × %s", c.N, c.Reason))
	}
	for _, c := range in.result.Nulled() {
		out = append(out, fmt.Sprintf("read as NULL: %d × %s", c.N, c.Reason))
	}
	for _, c := range in.result.Doubted() {
		out = append(out, fmt.Sprintf("in doubt: %d × %s", c.N, c.Reason))
	}
	for _, m := range in.result.Missed {
		out = append(out, m.String())
	}
	return out
}

// Skipped counts records that the format leaves out, by reason.
func (r *Result) Skipped() []ledger.Counted {
	return ledger.Sum(r.Files, func(f *ledger.File) map[string]int { return f.Skipped })
}

// Nulled counts values that were read as NULL, by column and what they were.
func (r *Result) Nulled() []ledger.Counted {
	return ledger.Sum(r.Files, func(f *ledger.File) map[string]int { return f.Nulled })
}

// Doubted counts values that could be read in another way, by column and how
// they were read.
func (r *Result) Doubted() []ledger.Counted {
	return ledger.Sum(r.Files, func(f *ledger.File) map[string]int { return f.Doubted })
}

// Repeats counts requests that the dataset has already.
func (r *Result) Repeats() int {
	n := 0
	for _, f := range r.Files {
		n += f.Repeats
	}
	return n
}
