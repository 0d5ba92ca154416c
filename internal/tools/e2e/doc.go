// Package e2e holds the tests of the whole path, run through the three commands
// as a user has them: a simulated fleet is recorded, analysed and reported, and
// every number is held against what the fleet knows that it sent.
//
//	path_test.go     a recording of every fault, and the demo's
//	truth_test.go    a recording held against the truth
//	scripts_test.go  testdata/scripts: bad input, one clear line each
//	readme_test.go   the README's blocks of commands
package e2e
