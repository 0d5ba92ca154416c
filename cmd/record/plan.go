package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/human"
	"aircheck/internal/record/plan"
	"aircheck/internal/record/runner"
	"aircheck/internal/rules/prices"
)

func planCommand() *cli.Command {
	var order int
	var priceFile string
	return &cli.Command{
		Name:  "plan",
		Args:  "PLAN.yaml",
		Short: "show what a plan would send: cells, requests, order, tokens, dollars",
		Long: `
Sends nothing and needs no key. Says how long the plan takes, what its sample
cannot show, and which rules of the audit (docs/audit.md) it will break. Tokens of prompts are counted with o200k; those
of answers are the most that max_tokens allows. Dollars are by the embedded
price table, or one's own, at today's date. Exit status 2 if the plan has a
budget that 'record run' could not keep.`,
		Flags: func(f *pflag.FlagSet) {
			f.IntVar(&order, "order", 12, "how many of the first requests to list in their order; -1 for all")
			addPrices(f, &priceFile)
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) != 1 {
				return cli.Hint(cli.Usagef("want one plan, got %d operands", len(args)), "record plan plan.yaml")
			}
			p, err := loadPlan(args[0])
			if err != nil {
				return err
			}
			table, err := loadPrices(priceFile)
			if err != nil {
				return err
			}
			if err := describe(env.Stdout, p, table, order); err != nil {
				return err
			}
			return runner.CheckBudget(p, p.Schedule(), table)
		},
	}
}

// describe prints a plan's cells, sums and order.
func describe(w io.Writer, p *plan.Plan, prices *prices.Table, order int) error {
	blocks := p.Schedule()
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "provider\tmodel\tscenario\tconcurrency\trequests\tinput tokens\toutput tokens\tdollars")
	var sum estimate
	missing := map[string]bool{}
	for _, c := range plan.Cells(blocks) {
		e := estimateOf(c, prices)
		sum.add(e)
		if e.missing != "" {
			missing[e.missing] = true
		}
		concurrency := "open"
		if c.Concurrency > 0 {
			concurrency = fmt.Sprint(c.Concurrency)
		}
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%d\t%s\t%s\n", c.Target.Provider, c.Target.Model, c.Scenario, concurrency, phases(c), e.input, e.outputText(), e.dollars())
	}
	fmt.Fprintf(table, "total\t\t\t\t%d\t%d\t%s\t%s\n", sum.requests, sum.input, sum.outputText(), sum.dollars())
	if err := table.Flush(); err != nil {
		return err
	}
	for _, text := range slices.Sorted(maps.Keys(missing)) {
		fmt.Fprintf(w, "no dollars: %s\n", text)
	}
	fmt.Fprintf(w, "windows: %d%s; trials: %d, warm-ups: %d, order: %s, connections: %s\n", p.Windows.Count, everyText(p.Windows.Every), p.Trials, p.Warmup, p.Order, p.Connections)
	for _, line := range slices.Concat(lasts(p), bounded(p, blocks)) {
		fmt.Fprintln(w, line)
	}
	if p.Content != plan.ContentFull {
		fmt.Fprintf(w, "content: %s; docs/plan.md says which views that empties\n", p.Content)
	}
	if d := quiet(blocks); d > 0 {
		fmt.Fprintf(w, "silence before cold starts and bursts: %s at most\n", span(d))
	}
	if rules := broken(p, blocks, prices); len(rules) > 0 {
		fmt.Fprintf(w, "the audit will find, whatever is answered:\n%s\n", strings.Join(rules, "\n"))
	}
	printOrder(w, p, blocks, order)
	return nil
}

// printOrder lists the first requests.
func printOrder(w io.Writer, p *plan.Plan, blocks []plan.Block, limit int) {
	n := 0
	for _, b := range blocks {
		for _, q := range b.Requests {
			if n == limit {
				fmt.Fprintln(w, "…")
				return
			}
			if n == 0 {
				fmt.Fprintln(w, "order:")
			}
			fmt.Fprintf(w, "  %d: window %d, %s, %s %s %d, prompt %d", n, b.Window+1, q.Target, q.Scenario, q.Phase, q.Trial, q.Prompt.Index)
			if q.Probe != "" {
				fmt.Fprintf(w, ", %s %s", q.Probe, q.Arm)
			}
			if b.OpenLoop {
				fmt.Fprintf(w, ", at %s", q.At.Round(time.Millisecond))
			}
			fmt.Fprintln(w)
			n++
		}
	}
}

// estimate sums what requests may use.
type estimate struct {
	requests, input, output int
	unbounded               bool
	nano                    int64
	missing                 string // why there are no dollars
}

func estimateOf(c *plan.Cell, prices *prices.Table) (e estimate) {
	for _, q := range c.Requests {
		nano, missing := runner.Estimate(q, prices)
		e.add(estimate{1, q.InputTokens(), q.OutputCap(), q.OutputCap() == 0, nano, missing})
	}
	return e
}

func (e *estimate) add(o estimate) {
	e.requests += o.requests
	e.input += o.input
	e.output += o.output
	e.unbounded = e.unbounded || o.unbounded
	e.nano += o.nano
	if e.missing == "" {
		e.missing = o.missing
	}
}

func (e *estimate) outputText() string {
	if e.unbounded {
		return "unbounded"
	}
	return fmt.Sprintf("≤ %d", e.output)
}

func (e *estimate) dollars() string {
	if e.missing != "" {
		return human.None
	}
	return "≤ " + human.USD(float64(e.nano)/1e9)
}

// phases is "25 + 3 warm-ups", or the count of the cell's only phase.
func phases(c *plan.Cell) string {
	var parts []string
	for _, p := range []struct{ phase, text string }{
		{plan.PhaseMeasure, ""}, {plan.PhaseWarmup, " warm-ups"}, {plan.PhaseCold, " cold"}, {plan.PhaseBurst, " in bursts"}, {plan.PhaseProbe, " probes"},
	} {
		if n := c.Count(p.phase); n > 0 {
			parts = append(parts, fmt.Sprint(n)+p.text)
		}
	}
	return strings.Join(parts, " + ")
}

func everyText(every time.Duration) string {
	if every == 0 {
		return ""
	}
	return ", one every " + every.String()
}

// quiet is the time that nothing is sent so that targets grow cold.
func quiet(blocks []plan.Block) (d time.Duration) {
	for i, b := range blocks {
		// Blocks that follow each other with one silence wait it out together.
		if i == 0 || b.Idle != blocks[i-1].Idle || b.Requests[0].Trial != blocks[i-1].Requests[0].Trial {
			d += b.Idle
		}
	}
	return d
}
