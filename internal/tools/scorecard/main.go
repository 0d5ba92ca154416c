package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"aircheck/internal/analyze/build"
	"aircheck/internal/record/simulate"
)

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr))
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	f := flag.NewFlagSet("scorecard", flag.ContinueOnError)
	f.SetOutput(stderr)
	fleetFile := f.String("fleet", "examples/market.yaml", "the fleet's file")
	prices := f.String("prices", "", "the fleet's prices, as record simulate --prices wrote them")
	least := f.Int("least", 27, "facts that must be found, else the exit status is 3")
	most := f.Int("most", -1, "false alarms that are borne with beside those on decoys, of which none is; -1: any number")
	page := f.String("write", "", "page to write the scorecard into, between its marks")
	if err := f.Parse(args); err != nil || f.NArg() != 1 {
		fmt.Fprintln(stderr, "usage: scorecard [flags] DATASET")
		return 2
	}
	fleet, err := simulate.Load(*fleetFile)
	if err != nil {
		fmt.Fprintln(stderr, "scorecard:", err)
		return 2
	}
	lines, err := scoreDataset(ctx, build.Options{Dir: f.Arg(0), Prices: *prices}, fleet)
	if err != nil {
		fmt.Fprintln(stderr, "scorecard:", err)
		return 4
	}
	text := Markdown(lines)
	fmt.Fprint(stdout, text)
	if *page != "" {
		if err := writeInto(*page, text, time.Now().UTC()); err != nil {
			fmt.Fprintln(stderr, "scorecard:", err)
			return 4
		}
	}
	if s := Sum(lines); s.Found < *least || s.DecoyAlarms > 0 || *most >= 0 && s.Alarms > *most {
		return 3
	}
	return 0
}

const begin, end = "<!-- scorecard -->\n", "<!-- /scorecard -->\n"

// writeInto puts a scorecard between the marks of a page, with its day.
func writeInto(path, text string, day time.Time) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	head, rest, ok := strings.Cut(string(page), begin)
	_, tail, closed := strings.Cut(rest, end)
	if !ok || !closed {
		return fmt.Errorf("%s: no marks to write between", path)
	}
	text = fmt.Sprintf("%s, `make market QUALITY=docs/quality.md`:\n\n%s", day.Format("2 January 2006"), text)
	return os.WriteFile(path, []byte(head+begin+"\n"+text+"\n"+end+tail), 0o644)
}

func scoreDataset(ctx context.Context, o build.Options, fleet *simulate.Fleet) ([]Line, error) {
	r, err := build.Open(ctx, o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return Score(ctx, r, fleet)
}
