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
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"aircheck/internal/record/capture"
	"aircheck/internal/record/imports/input"
	"aircheck/internal/record/imports/ledger"
	"aircheck/internal/record/imports/mapping"
	"aircheck/internal/rules/names"
	"aircheck/schema"
)

// Options say what to import, and what holds for all of it.
type Options struct {
	Format  string   // Auto or "" where each file's content tells it
	Files   []string // files, folders, archives; input.Stdin for standard input
	Stdin   io.Reader
	To      string           // the dataset
	Map     *mapping.Mapping // for the format table
	Aliases *names.Aliases   // beside those of the preset, and before them
	Set     Declared         // in place of what the files say
	Zone    string           // of local times that state none
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

// mostHeap is what the garbage collector aims at: lines leave as many bytes behind
// as they have, and a large log would let the heap grow to twice what is in use.
const mostHeap = 320 << 20

// Import reads the files into the dataset, as one run for each format. Faults of
// files and records are in the result; the error is for what stopped the import,
// and then nothing of it is left in the dataset.
func Import(ctx context.Context, opt Options) (*Result, error) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(min(mostHeap, debug.SetMemoryLimit(-1))))
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
	b := &batch{opt: opt, started: opt.Now(), ids: schema.NewIDs(), result: &Result{Dataset: opt.To}}
	defer b.abort()
	if opt.Format != "" && opt.Format != Auto {
		if _, err := b.importer(opt.Format); err != nil {
			return nil, err
		}
	}
	file := func(f *input.File) error { return b.file(ctx, f) }
	if err := input.Walk(ctx, opt.Files, opt.Stdin, opt.To, file, b.fault); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if opt.Format == Table { // a preset knows sources that lack some
		b.result.Missed = opt.Map.Missed(b.result.Files)
	}
	return b.seal()
}

// batch is one call of Import under way: an importer for each format.
type batch struct {
	opt     Options
	started time.Time
	ids     *schema.IDs
	formats []*importer // in the order of their first files
	result  *Result
}

// importer gives the importer of a format.
func (b *batch) importer(format string) (*importer, error) {
	for _, in := range b.formats {
		if in.kind == format {
			return in, nil
		}
	}
	in, err := newImporter(b, format)
	if err != nil {
		return nil, err
	}
	b.formats = append(b.formats, in)
	return in, nil
}

// file imports one file.
func (b *batch) file(ctx context.Context, f *input.File) error {
	format, told := b.opt.Format, false
	if format == "" || format == Auto {
		var err error
		if format, err = recognise(f); err != nil {
			return b.unknown(f, err)
		}
		told = true
	}
	if why := doubled(f, format); why != "" {
		account := &ledger.File{Name: f.Name}
		account.Skip(why)
		b.result.Files = append(b.result.Files, account)
		return nil
	}
	in, err := b.importer(format)
	if err != nil {
		return err
	}
	return in.file(ctx, f, told)
}

// doubled says why a file of a folder is left out: another one in the folder has
// the same requests, and more of them.
func doubled(f *input.File, format string) string {
	raw := strings.TrimSuffix(f.Path, ".jsonl") + "_raw.jsonl"
	if !f.Found || format != "aiperf" || raw == f.Path {
		return ""
	}
	if _, err := os.Stat(raw); err != nil {
		return ""
	}
	return "records of AIPerf whose chunks stand in the raw export beside them"
}

// unknown accounts for a file whose format is not known. In a folder lies what
// is no recording, such as a README: it is named, and no fault.
func (b *batch) unknown(f *input.File, err error) error {
	var system *fs.PathError
	if errors.As(err, &system) {
		return err
	}
	var tools *beside
	if errors.As(err, &tools) {
		account := &ledger.File{Name: f.Name}
		account.Skip(tools.what)
		b.result.Files = append(b.result.Files, account)
		return nil
	}
	if f.Found && !claimsData(f.Name) {
		b.result.Other = append(b.result.Other, f.Name)
		return nil
	}
	var wrong *notThis
	if errors.As(err, &wrong) {
		b.fault(f.Name, wrong.reason)
	} else {
		b.fault(f.Name, "cannot be read: "+err.Error())
	}
	return nil
}

