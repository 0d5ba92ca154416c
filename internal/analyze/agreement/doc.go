// Package agreement compares what providers of one model answer to the same
// prompts: do two of them differ by more than each differs from itself?
//
// It never says more than "differs". Another build, another precision, another
// template, another kernel: an answer does not tell which, and at temperature 0
// one different rounding changes every word that follows.
package agreement
