package dialect

import "aircheck/internal/wire/frame"

// Meta is what is known of a response beside its frames. All of it may be
// empty: decoders decide by the data, and use Meta only where the data leaves
// a choice.
type Meta struct {
	ContentType     string
	ContentEncoding string // gzip, br, zstd, deflate: frames are then reads of the compressed body
	Status          int    // HTTP status, 0 where unknown
	Streamed        bool
	Frames          frame.Kind // how the body was cut; Auto where unknown
}

// Decoder turns the frames of one response into events. It is stateful: one
// decoder a request, frames in their order. It survives any bytes.
type Decoder interface {
	// Frame decodes one frame and gives its events, at least one. The event is
	// valid until emit returns.
	Frame(raw []byte, emit func(*Event))
	// Close ends the response and gives what was held back: an unfinished
	// inline tag, the rest of a compressed body. Its events belong to the last frame.
	Close(emit func(*Event))
}
