package main

import (
	"context"
	"errors"
	"fmt"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/duck"
	"aircheck/internal/kit/human"
	"aircheck/internal/report/page"
)

// differencesShown is how many places a check names; it counts all.
const differencesShown = 20

func checkCommand() *cli.Command {
	return &cli.Command{
		Name:  "check",
		Args:  "SITE",
		Short: "compute every number of a published site again, from the data beside it",
		Long: `
Reads the Parquet files in SITE/data, computes every page and every CSV again, and
says that all are equal, or names the places where a page says something else than
its data. Exits with status 1 where something differs. It needs neither the dataset
nor its publisher; what needs the recorded frames is named and left out.`,
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("want one site: report check SITE")
			}
			return checkSite(ctx, env, args[0])
		},
	}
}

func checkSite(ctx context.Context, env *cli.Env, dir string) error {
	db, err := duck.Open(ctx, duck.Options{})
	if err != nil {
		return err
	}
	defer db.Close()
	catalogue, err := documented(ctx)
	if err != nil {
		return err
	}
	found, err := page.Check(ctx, dir, catalogue, func(files map[string]string) (page.Source, error) {
		// A dataset's own macro reads frames, which a site does not have.
		statements := "CREATE MACRO definitions_all() AS TABLE SELECT NULL::VARCHAR AS tool, NULL::VARCHAR AS metric, NULL::DOUBLE AS value, NULL::VARCHAR AS note WHERE false;\n"
		for _, view := range []string{"events", "chunks"} { // a recording without frames has no bytes to show
			if files[view] == "" {
				statements += page.EmptyFrames[view]
			}
		}
		for view, file := range files {
			statements += fmt.Sprintf("CREATE VIEW %s AS FROM read_parquet(%s);\n", duck.Ident(view), duck.Literal(file))
		}
		return db, duck.Exec(ctx, db, "data beside the site", statements)
	})
	switch {
	case errors.Is(err, page.ErrNoData):
		return cli.Fail(cli.Usage, cli.Hint(fmt.Errorf("%s: %w", dir, err), "report DIR --to SITE writes the data beside the pages"))
	case err != nil:
		return err
	}
	for i, d := range found.Differences {
		if i == differencesShown {
			fmt.Fprintf(env.Stdout, "%s more\n", human.Count(int64(len(found.Differences)-i)))
			break
		}
		near := ""
		if d.Near != "" {
			near = "#" + d.Near
		}
		fmt.Fprintf(env.Stdout, "%s%s: the page says %q, its data give %q\n", d.Page, near, d.Says, d.Data)
	}
	for _, name := range found.Skipped {
		fmt.Fprintf(env.Stdout, "%s: not computed again: it needs the recorded frames\n", name)
	}
	for _, name := range found.Foreign {
		fmt.Fprintf(env.Stdout, "%s: not of this report, not checked\n", name)
	}
	counts := fmt.Sprintf("%s numbers in %s files", human.Count(int64(found.Numbers)), human.Count(int64(found.Pages)))
	if n := len(found.Differences); n > 0 {
		return cli.Fail(cli.Faults, cli.Hint(fmt.Errorf("%s: %d of its places differ from its data (%s computed again)", dir, n, counts),
			"another version of the program may say the same in other words: the site was written by %s", found.Tool))
	}
	fmt.Fprintf(env.Stdout, "%s: equal: %s computed again from the data beside them\n", dir, counts)
	return nil
}
