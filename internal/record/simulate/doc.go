// Package simulate serves a fleet of simulated providers over real HTTP, and
// writes down what it really sent: the known truth that recordings, decoders,
// metrics and statistics are tested against.
//
// A fleet is described in YAML (see Behaviour, and examples/README.md for all
// keys). A request goes this way:
//
//	server.go    finds provider, model and dialect; counts the request
//	ask.go       what it wants, whatever API it speaks
//	fault.go     what is planted for it, by its place in the sequence
//	script.go    the response in full, as steps at offsets; answer.go its words
//	openai.go …  one renderer an API spells steps as bytes
//	play.go      writes go out on an absolute schedule, each one timed
//	truth.go     one line of JSON a request
//
// Whatever is drawn at random depends on the fleet's seed and the request's
// place (provider, model, ordinal) alone, so that a fleet fares the same every
// time, however requests interleave. Only what load and idle time make of it
// depends on the clock.
package simulate
