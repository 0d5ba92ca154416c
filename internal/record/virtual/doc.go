// Package virtual carries the plans of a fleet's file out in virtual time: it
// writes the dataset that a recorder would have written, without a socket and
// without waiting.
//
//	plans.go    a fleet's plans, with a target for each of its models
//	campaign.go windows of all plans in the order of their time
//	loop.go     which request starts when, as the runner's loops have it
//	client.go   the way to the provider and back: connections, time limits
//	arrive.go   what the client's kernel and its reads make of the writes
//
// What is answered is the fleet's business, as it is for a server; what a plan
// asks, and what a row holds, are the plan's and the runner's. Only the clock
// differs. The same fleet gives the same bytes.
package virtual
