// Package scrub makes a copy of a dataset that is fit for publishing: texts are
// replaced by filler of the same bytes and characters, ids by hashes, names of
// providers by aliases where such are given. Every time, count, usage and finish
// reason stays, so that whatever needs no text comes out equal.
//
//	policy.go    what becomes of a string, by its key and where it stands
//	filler.go    text of the same shape
//	identity.go  names, hosts, ids and keys
//	response.go  the frames of one response
//	row.go       one row of requests
//	run.go       a run's record, and the plan in it
//	dataset.go   the whole of it
//	card.go      the page that describes the copy
package scrub
