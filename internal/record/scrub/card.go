package scrub

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"aircheck/schema"
)

// CardName is the page that describes the copy, in the form that data hubs read.
const CardName = schema.CardName

// writeCard describes the copy from what is in it.
func writeCard(opt Options) error {
	d, err := schema.OpenDataset(opt.To)
	if err != nil {
		return err
	}
	runs, err := d.Runs()
	if err != nil {
		return err
	}
	providers, models, vantages, origins := map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	var from, to, requests, frames, size int64
	for _, run := range runs {
		requests, frames = requests+run.Requests, frames+run.Chunks
		origins[run.Origin] = true
		for _, f := range run.Files {
			size += f.Bytes
		}
		err := d.EachRequest(run, func(q *schema.Request) error {
			providers[q.Provider], models[q.Model] = true, true
			if q.Vantage != nil {
				vantages[*q.Vantage] = true
			}
			if q.StartedAtNs != nil {
				if from == 0 || *q.StartedAtNs < from {
					from = *q.StartedAtNs
				}
				to = max(to, *q.StartedAtNs)
			}
			return nil
		}, "provider", "model", "vantage", "started_at_ns")
		if err != nil {
			return err
		}
	}
	title := opt.Title
	if title == "" {
		title = "LLM API recordings"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "---\npretty_name: %q\n", title)
	if opt.License != "" {
		fmt.Fprintf(&b, "license: %s\n", opt.License)
	}
	fmt.Fprintf(&b, "tags: [llm, api, latency, streaming]\nsize_categories: [%s]\nconfigs:\n- config_name: requests\n  data_files: requests/*/*.parquet\n", sizeCategory(requests))
	if frames > 0 {
		b.WriteString("- config_name: chunks\n  data_files: chunks/*/*.parquet\n")
	}
	fmt.Fprintf(&b, "---\n\n# %s\n\n", title)
	fmt.Fprintf(&b, "%d requests, %d frames, %d runs, %d bytes of Parquet, schema version %d.\n\n", requests, frames, len(runs), size, schema.Version)
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "| %s | %s |\n", name, value)
		}
	}
	b.WriteString("| | |\n|---|---|\n")
	if from > 0 {
		row("requests from", moment(from)+" to "+moment(to)+" UTC")
	}
	row("providers", list(providers))
	row("models", list(models))
	row("sent from", list(vantages))
	row("origin", list(origins))
	row("licence", opt.License)
	row("made", opt.Now().UTC().Format("2006-01-02"))
	b.WriteString(`
## What this is

One row of ` + "`requests`" + ` is one request to an API that serves language models, one row of ` + "`chunks`" + ` one frame of its response
with the time at which it arrived, in nanoseconds from the request's start. The columns are described in the metadata of the
files and in the documentation of aircheck, which analyses the data: ` + "`analyze build`" + ` on this folder.

## What was scrubbed

Texts of prompts and answers are filler of the same bytes and characters; white space stays, so the lengths of words can be
seen. Ids are hashes that hang on a key which was not kept. Words on what went wrong stay, without names, addresses and keys.
Headers other than those on content and rate limits are dropped, as are checks of answers.`)
	if len(opt.Aliases) > 0 {
		b.WriteString(" Names of providers are\naliases; hosts are hashed, and names of providers inside ids of models are masked.")
	}
	b.WriteString(" Every time, size, count, usage and finish reason is as recorded.\n\n## Files\n\n| file | bytes | sha256 |\n|---|---|---|\n")
	for _, run := range runs {
		for _, f := range run.Files {
			fmt.Fprintf(&b, "| %s | %d | %s |\n", f.Path, f.Bytes, f.SHA256)
		}
	}
	return os.WriteFile(filepath.Join(opt.To, CardName), []byte(b.String()), 0o644)
}

func moment(ns int64) string { return time.Unix(0, ns).UTC().Format("2006-01-02 15:04") }

func list(m map[string]bool) string { return strings.Join(slices.Sorted(maps.Keys(m)), ", ") }

// sizeCategory is how data hubs tell the size of a set.
func sizeCategory(n int64) string {
	for _, c := range []struct {
		below int64
		name  string
	}{{1e3, "n<1K"}, {1e4, "1K<n<10K"}, {1e5, "10K<n<100K"}, {1e6, "100K<n<1M"}, {1e7, "1M<n<10M"}} {
		if n < c.below {
			return c.name
		}
	}
	return "10M<n<100M"
}
