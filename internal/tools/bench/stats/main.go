// Stats measures the comparison of providers: how often it errs on data whose
// truth is known, how often it finds what was planted, and what all flips of a
// large market take. It exits with 1 if a target is missed.
package main

import (
	"context"
	"fmt"
	"os"
	"runtime"

	"github.com/spf13/pflag"

	"aircheck/internal/tools/simtest"
)

func main() { os.Exit(run()) }

func run() int {
	seeds := pflag.Int("seeds", 400, "data sets of each kind")
	windows := pflag.IntSlice("windows", []int{6, 8, 12, 24, 48}, "windows of a data set")
	large := pflag.Bool("large", false, "market sizes of 12 × 4 and 20 × 12 providers and models as well")
	only := pflag.String("only", "", "rates or scale")
	prepare := pflag.String("prepare", "", "only write and build the market of --only scale, into `DIR`")
	pflag.Parse()
	if *prepare != "" {
		if err := prepareMarket(context.Background(), *prepare); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
		return 0
	}
	var failed []string
	if *only != "scale" {
		missed, err := simtest.Print(os.Stdout, cells(*windows, *large), *seeds, runtime.GOMAXPROCS(0))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
		failed = append(failed, missed...)
		fmt.Println()
	}
	if *only != "rates" {
		missed, err := scale(context.Background(), os.Stdout)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
		failed = append(failed, missed...)
	}
	for _, f := range failed {
		fmt.Fprintln(os.Stderr, "missed:", f)
	}
	if len(failed) > 0 {
		return 1
	}
	return 0
}

// cells of the sizes that a plan of an afternoon has, and of larger ones.
func cells(windows []int, large bool) []simtest.World {
	all := simtest.Cells(windows, simtest.Small, simtest.Pair)
	if large {
		all = append(all, simtest.Cells(windows, simtest.Middle)...)
		all = append(all, simtest.Cells([]int{8, 12}, simtest.Large)...)
	}
	return all
}
