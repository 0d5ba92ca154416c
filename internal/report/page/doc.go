// Package page writes the report: static HTML with every chart drawn into it,
// from the public views alone.
//
//	views → load (sql/*.sql) → contests and findings → sentences → templates
//
// A page asks nothing of the network, needs no script to be read, and states
// what it found as sentences with numbers; every figure and row has an anchor,
// its table and its query. The same data gives the same bytes: nothing comes
// from the clock, the machine, or the order of rows.
//
// A contest is what providers are compared in: model, scenario, concurrency and
// vantage. No value is shown as "–", and the reason stands below.
package page
