package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// programs are the commands of cmd/, in the order in which data flows.
var programs = []string{"record", "analyze", "report"}

// commandsPage is the help of every command, as the command prints it.
func commandsPage(ctx context.Context, s *source, w *strings.Builder) error {
	bin, err := os.MkdirTemp("", "docgen-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(bin)
	build := exec.CommandContext(ctx, "go", "build", "-o", bin+string(os.PathSeparator), "./cmd/...")
	build.Dir = s.root
	if out, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("build the commands: %w\n%s", err, out)
	}
	w.WriteString("# Commands\n\nEach command's own help. A dataset is a directory, `traces` by custom; flags may stand before or after it.\n")
	for _, program := range programs {
		text, err := help(ctx, filepath.Join(bin, program))
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n## %s\n\n```\n%s```\n", program, text)
		listed := regexp.MustCompile(`(?m)^  `+program+` (\S+)  `).FindAllStringSubmatch(text, -1)
		for _, m := range listed {
			if text, err = help(ctx, filepath.Join(bin, program), m[1]); err != nil {
				return err
			}
			fmt.Fprintf(w, "\n### %s %s\n\n```\n%s```\n", program, m[1], text)
		}
	}
	return nil
}

// help runs a command with --help.
func help(ctx context.Context, program string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.CommandContext(ctx, program, append(args, "--help")...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s --help: %w\n%s", filepath.Base(program), err, out.String())
	}
	return out.String(), nil
}
