package mapping

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	pathpkg "path"
	"strings"

	"aircheck/internal/record/imports/jsonstream"
	"aircheck/internal/record/imports/ledger"
	"aircheck/schema"
)

// Read takes a file's records as requests, in the order of the file. What could
// not be taken, and why, goes into the account. The error is one of emit, of
// the context, or of the system: a file that is not what it should be is
// refused in the account instead.
func (m *Mapping) Read(ctx context.Context, path string, account *ledger.File, emit func(*schema.Request, ledger.Place) error) error {
	r := &reading{m: m, ctx: ctx, path: path, account: account, emit: emit}
	r.file = m.nameGroups(pathpkg.Base(account.Name))
	r.sought = m.sought()
	format, err := Kind(account.Name, path)
	if err != nil {
		return r.unreadable(err)
	}
	want := m.Format
	if want == "" {
		want = format
	}
	if format == "parquet" && want != "parquet" || want == "parquet" && format != "parquet" {
		account.Refuse(ledger.Place{}, "not %s: it begins with %q", want, beginning(path))
		return nil
	}
	switch want {
	case "jsonl":
		err = r.lines()
	case "csv":
		err = r.csv()
	case "parquet":
		err = r.parquet()
	default:
		err = r.json()
	}
	var emitted *emitError
	switch {
	case errors.Is(err, errRefused):
		return nil
	case errors.As(err, &emitted):
		return emitted.err
	case err != nil:
		return r.unreadable(err)
	}
	if r.seen == 0 && len(account.Faults) == 0 {
		account.Refuse(ledger.Place{}, "holds no record%s", m.whereRecords())
	}
	return nil
}

// unreadable refuses a file whose compression, or size, is at fault; other
// errors are handed on.
func (r *reading) unreadable(err error) error {
	var system *fs.PathError
	if errors.As(err, &system) || r.ctx.Err() != nil {
		return err
	}
	at := ledger.Place{}
	var placed *jsonstream.Error
	if errors.As(err, &placed) {
		at.Line = placed.Line
	}
	r.account.Refuse(at, "cannot be read: %v", err)
	return nil
}

// emitError is an error of who takes the records, not of the file.
type emitError struct{ err error }

func (e *emitError) Error() string { return e.err.Error() }

// errRefused ends the reading of a file whose account says why.
var errRefused = errors.New("refused")

// reading is the state of one file being read.
type reading struct {
	m       *Mapping
	ctx     context.Context
	path    string
	account *ledger.File
	emit    func(*schema.Request, ledger.Place) error
	file    map[string]string
	seen    int                // records looked at
	sought  []*jsonstream.Path // at which no record had a value so far
}

func (m *Mapping) nameGroups(base string) map[string]string {
	for _, p := range m.FileName {
		match := p.FindStringSubmatch(base)
		if match == nil {
			continue
		}
		groups := map[string]string{}
		for i, name := range p.SubexpNames() {
			if name != "" {
				groups[name] = match[i]
			}
		}
		return groups
	}
	return nil
}

func (m *Mapping) whereRecords() string {
	if len(m.Records) == 0 {
		return ""
	}
	s := " at "
	for i, p := range m.Records {
		if i > 0 {
			s += ", "
		}
		s += p.String()
	}
	return s
}

// record takes one record.
func (r *reading) record(value any, above []any, root any, at ledger.Place) error {
	s := r.scope(value, above, root)
	return r.finish(s, r.m.make(s), at)
}

func (r *reading) scope(value any, above []any, root any) *scope {
	return &scope{record: value, above: above, root: root, file: r.file, given: r.m.Zone}
}

// finish accounts for a record and hands its row on.
func (r *reading) finish(s *scope, m made, at ledger.Place) error {
	if err := r.ctx.Err(); err != nil {
		return err
	}
	if r.seen++; r.seen == 1 {
		if err := r.listed(s.record, at); err != nil {
			return err
		}
		if err := r.expect(s, at); err != nil {
			return err
		}
	}
	r.seek(s)
	for _, what := range m.nulled {
		r.account.Null(what)
	}
	for _, what := range m.doubted {
		r.account.Doubt(what)
	}
	switch {
	case m.err != nil:
		r.account.Fault(at, "%v", m.err)
		return nil
	case m.skip != "":
		r.account.Skip(m.skip)
		return nil
	}
	if err := r.emit(m.row, at); err != nil {
		return &emitError{err}
	}
	return nil
}

// listed refuses a file whose records stand one step further down than the
// mapping says: a list of objects is no record.
func (r *reading) listed(value any, at ledger.Place) error {
	list, _ := value.([]any)
	if len(list) == 0 {
		return nil
	}
	if _, is := list[0].(map[string]any); !is {
		return nil
	}
	where, want := "", "[*][*]"
	if len(r.m.Records) == 1 {
		where = " at " + r.m.Records[0].String()
		want = r.m.Records[0].String() + "[*]"
	}
	r.account.Refuse(at, "a list of objects%s, and no record: want records: %s", where, want)
	return errRefused
}

// expect looks at the first record.
func (r *reading) expect(s *scope, at ledger.Place) error {
	for i := range r.m.Expect {
		ok, err := r.m.Expect[i].When.holds(s)
		if err != nil || !ok {
			r.account.Refuse(at, "not a file of %s: %s", r.m.Name, r.m.Expect[i].Reason)
			return errRefused
		}
	}
	return nil
}

