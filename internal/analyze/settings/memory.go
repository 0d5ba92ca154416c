package settings

import (
	"fmt"
	"math"
	"os"
	"regexp"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
)

var size = regexp.MustCompile(`^(\d+(?:\.\d+)?)\s*([kmgt]?)(i?)b?$`)

// MemoryLimit is how many bytes the process may have resident at its peak; 0
// where nothing is set.
func (o *Options) MemoryLimit() (int64, error) {
	if o.Memory == "" {
		return 0, nil
	}
	m := size.FindStringSubmatch(strings.ToLower(strings.TrimSpace(o.Memory)))
	if m == nil {
		return 0, &Error{fmt.Errorf("memory %q: want a size such as 512MB or 4GB", o.Memory)}
	}
	n, _ := strconv.ParseFloat(m[1], 64)
	unit := 1000.0
	if m[3] != "" {
		unit = 1024
	}
	n *= math.Pow(unit, float64(strings.Index("kmgt", m[2])+1)*float64(min(len(m[2]), 1)))
	if n < leastMemory {
		return 0, &Error{fmt.Errorf("memory %s: want %d MB at least", o.Memory, leastMemory/1_000_000)}
	}
	return int64(n), nil
}

const (
	// leastMemory is what the program, one slice of requests and leastEngine take.
	leastMemory = 400_000_000
	// leastEngine is what the widest statement takes over a small dataset. The
	// engine has it even where the process already holds more than its limit,
	// since with less nothing is computed at all.
	leastEngine = 200_000_000
)

// The limit is shared out: Go has most of it while it decodes, and the engine
// while it derives. The engine counts its buffers only, not what its allocator
// and its writers hold beside them, so that it is given less than is free.

// ForDecoding bounds Go's heap, gives the number of workers that fit, and a
// function that lifts the bound.
func (o *Options) ForDecoding() (workers int, lift func()) {
	workers = o.Threads()
	limit, _ := o.MemoryLimit()
	if limit == 0 {
		return workers, func() {}
	}
	const program, worker = 100_000_000, 100_000_000
	return min(workers, max(1, int((limit-program)/worker))), heap(limit * 3 / 4)
}

// ForEngine gives the engine's own limit, "" for none, and bounds Go's heap
// beside it.
func (o *Options) ForEngine() (memory string, lift func()) {
	limit, _ := o.MemoryLimit()
	if limit == 0 {
		return "", func() {}
	}
	debug.FreeOSMemory()
	free := limit - resident()
	return fmt.Sprintf("%dMB", max(free*engineShare/100, leastEngine)/1_000_000), heap(limit / 4)
}

const engineShare = 60

func heap(limit int64) (lift func()) {
	before := debug.SetMemoryLimit(limit)
	return func() { debug.SetMemoryLimit(before) }
}

// resident is the memory that the process has now: as Linux counts it, else as
// Go does.
func resident() int64 {
	if data, err := os.ReadFile("/proc/self/statm"); err == nil {
		if fields := strings.Fields(string(data)); len(fields) > 1 {
			if pages, err := strconv.ParseInt(fields[1], 10, 64); err == nil {
				return pages * int64(os.Getpagesize())
			}
		}
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
