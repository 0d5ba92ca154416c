package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/explain"
	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/human"
	"aircheck/internal/kit/version"
	"aircheck/internal/report/page"
	"aircheck/internal/report/words"
	"aircheck/schema"

	"github.com/spf13/pflag"
)

// settings are the command's flags.
type settings struct {
	analysis   build.Options
	to, single string
	about      page.Publication
	lang       string
	data       string
	where      string
	pseudonyms string
	baseline   string
	cleanUp    func() // removes what --where needed
}

func command() *cli.Command {
	var s settings
	return &cli.Command{
		Args:  "DIR [--to SITE] [--single FILE.html]",
		Short: "render a recorded dataset as static HTML",
		Long: `
Builds what is new, as analyze does, and writes index.html, a page for each
model, and the tables as CSV. Every chart is drawn into the page: nothing is
fetched and no script is needed. The site is written aside and put in place as a
whole; a directory that holds anything but an earlier report is left alone.
"report check SITE" computes a published site again from the data beside it.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&s.to, "to", "", "`DIR` of the site (default site, unless --single is given)")
			f.StringVar(&s.single, "single", "", "`FILE` that holds the whole report, for mail and CI")
			f.StringVar(&s.about.Title, "title", "", "`TEXT` that names the report (default the plan's name and the dates)")
			f.StringVar(&s.about.Author, "author", "", "`NAME` of who publishes it")
			f.StringVar(&s.about.URL, "url", "", "`ADDRESS` where it will stand")
			f.StringVar(&s.about.License, "license", "", "`NAME` of its licence, such as CC-BY-4.0")
			f.StringVar(&s.about.Edition, "edition", "", "`NAME` of this edition: it is written to SITE/NAME, which never changes, and to SITE/latest")
			f.StringVar(&s.baseline, "baseline", "", "`DIR` of an earlier data set: what changed since, with intervals")
			f.StringVar(&s.data, "data", string(page.DataDerived), "how much of the data stands beside the pages: `none|derived|full`; derived has no prompts, answers or words of errors")
			f.StringVar(&s.where, "where", "", "SQL `CONDITION` over a request's columns: only what it is true of counts and is published")
			f.StringVar(&s.pseudonyms, "pseudonyms", "", "`FILE` (YAML) of pairs, name: pseudonym, that stand in every file in place of the names")
			f.SetNormalizeFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
				if name == "alias" {
					name = "pseudonyms"
				}
				return pflag.NormalizedName(name)
			})
			f.StringVar(&s.lang, "lang", "en", "`LANGUAGE` of the report: "+strings.Join(words.LanguageNames(), ", "))
			f.StringVar(&s.analysis.Prices, "prices", "", "`FILE` (JSON or YAML) of prices in place of the embedded table")
			f.StringVar(&s.analysis.Aliases, "aliases", "", "`FILE` (YAML) that brings spellings of providers and models together")
			f.StringVar(&s.analysis.Exclusions, "exclusions", "", "`FILE` (YAML) of rows to take out of measured: predicate, reason, date")
			f.StringVar(&s.analysis.Scores, "scores", "", "`FILE` (CSV) of scores by request_id or caller_request_id")
			f.BoolVar(&s.analysis.Strict, "strict", false, "exit with status 1 where a run is damaged, rather than leave it out and name it")
			f.StringVar(&s.analysis.Cache, "cache", "", "`DIR` for derived files, for datasets that cannot be written (default DIR/derived)")
			f.StringVar(&s.analysis.Memory, "memory", "", "`limit` of the memory that the process has resident at its peak, such as 4GB (default: the engine takes up to 80% of the machine's)")
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 {
				return cli.Usagef("want one dataset: report DIR --to SITE")
			}
			s.analysis.Dir = args[0]
			if s.to == "" && s.single == "" {
				s.to = "site"
			}
			return explained(render(ctx, env, &s))
		},
	}
}

func render(ctx context.Context, env *cli.Env, s *settings) error {
	language, err := words.LanguageFor(s.lang)
	if err != nil {
		return cli.Fail(cli.Usage, err)
	}
	if s.to != "" {
		check := page.CheckSite
		if s.about.Edition != "" {
			check = func(dir string) error { return page.CheckEdition(dir, s.about.Edition) }
		}
		if err := check(s.to); err != nil {
			return err
		}
	}
	if err := page.CheckSingle(s.single); err != nil {
		return err
	}
	if err := s.analysis.Fill(); err != nil {
		return err
	}
	if err := s.narrow(); err != nil {
		return err
	}
	defer s.cleanUp()
	if text := s.analysis.InForce(); text != "" {
		fmt.Fprintf(env.Stderr, "settings in force: %s\n", text)
	}
	var left []string
	s.analysis.LeftOut = func(fault schema.Fault) {
		left = append(left, fault.String())
		fmt.Fprintf(env.Stderr, "left out: %s/%s\n", strings.TrimRight(s.analysis.Dir, "/"), fault)
	}
	views, err := build.Open(ctx, s.analysis)
	if err != nil {
		return err
	}
	defer views.Close()
	for _, line := range schema.Unsealed(s.analysis.Dir) {
		fmt.Fprintf(env.Stderr, "report: note: %s\n", line)
	}
	options, err := publishing(ctx, s, views, language)
	if err != nil {
		return err
	}
	options.LeftOut = left
	if options.Baseline, err = baseline(ctx, s); err != nil {
		return err
	}
	var source page.Source = views
	if s.where != "" || s.pseudonyms != "" {
		names, err := readPseudonyms(s.pseudonyms)
		if err != nil {
			return err
		}
		source = page.NewMasked(views, views.Views(), names, s.where != "")
	}
	report, err := page.Build(ctx, source, *options)
	if err != nil {
		return err
	}
	if s.to != "" {
		n, at := 0, s.to
		if s.about.Edition != "" {
			n, err = report.WriteEdition(s.to, s.about.Edition)
			at = filepath.Join(s.to, s.about.Edition)
		} else {
			n, err = writeSite(s.to, report)
		}
		if err != nil {
			return err
		}
		fmt.Fprintf(env.Stdout, "%s: %s files\n", filepath.Join(at, "index.html"), human.Count(int64(n)))
	}
	if s.single != "" {
		data, err := report.Single()
		if err != nil {
			return err
		}
		if err := page.WriteSingle(s.single, data); err != nil {
			return err
		}
		fmt.Fprintf(env.Stdout, "%s: %s kB\n", s.single, human.Count(int64(len(data)+999)/1000))
	}
	return nil
}

func writeSite(dir string, report *page.Report) (int, error) {
	files, err := report.Site()
	if err != nil {
		return 0, err
	}
	return len(files), page.WriteSite(dir, files)
}

// checksum identifies a dataset by its recorded files, whatever else lies about:
// the SHA-256 of what "sha256sum requests/*/*.parquet chunks/*/*.parquet" prints
// inside it, sorted by path.
func checksum(runs []*schema.Run) string {
	var files []schema.File
	for _, run := range runs {
		files = append(files, run.Files...)
	}
	slices.SortFunc(files, func(a, b schema.File) int { return strings.Compare(a.Path, b.Path) })
	h := sha256.New()
	for _, f := range files {
		fmt.Fprintf(h, "%s  %s\n", f.SHA256, f.Path)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// tool names this program for the cite block.
func tool() string {
	if v := version.String(); v != "unknown" {
		return "aircheck " + v
	}
	return "aircheck"
}

// explained gives an error its exit status and, where the cause is known, the
// next step.
func explained(err error) error {
	var foreign *page.ErrForeign
	var kind *page.ErrKind
	var frozen *page.ErrFrozen
	switch {
	case errors.As(err, &kind):
		return cli.Fail(cli.Usage, err)
	case errors.As(err, &frozen):
		return cli.Fail(cli.Usage, cli.Hint(err, "give the new one another name with --edition"))
	case errors.As(err, &foreign):
		return cli.Fail(cli.Usage, cli.Hint(err, "name a new or empty directory with --to"))
	case errors.Is(err, page.ErrEmpty):
		return cli.Fail(cli.Faults, cli.Hint(err, "requests count once a run has some of phase measure; analyze sql tells what is there"))
	}
	return explain.Error(err, "--to and --cache")
}
