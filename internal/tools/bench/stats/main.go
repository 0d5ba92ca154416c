// Stats measures the comparison of providers: how often it errs on data whose
// truth is known, how often it finds what was planted, and what all flips of a
// large market take. It exits with 1 if a target is missed.
package main

import (
	"context"
	"fmt"
	"os"
	"regexp"
	"runtime"
	"slices"

	"github.com/spf13/pflag"

	"aircheck/internal/tools/simtest"
)

func main() { os.Exit(run()) }

func run() int {
	seeds := pflag.Int("seeds", 400, "data sets of each kind")
	windows := pflag.IntSlice("windows", []int{6, 8, 12, 24, 48}, "windows of a data set")
	first := pflag.Int("first", 0, "seed of the first data set: another number draws others")
	shapes := pflag.StringSlice("shapes", []string{"4x3", "2x1"}, "providers x models of a data set: 4x3, 2x1, 12x4, 20x12")
	match := pflag.String("match", "", "only worlds whose `NAME, statistic` this regular expression finds, such as 'planted' or 'spells'")
	only := pflag.String("only", "", "rates, steps or scale")
	prepare := pflag.String("prepare", "", "only write and build the market of --only scale, into `DIR`")
	pflag.Parse()
	if *prepare != "" {
		if err := prepareMarket(context.Background(), *prepare); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
		return 0
	}
	wanted, err := regexp.Compile(*match)
	if err != nil {
		fmt.Fprintln(os.Stderr, "--match:", err)
		return 2
	}
	unwanted := func(w simtest.World) bool { return !wanted.MatchString(fmt.Sprintf("%s, %s", w.Name, w.Statistic)) }
	var failed []string
	if *only == "" || *only == "rates" {
		all, err := cells(*windows, *shapes)
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 2
		}
		all = slices.DeleteFunc(all, unwanted)
		missed, err := simtest.Print(os.Stdout, all, *first, *seeds, runtime.GOMAXPROCS(0))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
		failed = append(failed, missed...)
		fmt.Println()
	}
	if *only == "" || *only == "steps" {
		fmt.Println("changes over time: the later half of the windows against the earlier")
		missed, err := simtest.PrintSteps(os.Stdout, slices.DeleteFunc(simtest.StepCells([]int{16, 24, 48}, simtest.Small), unwanted), *first, *seeds, runtime.GOMAXPROCS(0))
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 4
		}
		failed = append(failed, missed...)
		fmt.Println()
	}
	if *only == "" || *only == "scale" {
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

// cells of the shapes named. Twenty providers have no more than 12 windows, since
// a data set of theirs takes seconds.
func cells(windows []int, shapes []string) (all []simtest.World, err error) {
	for _, name := range shapes {
		var s simtest.Shape
		if _, err := fmt.Sscanf(name, "%dx%d", &s.Providers, &s.Models); err != nil || s.Providers < 2 || s.Models < 1 {
			return nil, fmt.Errorf("--shapes %s: give providers x models, as in 4x3", name)
		}
		some := windows
		if s.Providers*s.Models >= simtest.Large.Providers*simtest.Large.Models {
			some = slices.DeleteFunc(slices.Clone(windows), func(n int) bool { return n > 12 })
		}
		all = append(all, simtest.Cells(some, s)...)
	}
	return all, nil
}
