package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/pflag"

	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/limits"
	"aircheck/internal/kit/nearest"
	"aircheck/internal/record/capture"
	"aircheck/internal/record/content"
	"aircheck/internal/record/proxy"
	"aircheck/internal/rules/names"
	"aircheck/internal/wire/dialect"
)

// proxyFlags are those of record proxy.
type proxyFlags struct {
	listen, dir, name, provider, api, region, vantage, content, hashKey string
	upstreams, headers                                                  []string
	durable                                                             bool
	memory                                                              size
}

func proxyCommand() *cli.Command {
	o := proxyFlags{memory: limits.Memory}
	return &cli.Command{
		Name:  "proxy",
		Args:  "--upstream URL --provider NAME [--listen ADDR] [--to DIR]",
		Short: "record an application's real traffic while forwarding it unchanged",
		Long: `
The application points its base URL at the proxy and works as before: streams,
tools, errors, cancellations. Each call of a model becomes a row of phase live,
with the times of both sides and every frame of its answer; other requests are
forwarded and counted. If nothing can be recorded, because the disk is full, it
says so and goes on forwarding. The first interrupt lets open requests finish and
seals the run.

Several upstreams are told apart by the first part of the path:
--upstream openai=https://api.openai.com --upstream anthropic=https://api.anthropic.com
serves http://ADDR/openai/v1 and http://ADDR/anthropic.

Keys pass through and reach neither the disk nor any message. Without a host ADDR
is this machine's alone.`,
		Flags: func(f *pflag.FlagSet) {
			f.StringVar(&o.listen, "listen", "127.0.0.1:8787", "address to serve; port 0 takes any that is free")
			f.StringArrayVar(&o.upstreams, "upstream", nil, "`[PROVIDER=]URL` to forward to; may be given several times")
			f.StringVar(&o.provider, "provider", "", "name of the provider, where --upstream has none")
			f.StringVar(&o.api, "api", "", "dialect spoken, where paths do not tell it")
			f.StringVar(&o.region, "region", "", "region of the endpoints")
			f.StringVar(&o.vantage, "vantage", "", "where the proxy stands")
			f.StringVar(&o.dir, "to", "traces", "dataset to write to; made if it does not exist")
			f.StringVar(&o.name, "name", "live", "name of the run")
			f.StringArrayVar(&o.headers, "label-header", nil, "`HEADER=NAME` of the application's that becomes a label, or session, attempt, request, scenario or workload")
			f.StringVar(&o.content, "content", "full", "how much of prompts and answers is kept: full, hash (keyed hashes of the same length) or none (sizes and times)")
			f.StringVar(&o.hashKey, "hash-key-env", "", "environment `VARIABLE` with the key of the hashes; else it is drawn for this run and forgotten")
			f.BoolVar(&o.durable, "durable", false, "make each batch of frames durable as it is written, not once a second")
			f.Var(&o.memory, "memory", "the most memory that the proxy takes, whatever arrives")
		},
		Run: func(ctx context.Context, env *cli.Env, args []string) error {
			if len(args) > 0 {
				return cli.Hint(cli.Usagef("no operands are wanted, got %d", len(args)), "record proxy --upstream https://api.openai.com --provider openai")
			}
			if err := enough(o.memory); err != nil {
				return err
			}
			return runProxy(ctx, env, &o)
		},
	}
}

