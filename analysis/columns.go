package analysis

import (
	"aircheck/dialect"
	"aircheck/internal/columnar"
	"aircheck/schema"
)

// eventColumns are rows of the events table by column: there are as many as
// frames, so that a struct a row would cost more than decoding it.
type eventColumns struct {
	n, times           int
	requestID          []int64
	seq, part, readSeq []int32
	tNs                []int64 // of the events that have a time
	timed              []int16 // 1 for those, 0 for the others
	tags               []int64
	chars, wide        []int32
	gaps               []int64 // of the events that have one
	gapped             []int16
	gapsN              int
}

func (c *eventColumns) add(e *dialect.Event, lead int64, part int32, f *schema.Frames, i int) {
	n := c.n
	if n == len(c.requestID) {
		c.grow()
	}
	c.requestID[n], c.seq[n], c.part[n], c.readSeq[n] = f.RequestID[i], f.Seq[i], part, f.ReadSeq[i]
	c.tags[n] = int64(e.Kind) | lead<<8 | int64(e.Choice)<<16
	c.chars[n], c.wide[n] = e.Chars, e.Bytes-e.Chars
	c.timed[n] = 0
	if f.Timed[i] {
		c.timed[n], c.tNs[c.times] = 1, f.TNs[i]
		c.times++
	}
	c.n++
}

// kind gives an event's kind and choice back, and setKind changes the kind.
func (c *eventColumns) kind(row int) (dialect.Kind, int32) {
	return dialect.Kind(c.tags[row] & 255), int32(c.tags[row] >> 16)
}

func (c *eventColumns) lead(row int) int64 { return c.tags[row] >> 8 & 255 }

func (c *eventColumns) setKind(row int, k dialect.Kind) {
	c.tags[row] = c.tags[row]&^255 | int64(k)
}

func (c *eventColumns) grow() {
	more := max(16<<10, c.n)
	c.requestID, c.tNs, c.tags = longer(c.requestID, more), longer(c.tNs, more), longer(c.tags, more)
	c.seq, c.part, c.readSeq = longer(c.seq, more), longer(c.part, more), longer(c.readSeq, more)
	c.chars, c.wide, c.timed = longer(c.chars, more), longer(c.wide, more), longer(c.timed, more)
	c.gaps, c.gapped = longer(c.gaps, more), longer(c.gapped, more)
}

func longer[V any](s []V, more int) []V { return append(s, make([]V, more)...) }

func (c *eventColumns) reset() { c.n, c.times, c.gapsN = 0, 0, 0 }

// write writes the rows as one row group, columns in the order of storedEvent.
func (c *eventColumns) write(w *columnar.Writer[storedEvent]) error {
	if c.n == 0 {
		return nil
	}
	n := c.n
	return w.WriteGroup(c.requestID[:n], c.seq[:n], c.part[:n], c.readSeq[:n],
		columnar.Nullable{Values: c.tNs[:c.times], Def: c.timed[:n]}, c.tags[:n], c.chars[:n], c.wide[:n],
		columnar.Nullable{Values: c.gaps[:c.gapsN], Def: c.gapped[:n]})
}
