// Shards simulates many shares of decoding on as many executors, where attempts
// die and are made again: how much more is computed, and how long the last takes.
package main

import (
	"fmt"
	"math/rand/v2"
)

func main() {
	const shares, pieces, second = 1000, 2, 0.2 // a share's pieces, and what one takes
	const start = 1.0                           // seconds until a new attempt runs
	for _, dies := range []float64{0, 0.01, 0.1, 0.3} {
		r := rand.New(rand.NewPCG(7, uint64(dies*1000)))
		var cpu, total, last float64
		for range shares {
			// An attempt that dies leaves the pieces that it had finished.
			left, took := pieces, start
			for left > 0 {
				work := float64(left) * second
				if r.Float64() >= dies {
					cpu, took, left = cpu+work, took+work, 0
					break
				}
				at := r.Float64() * work
				cpu, took = cpu+at, took+at+start
				left -= int(at / second)
			}
			total, last = total+took, max(last, took)
		}
		fmt.Printf("| %.0f %% | %.3f | %.1f |\n", 100*dies, cpu/(shares*pieces*second), last/(total/shares))
	}
}
