package runner

import (
	"aircheck/internal/kit/cli"
	"aircheck/internal/kit/human"
	"aircheck/internal/kit/limits"
	"aircheck/internal/record/plan"
)

const (
	// filesBeside are open beside the sockets: the journal, the files being sealed,
	// streams, look-ups.
	filesBeside = 32
)

// checkCapacity refuses a plan that needs more files or memory than this process
// has, before anything is sent: the lack would look like a fault of the providers.
func checkCapacity(p *plan.Plan, blocks []plan.Block, memory int64) error {
	streams, sockets := needs(p, blocks)
	if limit := openFiles(); limit > 0 && uint64(sockets+filesBeside) > limit {
		return cli.Hint(cli.Usagef("the plan keeps up to %d connections open, and this process may have %d open files", sockets, limit),
			"raise the limit (ulimit -n %d), or lower the concurrency or the number of targets", sockets+filesBeside)
	}
	if need := int64(streams) * (limits.StreamBytes + limits.LeastHeld); need > memory/2 {
		return cli.Hint(cli.Usagef("the plan keeps up to %d streams open, which take more than half of the run's memory of %s MB", streams, human.Count(memory>>20)),
			"allow more: --memory %dMB", need>>19+1)
	}
	return nil
}

// needs is how many streams a plan has open at once, and how many connections
// with those that are kept for later. How many an open loop has depends on the
// answers: it counts as one.
func needs(p *plan.Plan, blocks []plan.Block) (streams, sockets int) {
	kept := map[*plan.Target]int{}
	for i := range blocks {
		b := &blocks[i]
		n := 1
		if !b.OpenLoop {
			n = min(b.Streams, len(b.Requests))
		}
		streams = max(streams, n)
		if p.Connections == plan.Fresh {
			continue
		}
		of := map[*plan.Target]int{}
		for j := range b.Requests {
			of[b.Requests[j].Target]++
		}
		for t, requests := range of {
			kept[t] = max(kept[t], min(n, requests))
		}
	}
	for _, n := range kept {
		sockets += n
	}
	return streams, max(sockets, streams)
}
