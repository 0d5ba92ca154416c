// Package service makes worlds of service whose truth is known, and counts how
// often the views of speed, load, outages, cold starts, bursts, parameters and
// fitness find what was planted in them, and how often what was not.
//
// A world is a model, so that worlds of many seeds share a dataset. It is written
// as rows of results: what recorder and decoders make of a stream is tested where
// streams are (see the package above, and this one's fleet).
//
//	world.go    the shape of a world, its conditions and noise
//	loops.go    closed loops of one to eight streams: load, throughput, fitness
//	pings.go    a request every fifteen seconds: outages, and a line that is down
//	silence.go  cold starts and bursts; a sweep of input lengths
//	probe.go    parameters that are honoured and ignored
//	rows.go     rows, and how they become tables
//	count.go    what is asked of each world
package service
