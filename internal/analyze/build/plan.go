package build

import (
	"cmp"
	"container/heap"
	"context"
	"fmt"
	"slices"

	"aircheck/internal/analyze/decode"
	"aircheck/schema"
)

// Shard is one share of what is to be decoded.
type Shard struct {
	Shard  string `json:"shard"` // I/N, as decode takes it
	Pieces int    `json:"pieces"`
	Bytes  int64  `json:"bytes"` // of chunks, about
	Done   int    `json:"done"`  // pieces that are decoded already
}

// Plan says what each of n shares holds.
func Plan(ctx context.Context, o Options, n int) ([]Shard, error) {
	b, err := prepare(ctx, o, false)
	if err != nil {
		return nil, err
	}
	jobs := b.jobs(b.runs, false)
	which, sizes := b.shares(jobs, n), b.sizes(jobs)
	out := make([]Shard, n)
	for i := range out {
		out[i].Shard = fmt.Sprintf("%d/%d", i+1, n)
	}
	for i, j := range jobs {
		at := &out[which[i]]
		at.Pieces++
		at.Bytes += sizes[i]
		if b.decoded(j) {
			at.Done++
		}
	}
	return out, nil
}

// shares gives each piece to one of n shares, so that these hold about as many
// bytes: the largest piece first, each to the share that has least. It depends on
// the runs alone, so that every machine comes to the same.
func (b *builder) shares(jobs []decode.Job, n int) []int {
	sizes := b.sizes(jobs)
	order := make([]int, len(jobs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(sizes[y], sizes[x]) })
	out, load := make([]int, len(jobs)), make(loads, n)
	for i := range load {
		load[i].share = i
	}
	for _, i := range order {
		out[i] = load[0].share
		load[0].bytes += sizes[i]
		heap.Fix(&load, 0)
	}
	return out
}

// loads are what shares hold, the least first.
type loads []struct {
	bytes int64
	share int
}

func (l loads) Len() int      { return len(l) }
func (l loads) Swap(i, j int) { l[i], l[j] = l[j], l[i] }
func (l loads) Less(i, j int) bool {
	return l[i].bytes < l[j].bytes || l[i].bytes == l[j].bytes && l[i].share < l[j].share
}
func (l *loads) Push(any) {}
func (l *loads) Pop() any { return nil }

// sizes are about the bytes of each piece: its run's, by the piece's part of the
// run's pieces. Pieces of one run hold about as many frames each.
func (b *builder) sizes(jobs []decode.Job) []int64 {
	pieces, bytes := map[string]int64{}, map[string]int64{}
	for _, j := range jobs {
		pieces[j.Run.RunID]++
	}
	for _, r := range b.runs {
		bytes[r.RunID] = bytesOf(r.Run)
	}
	out := make([]int64, len(jobs))
	for i, j := range jobs {
		out[i] = bytes[j.Run.RunID] / pieces[j.Run.RunID]
	}
	return out
}

func bytesOf(r *schema.Run) (n int64) {
	for _, f := range r.Files {
		n += f.Bytes
	}
	return n
}