// refuse looks at the document as a whole.
func (r *reading) refuse(root any) error {
	s := &scope{record: root, root: root, file: r.file}
	for i := range r.m.Refuse {
		no, err := r.m.Refuse[i].When.holds(s)
		if err == nil && no {
			r.account.Refuse(ledger.Place{}, "%s", r.m.Refuse[i].Reason)
			return errRefused
		}
	}
	return nil
}

// made is what became of a record: a row, a reason to leave it out, or a fault;
// and what is to be said of its values.
type made struct {
	row             *schema.Request
	skip            string
	err             error
	nulled, doubted []string
}

// make makes the row of a record. It changes nothing else, so that records can be
// worked on side by side.
func (m *Mapping) make(s *scope) (out made) {
	for i := range m.Skip {
		skip, err := m.Skip[i].When.holds(s)
		if err != nil {
			return made{err: err}
		}
		if skip {
			return made{skip: m.Skip[i].Reason}
		}
	}
	q := &schema.Request{Attempt: 1, Phase: "measure", Detail: "requests"}
	failed, cleared, err := m.failure(s, q)
	if err != nil {
		return made{err: err}
	}
	if cleared, err = m.clearing(s, cleared, &out); err != nil {
		return made{err: err}
	}
	unplaced := false
	for _, f := range m.order {
		if cleared[f.name] || failed && (f.name == "reported_error" || f.name == "http_status" && q.HTTPStatus != nil) {
			continue // the failure says it
		}
		s.skipped, s.twice, s.unplaced, s.noNumber = "", "", false, false
		v, err := f.expr.eval(s)
		if s.unplaced {
			unplaced = true
			out.null(f.name + ": a local time whose zone is not known (--zone states it)")
		}
		if s.skipped != "" {
			out.null(f.name + ": a local time that " + s.skipped + " skips")
		}
		if s.twice != "" {
			out.doubted = append(out.doubted, f.name+": a local time that "+s.twice+" has twice, read as the first of the two")
		}
		if s.noNumber {
			out.null(f.name + ": NaN")
		}
		nulled := ""
		if err == nil {
			nulled, err = f.column.set(q, v)
		}
		if err != nil {
			out.err = fmt.Errorf("%s: %w", f.name, err)
			return out
		}
		if nulled != "" {
			out.null(f.name + ": " + nulled)
		}
	}
	if m.Unplaced != "" && q.StartedAtNs == nil && !unplaced {
		out.null("started_at_ns: " + m.Unplaced)
	}
	out.row, out.err = q, Coherent(q)
	return out
}

func (m *made) null(what string) { m.nulled = append(m.nulled, what) }

// clearing adds the columns that do not mean what they say.
func (m *Mapping) clearing(s *scope, cleared map[string]bool, out *made) (map[string]bool, error) {
	for i := range m.Clear {
		c := &m.Clear[i]
		holds, err := c.When.holds(s)
		if err != nil {
			return nil, err
		}
		if !holds {
			continue
		}
		if cleared = maps.Clone(cleared); cleared == nil {
			cleared = map[string]bool{}
		}
		for _, name := range c.Columns {
			cleared[name] = true
		}
		out.null(strings.Join(c.Columns, ", ") + ": " + c.Reason)
	}
	return cleared, nil
}

// failure applies the first failure whose condition holds.
func (m *Mapping) failure(s *scope, q *schema.Request) (failed bool, cleared map[string]bool, err error) {
	for i := range m.Failures {
		f := &m.Failures[i]
		holds, err := f.When.holds(s)
		if err != nil {
			return false, nil, err
		}
		if !holds {
			continue
		}
		v, err := f.Error.eval(s)
		if err != nil {
			return false, nil, err
		}
		why, _ := text(v)
		if why == "" {
			why = "failed, the source does not say why"
		}
		q.ReportedError = &why
		if f.Status != nil {
			v, err := f.Status.eval(s)
			if err == nil {
				_, err = columns["http_status"].set(q, v)
			}
			if err != nil {
				return false, nil, fmt.Errorf("http_status: %w", err)
			}
		}
		cleared = map[string]bool{}
		for _, name := range f.Clear {
			cleared[name] = true
		}
		return true, cleared, nil
	}
	return false, nil, nil
}

// slack is how far two times of one source may cross by rounding.
const slack = int64(1e6)

// Coherent tells whether the times of a request can be true together.
func Coherent(q *schema.Request) error {
	order := []struct {
		what string
		at   *int64
	}{
		{"headers", q.HeadersNs}, {"the first token", q.ReportedTTFTNs},
		{"the last token", q.ReportedLastTokenNs}, {"the end", q.EndNs},
	}
	what, last := "", int64(-1)
	for _, o := range order {
		if o.at == nil {
			continue
		}
		if what != "" && *o.at < last-slack {
			return fmt.Errorf("time runs backwards: %s at %s, %s at %s", what, seconds(last), o.what, seconds(*o.at))
		}
		what, last = o.what, *o.at
	}
	return nil
}

// jsonFault places an error of a document.
func (r *reading) jsonFault(err error) error {
	var bad *jsonstream.Error
	if !errors.As(err, &bad) {
		return err
	}
	if bad.Line == 1 {
		r.account.Refuse(ledger.Place{Line: 1}, "not JSON: it begins with %q", beginning(r.path))
	} else {
		r.account.Refuse(ledger.Place{Line: bad.Line}, "not JSON: %v", bad.Err)
	}
	return errRefused
}
