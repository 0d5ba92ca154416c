package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/robust"
	"aircheck/internal/kit/cli"
)

var robustFormats = []string{"text", "json"}

func robustCommand() *cli.Command {
	var o build.Options
	var format string
	return &cli.Command{
		Name:  "robust",
		Args:  "DIR",
		Short: "decide the headlines again under other reasonable choices, and tell what makes them fall",
		Long: `
The supported headlines (who is first, cheapest, most reliable on a model; which
orders flip between models) are decided again: with margins of 5 to 25 %, by the
p90, with and without set-up, by the first token of the answer and the first byte,
by other tools' definitions, with warm-ups, without failures, with each provider's
prices 10 % higher and lower, and without each window. A headline that holds in
nearly all of them does not hang on the method. Live traffic is left out: see the
view like_for_like.`,
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&format, "format", "text", strings.Join(robustFormats, ", "))
			addOptions(fs, &o)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("want one dataset: analyze robust DIR")
			}
			if !slices.Contains(robustFormats, format) {
				return cli.Usagef("format %q: want one of %s", format, strings.Join(robustFormats, ", "))
			}
			o.Dir, o.Progress = args[0], progress(env.Stderr)
			if err := inForce(env, &o); err != nil {
				return err
			}
			r, err := build.OpenFor(ctx, o, robust.Views...)
			o.Progress("", 0, 0)
			if err != nil {
				return explained(err)
			}
			defer r.Close()
			found, err := robust.Run(ctx, r, runtime.GOMAXPROCS(0))
			if err != nil {
				return explained(err)
			}
			out := bufio.NewWriter(env.Stdout)
			if format == "json" {
				e := json.NewEncoder(out)
				e.SetIndent("", "  ")
				err = e.Encode(found)
			} else {
				writeRobust(out, found)
			}
			if err != nil {
				return err
			}
			return out.Flush()
		},
	}
}

// writeRobust writes a line for each headline.
func writeRobust(w io.Writer, r *robust.Result) {
	if len(r.Headlines) == 0 {
		fmt.Fprintln(w, "no headline is supported: there is nothing to decide again; the view pairs says why")
	}
	for _, h := range r.Headlines {
		fmt.Fprintf(w, "%s\n  holds in %d of %d", h.Text, h.Holds, h.Choices)
		if len(h.Falls) > 0 {
			list := h.Falls[:min(3, len(h.Falls))]
			fmt.Fprintf(w, "; falls under: %s", strings.Join(list, "; "))
			if more := len(h.Falls) - len(list); more > 0 {
				fmt.Fprintf(w, "; and %d more", more)
			}
		}
		fmt.Fprintln(w)
	}
	if r.Live > 0 {
		fmt.Fprintf(w, "%d contests of live traffic are left out\n", r.Live)
	}
}
