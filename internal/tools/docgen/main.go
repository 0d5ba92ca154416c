// Docgen writes the pages of docs/ that follow from the program: metrics and
// audit rules from their registries, views from the SQL files and their
// comments, the dataset's columns from the tags of schema, commands from their
// own help. So nothing is typed by hand twice, and --check fails where a page
// is no longer what the program says.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
)

func main() { os.Exit(cli.Main(program())) }

func program() *cli.Program {
	var check bool
	var year string
	return &cli.Program{
		Name:  "docgen",
		Short: "write the generated pages of docs/",
		Default: &cli.Command{
			Args:  "[--check | --year DIR]",
			Short: "write the generated pages of docs/, or check that they are current",
			Flags: func(f *pflag.FlagSet) {
				f.BoolVar(&check, "check", false, "write nothing; exit with status 1 if a page is stale")
				f.StringVar(&year, "year", "", "write the log and the prices of docs/proxy-year.md to this `folder`, and nothing else")
			},
			Run: func(ctx context.Context, env *cli.Env, args []string) error {
				if year != "" {
					if err := os.MkdirAll(year, 0o755); err != nil {
						return err
					}
					return writeYear(year)
				}
				root, err := repository()
				if err != nil {
					return err
				}
				if check {
					return checkPages(ctx, root, env.Stderr)
				}
				return writePages(ctx, root)
			},
		},
	}
}

// page is one generated page.
type page struct {
	path  string // within the repository
	write func(ctx context.Context, s *source, w *strings.Builder) error
}

var pages = []page{
	{"docs/metrics.md", metricsPage},
	{"docs/views.md", viewsPage},
	{"docs/audit.md", auditPage},
	{"docs/schema.md", schemaPage},
	{"docs/commands.md", commandsPage},
	{"docs/formats.md", formatsPage},
	{"docs/limits.md", limitsPage},
}

// generated heads every page.
const generated = "<!-- Written by `make docs`. Edit its source, not this page. -->\n\n"

// render gives the text of every page by its path.
func render(ctx context.Context, root string) (map[string]string, error) {
	s, err := openSource(ctx, root)
	if err != nil {
		return nil, err
	}
	defer s.close()
	out := map[string]string{}
	for _, p := range pages {
		var b strings.Builder
		b.WriteString(generated)
		if err := p.write(ctx, s, &b); err != nil {
			return nil, fmt.Errorf("%s: %w", p.path, err)
		}
		out[p.path] = strings.TrimRight(b.String(), "\n") + "\n"
	}
	return out, nil
}

func writePages(ctx context.Context, root string) error {
	texts, err := render(ctx, root)
	if err != nil {
		return err
	}
	for path, text := range texts {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(path)), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// checkPages lists the pages that are not what the program says.
func checkPages(ctx context.Context, root string, w io.Writer) error {
	texts, err := render(ctx, root)
	if err != nil {
		return err
	}
	stale := 0
	for _, p := range pages {
		have, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(p.path)))
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if string(have) != texts[p.path] {
			stale++
			fmt.Fprintf(w, "%s is stale: %s\n", p.path, firstDifference(string(have), texts[p.path]))
		}
	}
	if stale > 0 {
		return cli.Fail(cli.Faults, cli.Hint(fmt.Errorf("%d of %d generated pages are stale", stale, len(pages)), "run 'make docs'"))
	}
	return nil
}

// firstDifference names the first line in which two texts differ.
func firstDifference(have, want string) string {
	h, w := strings.Split(have, "\n"), strings.Split(want, "\n")
	for i := range min(len(h), len(w)) {
		if h[i] != w[i] {
			return fmt.Sprintf("line %d is %q, not %q", i+1, h[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, not %d", len(h), len(w))
}

// repository is the nearest directory upwards that holds go.mod.
func repository() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("no go.mod here or above: run docgen within the repository")
		}
		dir = parent
	}
}
