package schema

import (
	"fmt"

	"aircheck/internal/kit/columnar"
)

// Frames are the frames of one row group by columns: whole requests, sorted by
// (request_id, seq). It holds what decoding needs beside the bytes, in buffers
// that the next group takes over.
type Frames struct {
	RequestID    []int64
	Seq, ReadSeq []int32
	TNs, TReadNs []int64
	Timed        []bool // whether TNs is there
	ReadTimed    []bool // whether TReadNs is there
	Complete     []bool

	group *columnar.Group
}

// Len is the number of frames.
func (f *Frames) Len() int { return len(f.RequestID) }

// EachRaw calls fn with the bytes of each frame, in order. They are valid until
// fn returns.
func (f *Frames) EachRaw(fn func(i int, raw []byte) error) error {
	var stopped error
	err := f.group.EachBytes("raw", func(i int, raw []byte) error {
		stopped = fn(i, raw)
		return stopped
	})
	if err != nil && stopped == nil {
		return &groupError{err}
	}
	return err
}

// End is the index after the last frame of the request that has frame i.
func (f *Frames) End(i int) int {
	id := f.RequestID[i]
	for i++; i < len(f.RequestID) && f.RequestID[i] == id; i++ {
	}
	return i
}

func (f *Frames) read(g *columnar.Group) (err error) {
	if f.RequestID, _, err = g.Int64("request_id", f.RequestID, nil); err != nil {
		return err
	}
	if f.Seq, err = g.Int32("seq", f.Seq); err != nil {
		return err
	}
	if f.ReadSeq, err = g.Int32("read_seq", f.ReadSeq); err != nil {
		return err
	}
	if f.TNs, f.Timed, err = g.Int64("t_ns", f.TNs, f.Timed); err != nil {
		return err
	}
	if f.TReadNs, f.ReadTimed, err = g.Int64("t_read_ns", f.TReadNs, f.ReadTimed); err != nil {
		return err
	}
	if err := f.bounded(); err != nil {
		return err
	}
	f.group = g
	f.Complete, err = g.Bool("complete", f.Complete)
	return err
}

// bounded sees that no time is one that cannot be reckoned with.
func (f *Frames) bounded() error {
	for i := range f.RequestID {
		if f.Timed[i] && !inBounds(&f.TNs[i]) || f.ReadTimed[i] && !inBounds(&f.TReadNs[i]) {
			return fmt.Errorf("request %d: frame %d came at a time beyond ±2^53 ns", f.RequestID[i], f.Seq[i])
		}
	}
	return nil
}

func inBounds(ns *int64) bool { return ns == nil || *ns <= maxValue && *ns >= -maxValue }