// claimsData: the name says that the file holds records.
func claimsData(name string) bool {
	switch input.Ext(name) {
	case ".json", ".jsonl", ".ndjson", ".csv", ".tsv", ".parquet", ".sse", ".har", ".httprr", ".db", ".sqlite":
		return true
	}
	return input.Plain(name) != name
}

// fault is one of a file that no importer takes.
func (b *batch) fault(name, reason string) {
	account := &ledger.File{Name: name}
	account.Refuse(ledger.Place{}, "%s", reason)
	b.result.Files = append(b.result.Files, account)
}

// seal ends the runs.
func (b *batch) seal() (*Result, error) {
	for _, in := range b.formats {
		if err := in.seal(); err != nil {
			return nil, err
		}
	}
	return b.result, nil
}

func (b *batch) abort() {
	for _, in := range b.formats {
		if in.writer != nil {
			in.writer.Abort()
		}
	}
}

// importer is what one format brings in.
type importer struct {
	*batch
	kind   string // as the user names it
	format string // as in imported:<format>
	table  *mapping.Mapping
	chunks *chunkFormat
	names  *names.Resolver
	past   *past

	run     *Run
	files   []*ledger.File
	writer  *schema.Writer
	sources []schema.Source
	source  *schema.Source // of the file being read
	windows map[string]bool
	account *ledger.File

	twins      map[string]twin // files of this import, by their hash
	identified bool            // something in the file at hand tells its requests from others
	held       []*schema.Request
	heldAt     map[[16]byte]int // of the rows that are held, by their identity
}

// twin is a file whose bytes another may have, too.
type twin struct {
	path       string
	identified bool
}

// copies reports whether a file with the bytes of an earlier one of this import
// is a copy of it: the same file, or one that says whose responses it holds.
// Without that, equal bytes are what a server answered twice.
func (in *importer) copies(sum, path string) bool {
	t := in.twins[sum]
	a, errA := os.Stat(t.path)
	b, errB := os.Stat(path)
	return t.identified || errA != nil || errB != nil || os.SameFile(a, b)
}

func newImporter(b *batch, kind string) (*importer, error) {
	in := &importer{batch: b, kind: kind, format: kind, twins: map[string]twin{}}
	var preset *names.Aliases
	switch c, ok := chunkFormats[kind]; {
	case ok:
		in.chunks = &c
	case kind == Table:
		if b.opt.Map == nil {
			return nil, errors.New("the format table wants a mapping file")
		}
		in.table, in.format = b.opt.Map, b.opt.Map.Name
	case !slices.Contains(presetNames(), kind):
		return nil, UnknownFormat(kind)
	default:
		m, err := Preset(kind)
		if err != nil {
			return nil, err
		}
		in.table = m
	}
	if in.table != nil {
		in.table.Zone = b.opt.Zone
	}
	var unique []string
	if in.table != nil {
		preset, unique = in.table.Aliases, in.table.Unique
	}
	var err error
	if in.names, err = names.NewResolver(preset, b.opt.Aliases); err != nil {
		return nil, err
	}
	in.run = &Run{Format: in.kind, Hours: hours{}}
	b.result.Runs = append(b.result.Runs, in.run)
	in.past, err = readPast(b.opt.To, in.origin(), unique)
	return in, err
}

func (in *importer) origin() string { return "imported:" + in.format }

// file imports one file. told says that its content told its format.
func (in *importer) file(ctx context.Context, f *input.File, told bool) error {
	sum, err := hashFile(f.Path)
	if err != nil {
		return err
	}
	in.run.Seen++
	if run, ok := in.past.files[sum]; ok && (run != "" || in.copies(sum, f.Path)) {
		in.result.Known = append(in.result.Known, Known{f.Name, run})
		return nil
	}
	in.past.files[sum] = "" // the same file may be named twice
	in.identified = in.table != nil
	defer func() { in.twins[sum] = twin{f.Path, in.identified} }()
	in.account = &ledger.File{Name: f.Name, Format: in.kind}
	in.source, in.windows = &schema.Source{Name: f.Name, SHA256: sum}, map[string]bool{}
	in.result.Files, in.files = append(in.result.Files, in.account), append(in.files, in.account)
	if why := in.mislabelled(f, told); why != "" {
		in.account.Refuse(ledger.Place{}, "%s", why)
		return nil
	}
	if in.table != nil {
		err = in.table.Read(ctx, f.Path, in.account, in.row)
	} else {
		err = in.exchanges(ctx, f.Path)
	}
	if err == nil {
		err = in.release()
	}
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name, err)
	}
	if in.account.Rows > 0 {
		in.run.Files++
	}
	// A file of which nothing could be taken may be tried again, with more said about it.
	if in.account.Rows > 0 || len(in.account.Faults) == 0 {
		in.source.Rows = int64(in.account.Rows)
		in.sources = append(in.sources, *in.source)
	}
	return nil
}

