package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/analyze/build"
	"aircheck/internal/analyze/project"
	"aircheck/internal/analyze/settings"
	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/duck"
	"aircheck/internal/report/table"
)

// sheet is an answer of several tables for people, or of one for machines.
type sheet struct {
	options build.Options
	format  string
	facts   string
}

var sheetFormats = []string{"text", "csv", "json", "markdown"}

func (s *sheet) flags(f *pflag.FlagSet) {
	f.StringVar(&s.format, "format", "text", strings.Join(sheetFormats, ", ")+"; all but text have every column, exact")
	f.StringVar(&s.facts, "facts", "", "`FILE` (YAML) of what providers declare, with source and date; text prints it as declared")
	addOptions(f, &s.options)
}

func (s *sheet) check() ([]project.Fact, error) {
	if !slices.Contains(sheetFormats, s.format) {
		return nil, cli.Usagef("format %q: want one of %s", s.format, strings.Join(sheetFormats, ", "))
	}
	if s.facts == "" {
		return nil, nil
	}
	facts, err := project.ReadFacts(s.facts)
	return facts, cli.Fail(cli.Usage, err)
}

// open opens the dataset for queries over views.
func (s *sheet) open(ctx context.Context, env *cli.Env, dir string, views ...string) (*build.Reader, error) {
	o := s.options
	o.Dir, o.Progress = dir, progress(env.Stderr)
	if err := inForce(env, &o); err != nil {
		return nil, err
	}
	r, err := build.OpenFor(ctx, o, views...)
	return r, explained(err)
}

// write prints the tables one below the other, or the whole of one.
func (s *sheet) write(ctx context.Context, env *cli.Env, r *build.Reader, whole string, parts ...[2]string) error {
	width := 0
	if s.format != "text" {
		parts = [][2]string{{"", whole}}
	} else {
		width = cmp.Or(cli.Width(env.Stdout), exampleWidth)
	}
	for i, p := range parts {
		rows, err := duck.Stream(ctx, r.Conn, "sheet", p[1])
		if err != nil {
			return err
		}
		if p[0] != "" {
			fmt.Fprintf(env.Stdout, "%s%s\n", map[bool]string{true: "\n"}[i > 0], p[0])
		}
		format := map[string]string{"text": "table"}[s.format]
		_, err = table.Write(env.Stdout, table.Head{Columns: rows.Columns, Types: rows.Types}, rows, cmp.Or(format, s.format), width)
		rows.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

// declared prints what the providers concerned say of themselves.
func (s *sheet) declared(env *cli.Env, facts []project.Fact, of func(project.Fact) bool) {
	if s.format != "text" {
		return
	}
	head := "\nDeclared, not measured:"
	for _, f := range facts {
		if !of(f) {
			continue
		}
		if head != "" {
			fmt.Fprintln(env.Stdout, head)
			head = ""
		}
		who := strings.TrimSuffix(f.Provider+" · "+f.Model, " · ")
		fmt.Fprintf(env.Stdout, "  %s, %s: %s\n    (%s, %s)\n", table.Printable(who), table.Printable(f.What), table.Printable(f.Says), table.Printable(f.Source), table.Printable(f.Date))
	}
}

func projectCommand() *cli.Command {
	var s sheet
	var traffic string
	var month float64
	var limits []string
	return &cli.Command{
		Name:  "project",
		Args:  "DIR --traffic MIX [flags]",
		Short: "tell what one's own mix of requests would cost and wait there, like for like",
		Long: `
MIX is a YAML file of request shapes and how many of each there are a month, a log
(CSV or Parquet with input_tokens, output_tokens and, if it has them, model and
started_at), or a dataset, such as one of record proxy.

A recorded request stands for a shape of the mix if its input, and its complete
answer, are between half and twice as long. What was not recorded is left out of the
sums, and covered_share says how much is covered. Intervals come from drawing the
recorded windows again: they are of conditions like those recorded. An answer is late
where it passes a limit, or never comes.

    traffic:
      - {name: chat, input_tokens: 300, output_tokens: 200, a_month: 500000}
      - {name: agent, model: owl-think, input_tokens: 2000, a_month: 80000}
    limits: {ttft_net_ms: 700, e2e_ms: 8000}`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&traffic, "traffic", "", "`MIX`: a .yaml file, a .csv or .parquet log, or a dataset (must be given)")
			f.Float64Var(&month, "a-month", 0, "`N` requests a month in all (default what the file says, or the time that the log spans)")
			f.StringArrayVar(&limits, "limit", nil, "`COLUMN=MS`, one of "+strings.Join(project.Limits, ", ")+"; may be repeated")
			s.flags(f)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 || traffic == "" {
				return cli.Usagef("want a dataset and a mix: analyze project DIR --traffic MIX")
			}
			facts, err := s.check()
			if err != nil {
				return err
			}
			if month < 0 {
				return cli.Usagef("--a-month %g: want a number of requests", month)
			}
			mix, err := project.ReadMix(ctx, traffic, month)
			if err != nil {
				return explained(settings.Wrap(err))
			}
			if mix.Limits == nil {
				mix.Limits = map[string]float64{}
			}
			for _, l := range limits {
				name, value, _ := strings.Cut(l, "=")
				ms, err := strconv.ParseFloat(value, 64)
				if err != nil {
					return cli.Usagef("--limit %q: want COLUMN=MS", l)
				}
				if err := project.CheckLimit(name, ms); err != nil {
					return cli.Usagef("--limit: %v", err)
				}
				mix.Limits[name] = ms
			}
			r, err := s.open(ctx, env, args[0], "results", "outages", "thinking", "load")
			if err != nil {
				return err
			}
			defer r.Close()
			if err := project.Project(ctx, r, mix); err != nil {
				return explained(err)
			}
			err = s.write(ctx, env, r, "FROM projection",
				[2]string{"A month's bill, US dollars", "SELECT provider, model, requests_a_month AS requests, covered_share AS covered, bill_usd AS bill, bill_lo_usd AS low, bill_hi_usd AS high, budget_tokens FROM projection"},
				[2]string{"What would be late or fail", "SELECT provider, model, late_share AS late, late_share_lo AS low, late_share_hi AS high, failures_a_day AS failures, rate_limited_a_day AS limited, streams FROM projection"},
				[2]string{"What it rests on", "SELECT provider, model, n, n_windows AS windows, longest_outage_min_ms AS outage_least, longest_outage_max_ms AS outage_most, warning FROM projection"})
			if err != nil {
				return err
			}
			if s.format == "text" {
				fmt.Fprint(env.Stdout, projectNotes)
			}
			s.declared(env, facts, func(project.Fact) bool { return true })
			return nil
		},
	}
}

