// Package limits holds every bound on what arrives: answers, files, plans,
// values in them. Nothing takes more than its share of memory, disk or time;
// what is beyond a bound is named and left out, and the rest goes on. Table says
// what happens beyond each, and docs/limits.md is written from it.
package limits

// Memory is the most memory that a run of the recorder takes unless told
// otherwise with --memory.
const Memory = 256 << 20

// LeastMemory is what the recorder cannot do without: itself, two buffers of the
// journal, a row group while it is sealed.
const LeastMemory = 192 << 20

// Response bounds what one response may take of the recorder. Beyond it the
// request ends as `limit`, which is ours. Zero means the default.
type Response struct {
	Head     int64 // bytes of the status line and the headers
	Body     int64 // bytes of a body
	Inflated int64 // bytes that a compressed body may become
	Frame    int64 // bytes of a frame
	Frames   int64 // frames of a body
	Held     int64 // bytes of an open frame in memory; what is beyond goes to the journal before the frame's end
	Windows  int64 // bytes of history that compressed bodies may ask for, of all streams together
}

// Default is what one stream may take of a recorder of the default memory.
func Default() Response { return Of(Memory, 1) }

const (
	// StreamBytes is what an open stream takes at least: buffers of its connection,
	// stacks of its goroutines.
	StreamBytes = 40 << 10
	// LeastHeld of an open frame is in memory before its bytes go to the journal.
	LeastHeld = 8 << 10
	mostHeld  = 64 << 10
	leastHead = 32 << 10
	mostHead  = 1 << 20
)

// Of gives the bounds of a response by the memory of the run and the number of
// streams that share it.
func Of(memory int64, streams int) Response {
	share := memory / 4 / int64(max(streams, 1))
	return Response{
		Head:     min(max(share/4, leastHead), mostHead), // it is held as received, as headers and as JSON
		Body:     memory,                                 // the journal has it
		Inflated: max(memory/8, 1<<20),
		Frame:    max(memory/16, 1<<20), // sealed, a frame is in memory some six times, as pieces, page and compressed
		Frames:   max(memory/256, 10_000),
		Held:     min(max(share, LeastHeld), mostHeld),
		Windows:  memory / 8,
	}
}

// Or gives the defaults where nothing is set.
func (r Response) Or(d Response) Response {
	for _, v := range []struct{ to, from *int64 }{{&r.Head, &d.Head}, {&r.Body, &d.Body}, {&r.Inflated, &d.Inflated}, {&r.Frame, &d.Frame},
		{&r.Frames, &d.Frames}, {&r.Held, &d.Held}, {&r.Windows, &d.Windows}} {
		if *v.to == 0 {
			*v.to = *v.from
		}
	}
	return r
}

// What a compressed body may become when it is decoded. Answers are a few
// megabytes of text that packs some fiftyfold; a few kilobytes made of nothing
// become gigabytes.
const (
	Decoded      = 256 << 20
	DecodedFrame = 32 << 20 // of a frame that has no end
	DecodedRatio = 200      // past DecodedFree: a model that repeats itself without end packs as well as a bomb
	DecodedFree  = 16 << 20
	Window       = 64 << 20 // of history that a body may ask a decoder to keep; RFC 9659 allows 8 MiB
)

// What a run may be.
const (
	PlanRequests = 1_000_000  // of one run: they are scheduled before the first
	InputTokens  = 2_000_000  // that filler brings a prompt to, which takes seconds
	PlanFile     = 256 << 20  // bytes of a file that a plan names: it is in memory
	RPM          = 60_000_000 // beyond what one machine sends
	YAML         = 16 << 20   // bytes of a file that people write: far beyond what is written by hand
)

// What a caller of the proxy may send.
const (
	ProxyStreams = 256    // calls at a time that the bounds of an answer reckon with
	ProxyLanes   = 10_000 // pairs of provider and model whose idle times are known: callers choose the names
)

// ProxyBody is how large a request may be to be recorded: it is in memory as
// received, as text and as JSON.
func ProxyBody(memory int64) int64 { return memory / 8 }

// ProxyBodies is what the requests of all callers may take together.
func ProxyBodies(memory int64) int64 { return memory / 2 }

// What an imported file may make its reader hold or write.
const (
	ImportWhole    = 256 << 20 // bytes of a file that is read whole: a cassette, the body of a response
	ImportRecord   = 64 << 20  // bytes of one record of a file that is read record by record
	ImportInflated = 64 << 30  // bytes that a compressed file, or a member of an archive, may inflate to
	ImportRatio    = 2000      // of these to the compressed bytes, beyond the first ImportWhole
	ImportMembers  = 200_000   // files of one folder or archive
	ImportWindow   = 128 << 20 // bytes of history that a compressed file may ask for
	ImportAliased  = 1_000_000 // values that a YAML document's aliases stand for: a few lines can mean a billion
)

// What a data set may make its reader hold.
const (
	RunRecord      = 16 << 20 // bytes of runs/<run_id>.json: one of a campaign of years stays far below
	RunRecordParts = 200_000  // files, sources and the like in it
	GroupRows      = 1 << 24  // rows of one row group
	GroupBytes     = 1 << 30  // bytes of its rows, or of one of its columns
)
