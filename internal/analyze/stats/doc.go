// Package stats holds the statistics that SQL cannot state: exact order
// statistic intervals, rank tests and the estimates that invert them, adjusted
// p-values, a hierarchical bootstrap, and the one comparison of two providers
// that ranks, flips and drift are all built from ([Cell.Against]).
//
// Every function is pure. The same data gives the same numbers, whatever the
// order of its rows, the number of threads or the processor:
//
//   - input is sorted inside, and never changed;
//   - random numbers come from PCG streams seeded by [Seed] from the content;
//   - ratios are compared as ratios, never as differences of logarithms: the
//     order of max(a,b)/min(a,b) is the order of |log a − log b|, and the
//     middle of two log-ratios is √(r₁·r₂), and IEEE 754 rounds division and
//     square root alike everywhere, which it does not ask of a logarithm;
//   - products are written float64(x*y) before they are added, which forbids
//     the compiler a fused multiply-add that only some processors have;
//   - p-values that pass through exp or erf, whose last bits do differ between
//     processors, are rounded to twelve significant digits.
//
// "No value" is a nil pointer or a false, never 0, −1 or NaN.
package stats
