package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/rules/prices"
)

func pricesConvertCommand() *cli.Command {
	var day string
	return &cli.Command{
		Name:  "prices convert",
		Args:  "FILE [--as-of DATE]",
		Short: "make a price table of a newer file of genai-prices or models.dev",
		Long: `
Prints a table for --prices, made of genai-prices' data (prices/new_data/v2/data.json
or data_slim.json of github.com/pydantic/genai-prices) or of models.dev's api.json:

  analyze prices convert api.json --as-of 2027-03-01 > prices.json
  analyze build traces --prices prices.json

--as-of is the day on which the file was true; without it, the day of the file's
last change. The view costs says where the project's own table differs by more than
5 %.`,
		Flags: func(fs *pflag.FlagSet) {
			fs.StringVar(&day, "as-of", "", "day on which the prices were true, as 2027-03-01")
		},
		Run: func(_ context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("want one file: analyze prices convert FILE")
			}
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			asOf := info.ModTime().UTC()
			if day != "" {
				if asOf, err = time.Parse(time.DateOnly, day); err != nil {
					return cli.Usagef("--as-of %q: want a day such as 2027-03-01", day)
				}
			}
			data, err := os.ReadFile(args[0])
			if err != nil {
				return err
			}
			c, err := prices.Convert(data, asOf)
			if err != nil {
				return cli.Usagef("%s: %v", args[0], err)
			}
			if _, err := env.Stdout.Write(c.Table); err != nil {
				return err
			}
			fmt.Fprintf(env.Stderr, "analyze: %s: %d models of %d providers, as of %s\n", c.From, c.Models, c.Providers, asOf.Format(time.DateOnly))
			if len(c.Left) > 0 {
				fmt.Fprintf(env.Stderr, "analyze: left out, since no response counts them or they are not known: %s\n", strings.Join(c.Left, ", "))
			}
			return nil
		},
	}
}
