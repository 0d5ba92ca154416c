// Dataset writes a generated dataset of so many chunks: dataset DIR CHUNKS [SHORT].
// With SHORT, responses have two to six tokens, for many requests.
package main

import (
	"fmt"
	"os"
	"strconv"

	"aircheck/internal/tools/bench"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "want dataset DIR CHUNKS [short]")
		os.Exit(2)
	}
	chunks, err := strconv.Atoi(os.Args[2])
	least, below := 200, 800
	if len(os.Args) > 3 {
		least, below = 2, 6
	}
	var requests, written int
	if err == nil {
		requests, written, err = bench.Responses(os.Args[1], chunks, least, below, 7)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "dataset:", err)
		os.Exit(4)
	}
	fmt.Printf("%s: %d requests, %d chunks\n", os.Args[1], requests, written)
}
