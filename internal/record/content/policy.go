package content

import (
	"crypto/rand"

	"aircheck/internal/kit/cli"
	"aircheck/internal/record/journal"
	"aircheck/schema"
)

// Mode is how much of prompts and answers reaches the disk.
type Mode string

const (
	Full Mode = "full" // all of it
	Hash Mode = "hash" // keyed hashes in the place of texts
	None Mode = "none" // sizes and times
)

// Policy is what a run keeps. The zero value keeps everything.
type Policy struct {
	Mode Mode
	Key  []byte // of the hashes
}

// NewPolicy makes a policy. The key of hashes is that of an environment variable,
// so that hashes of several runs can be compared; where none is named, it is
// drawn, and forgotten with the process.
func NewPolicy(mode Mode, keyEnv string, getenv func(string) string) (Policy, error) {
	p := Policy{Mode: mode}
	switch mode {
	case Full, None:
	case Hash:
		if keyEnv != "" {
			if p.Key = []byte(getenv(keyEnv)); len(p.Key) < minKey {
				return p, cli.Usagef("the key of the hashes in %s has %d bytes; %d are the least", keyEnv, len(p.Key), minKey)
			}
			return p, nil
		}
		p.Key = make([]byte, 32)
		rand.Read(p.Key)
	default:
		return p, cli.Usagef("unknown content %q; known are full, hash, none", mode)
	}
	return p, nil
}

// minKey is more than can be guessed.
const minKey = 16

// Whole says that everything is kept.
func (p *Policy) Whole() bool { return p == nil || p.Mode == "" || p.Mode == Full }

// Keeper keeps of one request what the policy lets it. A nil one keeps
// everything.
type Keeper struct {
	mode   Mode
	hasher *Hasher
	row    *schema.Request
	report *Report
	open   []byte // pieces of a frame that goes on
	lost   bool   // that frame is too large to be hashed
}

// openBytes is how large a frame can be that came in pieces, and is hashed.
const openBytes = 1 << 20

// Begin takes out of a request's row what must not be kept. Checks judge texts,
// so nothing can be checked.
func (p *Policy) Begin(row *schema.Request) *Keeper {
	if p.Whole() {
		return nil
	}
	k := &Keeper{mode: p.Mode, hasher: NewHasher(p.Key), row: row}
	row.Checks = nil
	if row.PromptHash != nil {
		row.PromptHash = new(k.hasher.Name(*row.PromptHash))
	}
	if row.RequestBody != nil {
		if k.mode == Hash {
			body := []byte(*row.RequestBody)
			k.hasher.Frame(body)
			row.RequestBody = new(string(body))
		} else {
			row.RequestBody = nil
		}
	}
	return k
}

// Head hears that the response's head is in the row. A compressed body cannot be
// hashed, so nothing is kept of it but sizes.
func (k *Keeper) Head() {
	if k == nil {
		return
	}
	if k.row.ContentEncoding != nil {
		k.mode = None
	}
	if k.mode == None {
		k.report = NewReport(k.row)
	}
}

// Frame hands on a frame as it may be kept; its bytes are changed in place.
func (k *Keeper) Frame(f *journal.Frame, keep func(*journal.Frame)) {
	switch {
	case k == nil:
		keep(f)
	case k.mode == None:
		k.report.Frame(f)
		clear(f.Raw)
		keep(f)
	case f.More || len(k.open) > 0 || k.lost:
		k.piece(f, keep)
	default:
		k.hasher.Frame(f.Raw)
		keep(f)
	}
}

// piece joins the pieces of a frame, since no piece can be hashed by itself. Of
// one that is too large sizes are kept.
func (k *Keeper) piece(f *journal.Frame, keep func(*journal.Frame)) {
	if k.lost || len(k.open)+len(f.Raw) > openBytes {
		if len(k.open) > 0 {
			clear(k.open)
			first := *f
			first.Raw, first.More, first.Complete = k.open, true, false
			keep(&first)
		}
		clear(f.Raw)
		keep(f)
		k.open, k.lost = k.open[:0], f.More
		return
	}
	k.open = append(k.open, f.Raw...)
	if f.More {
		return
	}
	f.Raw = k.open
	k.hasher.Frame(f.Raw)
	keep(f)
	k.open = k.open[:0]
}

// End completes the row of a request that is over.
func (k *Keeper) End() {
	if k == nil || k.report == nil {
		return
	}
	k.report.Fill(k.row)
}

// Text is what is kept of a text that stands outside of requests and answers.
func (p *Policy) Text(text string) string {
	if p.Mode == Hash {
		return "hashed-" + NewHasher(p.Key).Name(text)
	}
	return "not-kept"
}

// Check ends a plan's text that is kept with hashes: a run that is resumed can tell
// by it whether its key is the same.
func (p *Policy) Check() string {
	if p.Mode != Hash {
		return ""
	}
	return "# the key of the hashes: " + p.Text("aircheck") + "\n"
}

// Mark says in a run's record what is missing.
func (p *Policy) Mark(run *schema.Run) {
	if !p.Whole() {
		run.Content = string(p.Mode)
		run.Notes = append(run.Notes, p.note())
	}
}

func (p *Policy) note() string {
	if p.Mode == Hash {
		return "content: hash. Texts are keyed hashes of the same length: nothing is checked, and texts of providers cannot be compared beyond equality"
	}
	return "content: none. Frames are zeros of their size; times, tokens and endings are as the recorder read them"
}