const projectNotes = `
late: share of requests past a limit, or without a complete answer. failures, limited: a day.
budget_tokens: output tokens to allow, thinking included, so that 19 of 20 answers end by
themselves. streams: the most recorded streams at a time that keep p95 within the limits.
outage_least, outage_most: ms that the longest outage seen lasted.
`

func switchCommand() *cli.Command {
	var s sheet
	var from, to string
	return &cli.Command{
		Name:  "switch",
		Args:  "DIR --from X --to Y [flags]",
		Short: "tell what changes when the base URL goes from one provider to another",
		Long: `
For each model that either serves: whether it is served, speed and price as the view
pairs decides them (change is the value at Y ÷ that at X), how answers end, whether
usage is reported, rate limits, and which parameters are honoured, where they were
probed. --facts adds what providers declare: residency, keep-warm, terms, price lists.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&from, "from", "", "`PROVIDER` that is used now (must be given)")
			f.StringVar(&to, "to", "", "`PROVIDER` to go to (must be given)")
			s.flags(f)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 || from == "" || to == "" || from == to {
				return cli.Usagef("want a dataset and two providers: analyze switch DIR --from X --to Y")
			}
			facts, err := s.check()
			if err != nil {
				return err
			}
			r, err := s.open(ctx, env, args[0], "results", "availability", "fidelity", "pairs", "metrics", "conformance")
			if err != nil {
				return err
			}
			defer r.Close()
			if err := project.Switch(ctx, r, from, to); err != nil {
				return explained(settings.Wrap(err))
			}
			models, err := duck.Query(ctx, r.Conn, "models", "SELECT DISTINCT model FROM switched ORDER BY 1")
			if err != nil {
				return err
			}
			var parts [][2]string
			for _, row := range models.Rows {
				model := row[0].(string)
				parts = append(parts, [2]string{table.Printable(fmt.Sprintf("%s: from %s to %s", model, from, to)),
					"SELECT topic, item, from_value AS \"from\", to_value AS \"to\", change, CASE verdict WHEN 'supported' THEN 'clear' WHEN 'tendency' THEN 'leaning' WHEN 'undecided' THEN 'cannot tell' ELSE '' END AS reads, " +
						"concat_ws(' ', scenario, CASE WHEN concurrency > 1 THEN 'x' || concurrency END) AS scenario FROM switched WHERE model = " + duck.Literal(model)})
			}
			if err := s.write(ctx, env, r, "FROM switched", parts...); err != nil {
				return err
			}
			s.declared(env, facts, func(f project.Fact) bool { return f.Provider == from || f.Provider == to })
			return nil
		},
	}
}
