package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strings"
)

// program is what a command says of itself.
type program struct {
	name, version string
	help          string
	commands      []command
	flags         []string // of the program itself
}

type command struct {
	name, help string
	flags      []string
}

var (
	flagPattern = regexp.MustCompile(`(?m)^ {2,6}(?:-\w, )?(--[a-z][a-z0-9-]*)`)
	verPattern  = regexp.MustCompile(`(?m)^aircheck \w+ (.+)$`)
)

// readProgram asks a program for its help, and for that of its commands.
func readProgram(path, name string) (*program, error) {
	p := &program{name: name}
	var err error
	if p.help, err = ask(path, "--help"); err != nil {
		return nil, err
	}
	version, err := ask(path, "--version")
	if err != nil {
		return nil, err
	}
	if m := verPattern.FindStringSubmatch(version); m != nil {
		p.version = m[1]
	}
	p.flags = flagsOf(p.help)
	for _, m := range regexp.MustCompile(`(?m)^  `+name+` (\S+)  `).FindAllStringSubmatch(p.help, -1) {
		text, err := ask(path, m[1], "--help")
		if err != nil {
			return nil, err
		}
		p.commands = append(p.commands, command{m[1], text, flagsOf(text)})
	}
	return p, nil
}

func ask(path string, args ...string) (string, error) {
	var out bytes.Buffer
	cmd := exec.Command(path, args...)
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", path, strings.Join(args, " "), err, out.String())
	}
	return out.String(), nil
}

func flagsOf(help string) []string {
	var out []string
	for _, m := range flagPattern.FindAllStringSubmatch(help, -1) {
		out = append(out, m[1])
	}
	return append(out, "--help")
}

// manual is the page of section 1: the help of the program and of each command.
func (p *program) manual(installed string) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH %s 1 \"\" \"aircheck %s\" \"aircheck\"\n", strings.ToUpper(installed), roff(p.version))
	lines := strings.SplitN(strings.TrimSpace(p.help), "\n\n", 3)
	short := p.name
	if len(lines) > 1 {
		short = lines[1]
	}
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n.SH SYNOPSIS\n", installed, roff(strings.TrimSpace(short)))
	p.block(&b, p.help, installed)
	for _, c := range p.commands {
		fmt.Fprintf(&b, ".SH %s\n", roff(strings.ToUpper(c.name)))
		p.block(&b, c.help, installed)
	}
	return b.String()
}

// block is preformatted text.
func (p *program) block(b *strings.Builder, text, installed string) {
	b.WriteString(".nf\n")
	if installed != p.name {
		text = regexp.MustCompile(`(?m)\b`+p.name+`( [a-z]|'? )`).ReplaceAllString(text, installed+"$1")
	}
	for _, line := range strings.Split(strings.TrimRight(text, "\n"), "\n") {
		b.WriteString(roff(line) + "\n")
	}
	b.WriteString(".fi\n")
}

// roff keeps text from being taken for a request.
func roff(line string) string {
	line = strings.NewReplacer(`\`, `\e`, `-`, `\-`).Replace(line)
	if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
		line = `\&` + line
	}
	return line
}

// completion is for bash: commands first, then flags, else files.
func (p *program) completion(installed string) string {
	var b strings.Builder
	f := "_" + regexp.MustCompile(`\W`).ReplaceAllString(installed, "_")
	var names []string
	for _, c := range p.commands {
		names = append(names, c.name)
	}
	fmt.Fprintf(&b, "# bash completion for %s\n%s() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} words\n", installed, f)
	if len(names) > 0 {
		fmt.Fprintf(&b, "\tif [ \"$COMP_CWORD\" = 1 ]; then\n\t\twords='%s --help --version'\n\telse\n\t\tcase ${COMP_WORDS[1]} in\n", strings.Join(names, " "))
		for _, c := range p.commands {
			fmt.Fprintf(&b, "\t\t%s) words='%s' ;;\n", c.name, strings.Join(c.flags, " "))
		}
		b.WriteString("\t\tesac\n\tfi\n")
	} else {
		fmt.Fprintf(&b, "\twords='%s --version'\n", strings.Join(p.flags, " "))
	}
	fmt.Fprintf(&b, "\tmapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$cur\")\n}\ncomplete -o default -F %s %s\n", f, installed)
	return b.String()
}
