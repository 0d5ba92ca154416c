// Dataset writes a generated dataset of so many chunks, in responses of 500 or,
// with short, of seven: dataset DIR CHUNKS [short]. With runs, it is so many runs
// of three short responses each: dataset DIR RUNS runs.
package main

import (
	"fmt"
	"os"
	"strconv"

	"aircheck/internal/tools/bench"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "want dataset DIR CHUNKS [short], or dataset DIR RUNS runs")
		os.Exit(2)
	}
	shape := "long"
	if len(os.Args) > 3 {
		shape = os.Args[3]
	}
	if err := write(os.Args[1], os.Args[2], shape); err != nil {
		fmt.Fprintln(os.Stderr, "dataset:", err)
		os.Exit(4)
	}
}

func write(dir, size, shape string) error {
	n, err := strconv.Atoi(size)
	if err != nil {
		return err
	}
	least, below := 200, 800
	switch shape {
	case "runs":
		return bench.Runs(dir, n, 3, 7)
	case "short":
		least, below = 2, 6
	}
	requests, chunks, err := bench.Responses(dir, n, least, below, 7)
	if err == nil {
		fmt.Printf("%s: %d requests, %d chunks\n", dir, requests, chunks)
	}
	return err
}