func runProxy(ctx context.Context, env *cli.Env, f *proxyFlags) error {
	o, err := f.options(env)
	if err != nil {
		return err
	}
	l, err := proxy.Listen(f.listen)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return cli.Fail(cli.IO, cli.Hint(err, "another program listens there: choose another --listen address"))
	case err != nil:
		return cli.Fail(cli.Usage, err)
	}
	defer l.Close()
	recoverFirst(env, f.dir)
	p, err := proxy.New(*o)
	if err != nil {
		return datasetError(err)
	}
	// Marking a heap delays the goroutines that read sockets; memory is cheaper.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(heapOf(int64(f.memory))))
	hard, release := secondInterrupt(ctx)
	defer release()
	fmt.Fprintf(env.Stdout, "proxy at http://%s, recording into %s\n", l.Addr(), f.dir)
	for _, u := range o.Upstreams {
		prefix := "/" + u.Provider
		if len(o.Upstreams) == 1 {
			prefix = ""
		}
		fmt.Fprintf(env.Stdout, "%s: http://%s%s stands for %s\n", u.Provider, l.Addr(), prefix, u.URL)
	}
	if l.Public {
		fmt.Fprintln(env.Stderr, "record proxy: it listens beyond this machine: whoever can connect can use it")
	}
	served := proxy.Serve(ctx, hard, p, l)
	done, err := p.Close()
	for _, run := range done.Runs {
		fmt.Fprintf(env.Stdout, "run %s in %s: %d requests, %d frames\n", run.RunID, f.dir, run.Requests, run.Chunks)
		for _, note := range run.Notes {
			fmt.Fprintf(env.Stdout, "note: %s\n", note)
		}
	}
	if len(done.Runs) == 0 {
		fmt.Fprintln(env.Stdout, "no call of a model came; nothing was recorded")
	}
	for _, why := range slices.Sorted(maps.Keys(done.Apart)) {
		fmt.Fprintf(env.Stdout, "forwarded and not recorded: %d requests, %s\n", done.Apart[why], why)
	}
	if err != nil {
		return datasetError(cli.Hint(err, "record recover %s seals it when there is room", f.dir))
	}
	return served // to be interrupted is how it ends
}

var upstreamName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)

// options reads the flags.
func (f *proxyFlags) options(env *cli.Env) (*proxy.Options, error) {
	o := &proxy.Options{Dir: f.dir, Name: f.name, Vantage: f.vantage, Durable: f.durable, Headers: map[string]string{},
		Memory: int64(f.memory), Say: func(line string) { fmt.Fprintln(env.Stderr, "record proxy: "+line) }}
	if len(f.upstreams) == 0 {
		return nil, cli.Hint(cli.Usagef("no upstream"), "record proxy --upstream https://api.openai.com --provider openai")
	}
	if f.api != "" && !slices.Contains(dialect.Names(), f.api) {
		return nil, cli.Usagef("unknown api %q; %s", f.api, nearest.Or("one", f.api, dialect.Names()))
	}
	for _, text := range f.upstreams {
		u, err := f.upstream(text)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(o.Upstreams, func(other proxy.Upstream) bool { return other.Provider == u.Provider }) {
			return nil, cli.Usagef("two upstreams are named %s", u.Provider)
		}
		o.Upstreams = append(o.Upstreams, *u)
	}
	for _, text := range f.headers {
		header, name, _ := strings.Cut(text, "=")
		switch {
		case header == "" || name == "":
			return nil, cli.Usagef("--label-header %q: want HEADER=NAME, such as X-Team=team", text)
		case capture.CredentialHeader(header):
			return nil, cli.Usagef("--label-header: %s is a credential, and would be kept", header)
		}
		o.Headers[http.CanonicalHeaderKey(header)] = name
	}
	var err error
	o.Content, err = content.NewPolicy(content.Mode(f.content), f.hashKey, env.Getenv)
	return o, err
}

func (f *proxyFlags) upstream(text string) (*proxy.Upstream, error) {
	name, address, named := strings.Cut(text, "=")
	if !named || strings.Contains(name, "://") { // the equals sign is the URL's own
		name, address = f.provider, text
	}
	u, err := url.Parse(address)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return nil, cli.Usagef("upstream %q is not an http or https address", address)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return nil, cli.Usagef("an upstream has no user name, password, query or fragment: applications send their own keys")
	}
	if name == "" {
		name = names.Provider(u.Host)
	}
	if name == "" {
		return nil, cli.Usagef("no name for %s: add --provider, or write --upstream NAME=URL", address)
	}
	if !upstreamName.MatchString(name) {
		return nil, cli.Usagef("%q cannot be the name of an upstream: want letters, digits, dots and dashes", name)
	}
	return &proxy.Upstream{Provider: name, URL: u, API: f.api, Region: f.region}, nil
}
