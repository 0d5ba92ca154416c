package decode

import (
	"aircheck/internal/kit/columnar"
	"aircheck/internal/wire/dialect"
	"aircheck/schema"
)

// eventColumns are rows of the events table by column: there are as many as
// frames, so that a struct a row would cost more than decoding it.
type eventColumns struct {
	n, times    int
	requestID   []int64
	place, part []int64 // see storedEvent
	tNs         []int64 // of the events that have a time
	timed       []int16 // 1 for those, 0 for the others
	tags        []int32
	size        []int64
	gaps        []int64 // of the events that have one
	gapped      []int16
	gapsN       int
}

// noGap stands for the gap of an event that begins none.
const noGap = int64(-1)

func (c *eventColumns) add(e *dialect.Event, lead, part int32, f *schema.Frames, i int, gap int64) {
	n := c.n
	if n == len(c.requestID) {
		c.grow()
	}
	c.requestID[n] = f.RequestID[i]
	c.place[n] = int64(f.Seq[i])<<32 | int64(uint32(f.ReadSeq[i]))
	c.part[n] = int64(e.Choice)<<32 | int64(uint32(part))
	c.tags[n] = lead<<8 | int32(e.Kind)
	c.size[n] = int64(e.Bytes-e.Chars)<<32 | int64(uint32(e.Chars))
	c.timed[n], c.gapped[n] = 0, 0
	if f.Timed[i] {
		c.timed[n], c.tNs[c.times] = 1, f.TNs[i]
		c.times++
	}
	if gap != noGap {
		c.gapped[n], c.gaps[c.gapsN] = 1, gap
		c.gapsN++
	}
	c.n++
}

func (c *eventColumns) choice(row int) int32      { return int32(c.part[row] >> 32) }
func (c *eventColumns) kind(row int) dialect.Kind { return dialect.Kind(c.tags[row] & 255) }
func (c *eventColumns) setKind(row int, k dialect.Kind) {
	c.tags[row] = c.tags[row]&^255 | int32(k)
}

func (c *eventColumns) grow() {
	more := max(16<<10, c.n)
	c.requestID, c.place, c.part = longer(c.requestID, more), longer(c.place, more), longer(c.part, more)
	c.tNs, c.timed = longer(c.tNs, more), longer(c.timed, more)
	c.tags, c.size = longer(c.tags, more), longer(c.size, more)
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
	return w.WriteGroup(c.requestID[:n], c.place[:n], columnar.Nullable{Values: c.tNs[:c.times], Def: c.timed[:n]},
		c.part[:n], c.tags[:n], c.size[:n], columnar.Nullable{Values: c.gaps[:c.gapsN], Def: c.gapped[:n]})
}