// mislabelled says why a file is not of the format that the user names: a body of
// a response may be any JSON, and a mapping finds nothing in a file of another
// kind, which a source without values gives too.
func (in *importer) mislabelled(f *input.File, told bool) string {
	if told || in.kind != "sse" && (in.table == nil || in.table.KnownBy == nil) {
		return ""
	}
	s, err := look(f)
	if err != nil || s.Broken != nil {
		return "" // the reader says what is wrong with it
	}
	if in.table != nil && (in.table.Fits(&s.Sample) || len(s.Docs) == 0) {
		return ""
	}
	fits := s.formats()
	switch {
	case len(fits) == 1 && fits[0] != in.kind && in.table == nil:
		return "no body of a response: it is a file of " + fits[0]
	case in.table == nil:
		return ""
	case len(fits) == 1:
		return "not a file of " + in.format + ": it is one of " + fits[0]
	}
	return "not a file of " + in.format + ": it " + s.nothingKnown()
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
	if q.RequestBody != nil {
		body := []byte(*q.RequestBody)
		capture.Body(body)
		q.RequestBody = new(string(body))
	}
	if q.Provider == "" && q.Host != nil {
		q.Provider = names.Provider(*q.Host)
	}
	in.names.Resolve(q)
	q.Origin = in.origin()
	if in.table != nil && in.kind != Table {
		in.unstated(q)
	}
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
	in.identified = in.identified || q.CallerRequestID != nil || q.StartedAtNs != nil
	if len(in.past.unique) > 0 {
		return in.hold(q)
	}
	return in.write(q, frames)
}

// write adds a row to the dataset.
func (in *importer) write(q *schema.Request, frames []schema.Chunk) error {
	if in.writer == nil {
		var err error
		if in.writer, err = schema.Create(in.opt.To, schema.NewRunID(in.started)); err != nil {
			return err
		}
	}
	q.RequestID = in.ids.Next(in.opt.Now())
	q.OrderIndex = int32(in.run.Rows)
	in.writer.Begin(q.RequestID)
	if err := in.writer.Write(q, frames); err != nil {
		return err
	}
	if q.StartedAtNs != nil {
		in.run.Hours.add(*q.StartedAtNs)
	}
	if frames != nil || len(in.past.unique) == 0 {
		in.account.Rows++
	}
	in.run.Rows++
	in.run.Chunks += int64(len(frames))
	return nil
}

// Unstated is the provider, or the model, of a tool's results that name none.
const Unstated = "unstated"

// unstated names what a tool does not keep: which server it measured.
func (in *importer) unstated(q *schema.Request) {
	if q.Provider == "" {
		q.Provider = Unstated
		in.account.Doubt("provider: the source states none (--provider names it)")
	}
	if q.Model == "" {
		q.Model = Unstated
		in.account.Doubt("model: the source states none (--model names it)")
	}
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
func (in *importer) seal() error {
	if in.writer == nil {
		return nil
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
		return err
	}
	in.writer = nil
	in.run.RunID = run.RunID
	return nil
}

// notes tell in the run's record what was not taken, or taken as NULL, or in
// doubt.
func (in *importer) notes() []string {
	r := &Result{Files: in.files}
	var out []string
	for _, f := range r.Faults() {
		out = append(out, "not imported: "+f.String())
	}
	for _, c := range r.Skipped() {
		out = append(out, fmt.Sprintf("left out: %d × %s", c.N, c.Reason))
	}
	for _, c := range r.Nulled() {
		out = append(out, fmt.Sprintf("read as NULL: %d × %s", c.N, c.Reason))
	}
	for _, c := range r.Doubted() {
		out = append(out, fmt.Sprintf("in doubt: %d × %s", c.N, c.Reason))
	}
	if said := in.run.Hours.String(); said != "" {
		out = append(out, said)
	}
	for _, m := range in.result.Missed {
		out = append(out, m.String())
	}
	return out
}
