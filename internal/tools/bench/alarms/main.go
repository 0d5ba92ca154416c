// Command alarms counts, over simulated recordings whose truth is known, how
// often the views of cost and usefulness find what was planted and how often
// they raise a false alarm. Its exit status is 1 where that is more than chance
// explains.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"

	"aircheck/internal/tools/groundtruth"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("alarms", flag.ContinueOnError)
	flags.SetOutput(stderr)
	seeds := flags.Int("seeds", 200, "recordings to simulate")
	if err := flags.Parse(args); err != nil {
		return 2
	}
	wrong, err := count(ctx, *seeds, stdout)
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "alarms: %v\n", err)
		return 4
	case wrong:
		return 1
	}
	return 0
}

func count(ctx context.Context, seeds int, out io.Writer) (wrong bool, err error) {
	dir, err := os.MkdirTemp("", "aircheck-alarms-")
	if err != nil {
		return false, err
	}
	defer os.RemoveAll(dir)
	findings, faults, err := groundtruth.Count(ctx, dir, seeds)
	if err != nil {
		return false, err
	}
	leverage, err := groundtruth.Leverage(ctx, seeds)
	if err != nil {
		return false, err
	}
	findings = append(findings, leverage)
	if err := groundtruth.Print(out, findings); err != nil {
		return false, err
	}
	for _, f := range findings {
		if w := f.Wrong(); w != "" {
			faults = append(faults, f.What+": "+w)
		}
	}
	for _, f := range faults {
		fmt.Fprintln(out, f)
	}
	return len(faults) > 0, nil
}
